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
import { findRepository, baseOf, requireOpen } from '../../engine/scope.ts'
import {
  openPackage,
  packageJson,
  serializePackage,
  packageEvent,
  storeChanged,
  withPackage,
  type PackageScope,
} from './record.ts'
import { withoutStamps } from '../../content/items/content.ts'
import { changesBetween } from '../../content/merge/changes.ts'
import { serializeChange } from './change.ts'
import { ownHead, ownPages, sidesOfAll, type ChangeSides } from './sides.ts'
import { mayReadBase, mayReadHead, namedHolders, requireOwnWork, requireWriting } from './rights.ts'
import { branchRulesOf } from './kinds.ts'
import type { OwnHead, Entity, Branch, Stored } from '../../ports/index.ts'

type Group = Contract['packages']

/**
 * Lists the packages of a repository by id. Deleted packages are listed only with `state:
 * 'deleted'`.
 * Errors: `not_found`, `forbidden`.
 */
async function listPackages(
  call: Call,
  { repo, state, review, agent, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, repo)
  requirePermission(call, 'packages.view', { repositoryId })
  const all = await call.store.records.list('package')
  const wanted = all.filter(
    (found) =>
      found.repositoryId === repositoryId &&
      (state === undefined ? found.state !== 'deleted' : found.state === state) &&
      (review === undefined || found.review?.state === review) &&
      (agent === undefined || isOfAgent(found, agent)),
  )
  const { items, ...rest } = pageOf(wanted, page)
  return { ...rest, items: items.map(packageJson) }
}

/** Whether an agent created it; `*`: any. */
function isOfAgent({ agent }: Stored<'package'>, id: string): boolean {
  return agent ? id === '*' || agent.id === id : false
}

/** Returns one package. Errors: `not_found`. */
async function getPackage(call: Call, ref: ParsedOf<Group['get']>): Promise<Serialized<Package>> {
  const { package: found } = await openPackage(call, ref, 'packages.view')
  return serializePackage(found)
}

/**
 * Changes the description of a package. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
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

/**
 * Lists the changes of a package that the caller may read, one per entity.
 * Errors: `not_found`, `forbidden`, `invalid`.
 */
async function listChanges(call: Call, input: ChangesInput): Promise<OutputOf<Group['changes']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map(serializeChange) }
}

/**
 * Lists the changes like `listChanges`, each with its differences from the base, field by field.
 */
async function diffPackage(call: Call, input: ChangesInput): Promise<OutputOf<Group['diff']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map((sides) => serializeDifference(call, sides)) }
}

/** Treats a base that the caller may not read as empty. */
function serializeDifference(call: Call, sides: ChangeSides): PackageDifference {
  const { ours } = sides
  const base = mayReadBase(call, sides) ? sides.base : null
  return {
    ...serializeChange(sides),
    changes: changesBetween(withoutStamps(base?.content ?? {}), withoutStamps(ours.content)),
  }
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
  const after = cursor === undefined ? null : decodePosition(cursor)
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

/** Kind and id of the last entity on the previous page. */
interface Position {
  readonly kind: string
  readonly id: string
}

function decodePosition(cursor: string): Position {
  const value = decodeCursor(cursor)
  const [kind, id]: unknown[] = Array.isArray(value) ? value : []
  if (typeof kind !== 'string' || typeof id !== 'string') throw badCursor()
  return { kind, id }
}

function isAfter({ kind, id }: OwnHead, after: Position | null): boolean {
  if (!after) return true
  return kind === after.kind ? id > after.id : kind > after.kind
}

type AddItemInput = ParsedOf<Contract['packages']['addItem']>

/**
 * Adds an unchanged item to a package: the package keeps the item's current state from now on.
 * Errors: `not_found`, `forbidden`, `invalid_state`.
 */
export function addItem(call: Call, { id, ...ref }: AddItemInput): Promise<PackageChange> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requireOpen(scope.package)
      const head = await call.store.entities.get(scope.branch, 'item', id)
      if (!head || head.deletedDate !== null || !mayReadHead(call, head))
        throw new QuireError('not_found', 'The item does not exist, or you may not read it.')
      if (head.packageId === null) {
        await branchRulesOf('item').apply(call, {
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
      if (!change) throw new TypeError(`The item ${id} was not added to the package.`)
      return serializeChange(change)
    },
  })
}

