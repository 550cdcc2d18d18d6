import {
  QuireError,
  type Contract,
  type Item,
  type JournalEvent,
  type ParsedOf,
  type PermissionKey,
  type Issue,
  type OutputOf,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { dateAfter } from '../kinds/heads.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import { findItem, requireOnItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { setItemState, requireState } from './save.ts'
import { targetsOf, type Target } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues, missingValues } from '../types/values.ts'
import { assetIn, fileProblem } from './asset.ts'
import { contentOf } from './content.ts'
import { storedPrincipal, callAs, principalOf } from '../../engine/system-call.ts'
import { newJob, endWithin, type JobHandler } from '../../engine/job.ts'
import type { Entity, Branch } from '../../ports/index.ts'

type Group = Contract['items']

/**
 * Publishes the head, now or at a given time; then the head of that time is published.
 * Errors: `not_publishable` with the issues; `invalid_state` if the item is archived.
 */
export function publishItem(call: Call, input: ParsedOf<Group['publish']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.publish',
    event: 'ITEM_PUBLISHED',
    later: 'item.publish',
    state: async (head, call) => {
      requireState(!head.archived, 'The item is archived: unarchive it first.')
      const issues = await publishIssues(call, head)
      if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
      return { publishedVersion: head.version, publishedDate: dateAfter(call, head) }
    },
  })
}

/**
 * Unpublishes an item, now or at a given time. Errors: `invalid_state` if no version is published.
 */
export function unpublishItem(call: Call, input: ParsedOf<Group['unpublish']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.publish',
    event: 'ITEM_UNPUBLISHED',
    later: 'item.unpublish',
    state: async (head) => {
      requireState(head.publishedVersion !== null, 'No version of the item is published.')
      return { publishedVersion: null, publishedDate: null }
    },
  })
}

/**
 * Hides an item from lists and published reads. Its published version is retained and is visible
 * again when the item is unarchived. Errors: `invalid_state` if it is already archived.
 */
export function archiveItem(call: Call, input: ParsedOf<Group['archive']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.archive',
    event: 'ITEM_ARCHIVED',
    state: async (head) => {
      requireState(!head.archived, 'The item is already archived.')
      return { archived: true }
    },
  })
}

/** Makes an archived item visible again. Errors: `invalid_state` if it is not archived. */
export function unarchiveItem(call: Call, input: ParsedOf<Group['unarchive']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.archive',
    event: 'ITEM_UNARCHIVED',
    state: async (head) => {
      requireState(head.archived, 'The item is not archived.')
      return { archived: false }
    },
  })
}

interface StateChange {
  readonly key: PermissionKey
  readonly event: JournalEvent
  /** The job that makes the change at a later time. Default: it cannot be scheduled. */
  readonly later?: ScheduledKind
  /** Returns the state to set. Throws if the current state does not permit the change. */
  readonly state: (head: Entity, call: WriteCall) => Promise<Partial<Entity>>
}

interface StateInput {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly id: string
  readonly at?: number | null | undefined
}

/** Errors: `not_found`, `forbidden`, `precondition_failed`, and those of `state`. */
function setState(
  call: Call,
  input: StateInput,
  { key, event, later, state }: StateChange,
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key, branch: scope.branch, roles: 'write' })
    if (later && isScheduled(call, input.at)) {
      await scheduleItem(call, { kind: later, scope, head: previous, at: input.at })
      return serializeHead(call, scope.branch, previous)
    }
    const changed = await setItemState(call, {
      scope,
      previous,
      event,
      state: await state(previous, call),
    })
    return serializeHead(call, scope.branch, changed)
  })
}

/**
 * Finds everything that prevents publishing: missing required values, values that no longer fit the
 * type, and references whose target is gone or of the wrong kind.
 */
