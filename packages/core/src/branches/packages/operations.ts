import {
  type Contract,
  type OutputOf,
  type Package,
  type ParsedOf,
  limits,
  type PackageDifference,
  QuireError,
  type PackageChange,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { pageOf, badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { findRepository, baseOf, requireOpen } from '../../engine/scope.ts'
import {
  openPackage,
  serializePackage,
  packageEvent,
  storeChanged,
  withPackage,
  type PackageScope,
} from './record.ts'
import { changesBetween } from '../../content/merge/changes.ts'
import { serializeChange } from './change.ts'
import { ownPages, sidesOfAll, type ChangeSides } from './sides.ts'
import { mayReadBase, mayReadHead, namedHolders, requireWriting } from './rights.ts'
import { rulesOf } from './kinds.ts'
import {
  type EntityRef,
  type OwnHead,
  entityKinds,
  type Entity,
  type EntityReader,
  type Branch,
} from '../../ports/index.ts'

type Group = Contract['packages']

/** The packages of a repository by id, deleted ones only when asked for. Errors: `not_found`, `forbidden`. */
async function listPackages(
  call: Call,
  { repo, state, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, repo)
  requirePermission(call, 'packages.view', { repositoryId })
  const all = await call.store.records.list('package')
  const wanted = all.filter(
    (found) =>
      found.repositoryId === repositoryId &&
      (state === undefined ? found.state !== 'deleted' : found.state === state),
  )
  const { items, ...rest } = pageOf(wanted, page)
  return { ...rest, items: items.map(plainRecord) }
}

/** One package. Errors: `not_found`. */
async function getPackage(call: Call, ref: ParsedOf<Group['get']>): Promise<Serialized<Package>> {
  const { package: found } = await openPackage(call, ref, 'packages.view')
  return serializePackage(found)
}

/** Changes the description. Errors: `not_found`, `forbidden`, `precondition_failed`. */
function updatePackage(
  call: Call,
  { description, ...ref }: ParsedOf<Contract['packages']['update']>,
): Promise<Serialized<Package>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, { package: found }) {
      if (description === undefined || description === found.description) return serializePackage(found)
      const stored = await storeChanged(call, { ...found, description })
      await call.record(packageEvent(call, 'PACKAGE_UPDATED', { about: stored }))
      return serializePackage(stored)
    },
  })
}

type ChangesInput = ParsedOf<Group['changes']>

/** What a package does, entity by entity, as far as the caller may read it. Errors: `not_found`, `forbidden`, `invalid`. */
async function listChanges(call: Call, input: ChangesInput): Promise<OutputOf<Group['changes']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map(serializeChange) }
}

/** The same with what differs from the base, field by field. */
async function diffPackage(call: Call, input: ChangesInput): Promise<OutputOf<Group['diff']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map((sides) => serializeDifference(call, sides)) }
}

/** What the caller may not read of the base is as if it had said nothing. */
function serializeDifference(call: Call, sides: ChangeSides): PackageDifference {
  const { ours } = sides
  const base = mayReadBase(call, sides) ? sides.base : null
  return { ...serializeChange(sides), changes: changesBetween(base?.content ?? {}, ours.content) }
}

interface ChangesPage {
  readonly count?: number
  readonly changes: readonly ChangeSides[]
  readonly nextCursor?: string
}

async function changesPage(
  call: Call,
  { limit = limits.pageDefault, cursor, skipCount, ...ref }: ChangesInput,
): Promise<ChangesPage> {
  const scope = await openPackage(call, ref, 'packages.diff.view')
  const after = cursor === undefined ? null : scopeAfter(cursor)
  const readable: OwnHead[] = []
  let count = 0
  for await (const page of ownPages(call.store.entities, scope.branch)) {
    for (const head of page.filter((found) => mayReadHead(call, found))) {
      count += 1
      if (readable.length <= limit && isAfter(head, after)) readable.push(head)
    }
    if (skipCount === true && readable.length > limit) break
  }
  const visible = readable.slice(0, limit)
  const last = readable.length > limit ? visible.at(-1) : undefined
  return {
    ...(skipCount !== true && { count }),
    changes: await sidesOfAll(call.store.entities, scope, visible),
    ...(last && { nextCursor: encodeCursor([last.kind, last.id]) }),
  }
}

function scopeAfter(cursor: string): Pick<EntityRef, 'id'> & { kind: string } {
  const value = decodeCursor(cursor)
  const [kind, id]: unknown[] = Array.isArray(value) ? value : []
  if (typeof kind !== 'string' || typeof id !== 'string') throw badCursor()
  return { kind, id }
}

function isAfter({ kind, id }: OwnHead, after: { kind: string; id: string } | null): boolean {
  if (!after) return true
  return kind === after.kind ? id > after.id : kind > after.kind
}