export { addComment, listComments as comments, updateComment } from './comments/operations.ts'
export { listConflicts as conflicts } from './conflicts.ts'
export { createPackage as create } from './create-delete.ts'
export { deletePackage as delete } from './create-delete.ts'
export { mergeNowOrLater as merge } from './merge.ts'
export { diffPages as pageDiff, showPageDiff } from './page-diff/operations.ts'
export { removeChange }
export { revertPackage as revert } from './revert.ts'
export { addShareLink, removeShareLink, listShareLinks as shareLinks } from './share-links/operations.ts'
export { showShared as shared } from './share-links/show.ts'
export { syncPackage as sync } from './sync.ts'
export { takeBack } from './take-back.ts'

export {
  diffPackage as diff,
  listChanges as changes,
  getPackage as get,
  listPackages as list,
  updatePackage as update,
}

type Remove = Contract['packages']['removeChange']

/**
 * Removes the change to one entity from a package. The package then shows the entity as it is on
 * main.
 * Errors: `not_found`, `forbidden`, `invalid_state`; `referenced` when the package created the
 * entity and another entity in the package refers to it; `slug_taken`, `value_taken` when another
 * entity in the package uses the slug or a unique value that the entity has on main.
 */
function removeChange(call: Call, { entityId, dryRun, ...ref }: ParsedOf<Remove>): Promise<OutputOf<Remove>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requireOpen(scope.package)
      requireOwnWork(call, scope.package)
      const head = await ownHead(call.store.entities, scope.branch, entityId)
      if (!head || !mayReadHead(call, head))
        throw new QuireError(
          'not_found',
          `The package contains no change to "${entityId}" that you may read.`,
        )
      requireWriting(call, head, head.base === null ? 'delete' : 'update')
      if (head.base === null && head.deletedDate === null) await requireUnreferenced(call, scope.branch, head)
      const [change] = await sidesOfAll(call.store.entities, scope, [head])
      if (change) await requireUnclaimed(call, scope, change)
      await call.store.entities.purge(scope.branch, head)
      await branchRulesOf(head.kind).forgetName(call.store, scope.branch)
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

/**
 * Checks that main's slug and unique values, which become visible again, are not in use in the
 * package.
 * Errors: `slug_taken`, `value_taken`.
 */
async function requireUnclaimed(
  call: Call,
  scope: PackageScope,
  { rules, head, mainHead }: ChangeSides,
): Promise<void> {
  if (!mainHead || mainHead.deletedDate !== null) return
  const { kind, id, slug, type } = mainHead
  const holder = slug === null ? null : await call.store.entities.getBySlug(scope.branch, { kind, slug })
  if (holder && holder.id !== head.id)
    throw new QuireError(
      'slug_taken',
      `Another entity in the package uses the slug "${slug}" that main gives this one.`,
    )
  const [inUse] = await rules.inUse(call, { scope, id, type, content: rules.content(mainHead) })
  if (!inUse) return
  const message = `Another entity in the package uses main's value of ${inUse.path}.`
  throw new QuireError('value_taken', message, { details: { path: inUse.path } })
}

/** Errors: `referenced` when another entity in the package refers to this one. */
async function requireUnreferenced(call: Call, branch: Branch, { id }: Entity): Promise<void> {
  const edges = await call.store.entities.incoming(branch, id, 100)
  const holders = edges.filter(({ source }) => source.id !== id)
  if (holders.length === 0) return
  const named = namedHolders(call, holders)
  throw new QuireError('referenced', 'Other entities in the package refer to this one: change them first.', {
    details: { count: named.length, holders: named },
  })
}