export async function publishIssues(call: Call, head: Entity): Promise<Issue[]> {
  const type = await typeOf(call, head)
  const { asset, fields } = contentOf(head)
  if (!type.settings.publishable)
    return [{ path: 'type', message: `items of the type "${type.name}" cannot be published` }]
  const { issues } = await checkValues(type.fields, fields)
  return [
    ...(type.settings.isAsset && !asset ? [{ path: 'asset', message: 'has no file yet' }] : []),
    ...issues,
    ...missingValues(type.fields, fields),
    ...(await targetIssues(call, head, targetsOf(type.fields, fields))),
  ]
}

async function targetIssues(call: Call, head: Entity, targets: readonly Target[]): Promise<Issue[]> {
  const branch: Branch = { repositoryId: head.repositoryId, packageId: head.packageId }
  const issues = targets.map(async (target): Promise<Issue[]> => {
    const found = await call.store.entities.get(branch, target.kind, target.id)
    const message = targetProblem(target, found)
    return message === null ? [] : [{ path: target.path, message }]
  })
  return (await Promise.all(issues)).flat()
}

function targetProblem({ id, types, taxonomyId, file }: Target, found: Entity | null): string | null {
  if (!found || found.deletedDate !== null) return `refers to "${id}", which does not exist`
  if (types.length > 0 && !types.includes(found.type))
    return `refers to "${id}", which is not of the type ${types.join(' or ')}`
  if (taxonomyId !== null && found.body['taxonomyId'] !== taxonomyId)
    return `refers to "${id}", which belongs to another taxonomy`
  const unfit = file && fileProblem(assetIn(found.body), file)
  return unfit ? `refers to "${id}", which ${unfit}` : null
}

/** The changes of an item that can be scheduled. */
type ScheduledKind = 'item.publish' | 'item.unpublish'

/**
 * Schedules a change of an item. An item has at most one scheduled change of each kind: a new time
 * replaces the previous one, and null cancels it. The change runs with the permissions that the
 * caller has at that time.
 */
async function scheduleItem(
  call: WriteCall,
  { kind, scope, head, at }: { kind: ScheduledKind; scope: Scope; head: Entity; at: number | null },
): Promise<void> {
  const { repositoryId, packageId } = scope.branch
  const key = `${kind}:${packageId ?? repositoryId}:${head.id}`
  const before = await call.store.jobs.findUnended(key)
  if (before) await call.store.jobs.cancel(before.id, call.now)
  if (at === null) return
  const payload = {
    principal: storedPrincipal(call),
    configId: repositoryId,
    ...(scope.package && { packageName: scope.package.name }),
    id: head.id,
  }
  await call.enqueue(newJob(call, { kind, repositoryId, key, payload, maxAttempts: 3, runAt: at }))
}

/**
 * Whether the change is to be scheduled (or its schedule cancelled) instead of made now. A time in
 * the past means now.
 */
function isScheduled(call: Call, at: number | null | undefined): at is number | null {
  return at === null || (at !== undefined && at > call.now)
}

/** The jobs that publish or unpublish an item at a scheduled time. */
export const scheduledItems: ReadonlyMap<ScheduledKind, JobHandler> = new Map([
  ['item.publish', handlerOf('items.publish')],
  ['item.unpublish', handlerOf('items.unpublish')],
])

function handlerOf(operation: 'items.publish' | 'items.unpublish'): JobHandler {
  return {
    slots: 4,
    each: 4,
    async run(job, { call }) {
      const { principal, ...input } = job.payload
      const caller = await callAs(call, principalOf(principal))
      await caller.write(async (call) => {
        await call.invoke(operation, input)
        await endWithin(call, job)
      })
      return null
    },
  }
}

type Validate = Contract['items']['validate']

/** Reports what would prevent publishing an item now. Errors: `not_found`. */
export async function validateItem(call: Call, input: ParsedOf<Validate>): Promise<OutputOf<Validate>> {
  const head = await findItem(call, await findScope(call, input), input.id)
  const issues = await publishIssues(call, head)
  return { valid: issues.length === 0, issues }
}