type AddItemInput = ParsedOf<Contract['packages']['addItem']>

/** Takes an item along untouched: from now on the package shows it as it is now. Errors: `not_found`, `forbidden`, `invalid_state`. */
export function addItem(call: Call, { id, ...ref }: AddItemInput): Promise<PackageChange> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requireOpen(scope.package)
      const head = await call.store.entities.get(scope.branch, 'item', id)
      if (!head || head.deletedDate !== null || !mayReadHead(call, head))
        throw new QuireError('not_found', 'There is no such item that you may read.')
      if (head.packageId === null) {
        await rulesOf('item').apply(call, {
          scope,
          previous: head,
          origin: head,
          content: null,
          state: () => ({ base: baseOf(head) }),
          events: [],
          details: {},
        })
        await call.record(
          packageEvent(call, 'PACKAGE_ITEM_ADDED', { about: scope.package, details: { item: id } }),
        )
      }
      const [change] = await sidesOfAll(call.store.entities, scope, [{ kind: 'item', id }])
      if (!change) throw new TypeError(`The item ${id} was not taken in.`)
      return serializeChange(change)
    },
  })
}

export { listConflicts as conflicts } from './conflicts.ts'
export { createPackage as create } from './create-delete.ts'
export { deletePackage as delete } from './create-delete.ts'
export { mergeNowOrLater as merge } from './schedule-merge.ts'
export { diffPages as pageDiff, showPageDiff } from './page-diff/operations.ts'
export { removeChange }
export { revertPackage as revert } from './revert.ts'
export { syncPackage as sync } from './sync.ts'

export {
  diffPackage as diff,
  listChanges as changes,
  getPackage as get,
  listPackages as list,
  updatePackage as update,
}

type Remove = Contract['packages']['removeChange']

/**
 * Drops what a package does to one entity: it then shows it as main has it.
 * Errors: `not_found`, `forbidden`, `invalid_state`; `referenced` when the package made it and something in it refers to
 * it; `slug_taken`, `value_taken` when another of the package has what main gives it.
 */
function removeChange(call: Call, { entityId, dryRun, ...ref }: ParsedOf<Remove>): Promise<OutputOf<Remove>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requireOpen(scope.package)
      const head = await ownHead(call.store.entities, scope.branch, entityId)
      if (!head || !mayReadHead(call, head))
        throw new QuireError('not_found', `The package holds no change of "${entityId}" that you may read.`)
      requireWriting(call, head, head.base === null ? 'delete' : 'update')
      if (head.base === null && head.deletedDate === null) await requireUnheld(call, scope.branch, head)
      const [change] = await sidesOfAll(call.store.entities, scope, [head])
      if (change) await requireUnclaimed(call, scope, change)
      await call.store.entities.purge(scope.branch, head)
      await rulesOf(head.kind).uncover(call.store, scope.branch)
      await call.record(
        packageEvent(call, 'PACKAGE_CHANGE_REMOVED', {
          about: scope.package,
          details: { entity: entityId },
        }),
      )
      return dryRun === true && change ? serializeChange(change) : undefined
    },
  })
}

/** The head of an id of any kind that the branch itself holds. */
async function ownHead(entities: EntityReader, branch: Branch, id: string): Promise<Entity | null> {
  for (const kind of entityKinds) {
    const head = await entities.get(branch, kind, id)
    if (head && head.packageId === branch.packageId) return head
  }
  return null
}

/** What main shows again must not meet another of the package. Errors: `slug_taken`, `value_taken`. */
async function requireUnclaimed(
  call: Call,
  scope: PackageScope,
  { rules, head, mainHead }: ChangeSides,
): Promise<void> {
  if (!mainHead || mainHead.deletedDate !== null) return
  const { kind, id, slug, type } = mainHead
  const holder = slug === null ? null : await call.store.entities.getBySlug(scope.branch, kind, slug)
  if (holder && holder.id !== head.id)
    throw new QuireError('slug_taken', `Another of the package has the slug "${slug}" of main.`)
  const [inUse] = await rules.inUse(call, { scope, id, type, content: rules.content(mainHead) })
  if (!inUse) return
  const message = `Another of the package has main's value of ${inUse.path}.`
  throw new QuireError('value_taken', message, { details: { path: inUse.path } })
}

/** Errors: `referenced`. */
async function requireUnheld(call: Call, branch: Branch, { id }: Entity): Promise<void> {
  const edges = await call.store.entities.incoming(branch, id, 100)
  const holders = edges.filter(({ source }) => source.id !== id)
  if (holders.length === 0) return
  const named = namedHolders(call, holders)
  throw new QuireError('referenced', 'Others in the package refer to what it created: change those first.', {
    details: { count: named.length, holders: named },
  })
}
