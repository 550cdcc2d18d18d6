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
 * Makes the head the published version, or at a time the one that is the head then. Errors: `not_publishable` with what is missing;
 * `invalid_state` when archived.
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

/** Takes the published version back, now or at a time. Errors: `invalid_state` when there is none. */
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

/** Hides an item from lists and published reads; what was published stays so underneath. Errors: `invalid_state` when archived. */
export function archiveItem(call: Call, input: ParsedOf<Group['archive']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.archive',
    event: 'ITEM_ARCHIVED',
    state: async (head) => {
      requireState(!head.archived, 'The item is archived.')
      return { archived: true }
    },
  })
}

/** Brings an archived item back. Errors: `invalid_state` when it is not archived. */
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
  /** What does it at a time that was said. */
  readonly later?: ScheduledKind
  /** The marks to set; throws when the state does not permit it. */
  readonly state: (head: Entity, call: WriteCall) => Promise<Partial<Entity>>
}

interface StateInput {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly id: string
  readonly at?: number | null | undefined
}

/** Errors: `not_found`, `forbidden`, `precondition_failed`, and those of the marks. */
function setState(
  call: Call,
  input: StateInput,
  { key, event, later, state }: StateChange,
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key, branch: scope.branch, roles: 'write' })
    if (later && isPutOff(call, input.at)) {
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

/** Everything that stops a publish: required values, values that no longer fit the type, references to nothing or to the wrong kind of thing. */
export async function publishIssues(call: Call, head: Entity): Promise<Issue[]> {
  const type = await typeOf(call, head)
  const { asset, fields } = contentOf(head)
  if (!type.settings.publishable)
    return [{ path: 'type', message: `items of the type "${type.name}" are not published` }]
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
  if (!found || found.deletedDate !== null) return `refers to "${id}", which is not there`
  if (types.length > 0 && !types.includes(found.type))
    return `refers to "${id}", which is no ${types.join(' or ')}`
  if (taxonomyId !== null && found.body['taxonomyId'] !== taxonomyId) return `"${id}" is of another taxonomy`
  const unfit = file && fileProblem(assetIn(found.body), file)
  return unfit ? `"${id}" ${unfit}` : null
}

/** What can be done to an item at a time that was said before. */
type ScheduledKind = 'item.publish' | 'item.unpublish'

/**
 * Puts off what is done to an item: an item has one time for each kind, and a new one takes the place of that before. null: takes it
 * back. It is done with the rights that whoever asked for it has then.
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

/** Whether a time is yet to come, so that what is asked for is put off; a time that has passed is now. */
function isPutOff(call: Call, at: number | null | undefined): at is number | null {
  return at === null || (at !== undefined && at > call.now)
}

/** Publishes or unpublishes at the time that was given. */
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

/** What would stop a publish now. Errors: `not_found`. */
export async function validateItem(call: Call, input: ParsedOf<Validate>): Promise<OutputOf<Validate>> {
  const head = await findItem(call, await findScope(call, input), input.id)
  const issues = await publishIssues(call, head)
  return { valid: issues.length === 0, issues }
}
