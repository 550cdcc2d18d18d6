import { limits, QuireError, type Contract, type Package, type ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mainOf } from '../../engine/scope.ts'
import { isSame } from '../../engine/same.ts'
import type { Base, Entity, EntityVersion, Transaction } from '../../ports/index.ts'
import {
  type MergedChange,
  newPackage,
  serializePackage,
  requireState,
  storeNew,
  withPackage,
  type PackageScope,
} from './record.ts'
import { requireFreeName } from './create-delete.ts'
import { branchKinds, rulesOf } from './kinds.ts'
import { requireWriting } from './rights.ts'

type Input = ParsedOf<Contract['packages']['revert']>

/**
 * Makes a package whose changes take back what a merge wrote: what the merge made is its base, what was before its content. So main
 * may have gone on since: that is merged as ever. What was purged meanwhile is left out.
 * Errors: `not_found`, `forbidden` without the keys and roles to make these changes, `name_taken`, `slug_taken`; `invalid_state` unless the package is merged, or when main no longer
 * keeps a version from before.
 */
export function revertPackage(
  call: Call,
  { name, description, ...ref }: Input,
): Promise<Serialized<Package>> {
  return withPackage(call, ref, {
    key: 'packages.merge',
    async work(call, scope) {
      const { package: merged, repository } = scope
      requireState(merged, ['merged'], 'only a merge can be taken back')
      requirePermission(call, 'packages.create', { repositoryId: repository.id })
      const record = await call.store.records.get('merge', merged.id)
      const named = name ?? revertName(merged.name)
      requireFreeName(named)
      const stored = await storeNew(
        call,
        newPackage(call, { repositoryId: repository.id, name: named, description, revertOf: merged.id }),
      )
      const branch = { repositoryId: repository.id, packageId: stored.id }
      const changes: MergedChange[] = JSON.parse(record?.changes ?? '[]')
      await takeBack(call, { scope: { repository, package: stored, branch }, changes })
      return serializePackage(stored)
    },
  })
}

/** A name for the package that undoes another: cut between characters, where a name may end. */
function revertName(name: string): string {
  const characters = Array.from(`revert-${name}`)
  while (characters.join('').length > limits.name) characters.pop()
  return characters.join('').trimEnd()
}

interface TakingBack {
  readonly scope: PackageScope
  readonly changes: readonly MergedChange[]
}

async function takeBack(call: WriteCall, { scope, changes }: TakingBack): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const due: Due[] = []
  for (const change of changes) {
    const head = await call.store.entities.get(mainOf(scope).branch, change.kind, change.id)
    if (!head) continue
    const { before, after } = change
    requireWriting(call, head, before === null ? 'delete' : 'update')
    const version = await mainVersion(call.store, { scope, head, version: (before ?? after).version })
    due.push({ change, head, version })
    await yieldToLoop()
  }
  const reserved = await hideMoving(call, { scope, due })
  for (const one of inWritingOrder(due)) {
    await takeBackOne(call, { scope, due: one, previous: reserved.get(one.change.id) ?? one.head })
    await yieldToLoop()
  }
}

/** What goes away first: it may hold an address that another gets back. Of the rest what others refer to. */
function inWritingOrder(due: readonly Due[]): readonly Due[] {
  const rank = ({ change: { kind, before } }: Due) =>
    before === null || before.deleted ? -1 : branchKinds.findIndex((rules) => rules.kind === kind)
  return due.toSorted((a, b) => rank(a) - rank(b))
}

/** A change to be taken back: main's head now, and what it is to say again. */
interface Due {
  readonly change: MergedChange
  readonly head: Entity
  readonly version: EntityVersion | Entity
}

/**
 * Hides what gets another address or unique value back behind a deleted head of the package, so that all can be written one by one,
 * in circles too.
 */
async function hideMoving(
  call: WriteCall,
  { scope, due }: { scope: PackageScope; due: readonly Due[] },
): Promise<ReadonlyMap<string, Entity>> {
  const yieldToLoop = yieldingToLoop()
  const hidden = new Map<string, Entity>()
  for (const { change, head, version } of due) {
    const rules = rulesOf(change.kind)
    const claims = await rules.claims(call, head.type, rules.content(head))
    const again = await rules.claims(call, version.type, rules.content(version))
    if (head.deletedDate !== null || isSame([...claims], [...again])) continue
    const applied = await rules.apply(call, {
      scope,
      previous: head,
      origin: head,
      content: null,
      state: () => ({ deletedDate: call.now }),
      events: [],
      details: {},
    })
    hidden.set(change.id, applied)
    await yieldToLoop()
  }
  return hidden
}

async function takeBackOne(
  call: WriteCall,
  { scope, due, previous }: { scope: PackageScope; due: Due; previous: Entity },
): Promise<void> {
  const { change, head, version } = due
  const { before, after } = change
  const rules = rulesOf(change.kind)
  await rules.apply(call, {
    scope,
    previous,
    origin: { ...head, ...version },
    content: rules.content(version),
    state: (number) => ({
      base: after,
      archived: (before ?? after).archived,
      deletedDate: before === null || before.deleted ? call.now : null,
      ...publishedState({ before, after, head, number }),
    }),
    events: [rules.events.updated],
    details: { revertOf: scope.package.revertOf },
  })
}

/** Errors: `invalid_state` when main forgot the version. */
async function mainVersion(
  store: Transaction,
  { scope, head, version }: { scope: PackageScope; head: Entity; version: number },
): Promise<EntityVersion | Entity> {
  if (head.version === version) return head
  const found = await store.entities.version(mainOf(scope).branch, head, version)
  if (found) return found
  throw new QuireError(
    'invalid_state',
    `Main no longer keeps version ${version} of ${head.id}: the merge cannot be taken back.`,
  )
}

/** What was published before is published again: the package's version where that was the newest, else main's of then. */
function publishedState({
  before,
  after,
  head,
  number,
}: {
  before: Base | null
  after: Base
  head: Entity
  number: number
}): Partial<Entity> {
  const was = before?.publishedVersion ?? null
  if (was === null) return { publishedVersion: null, publishedDate: null }
  const isBack = was !== after.publishedVersion && was === before?.version
  return { publishedVersion: isBack ? number : -was, publishedDate: head.publishedDate }
}
