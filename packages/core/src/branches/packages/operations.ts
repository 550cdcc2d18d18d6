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
import { openPackage, serializePackage, packageEvent, storeChanged, withPackage } from './record.ts'
import { changesBetween } from '../../content/merge/changes.ts'
import type { EntityRef, OwnHead } from '../../ports/index.ts'
import { serializeChange } from './change.ts'
import { ownPages } from './own-heads.ts'
import { mayReadBase, mayReadHead } from './rights.ts'
import { sidesOfAll, type ChangeSides } from './sides.ts'
import { rulesOf } from './kinds.ts'

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
export { createPackage as create } from './create.ts'
export { deletePackage as delete } from './delete.ts'
export { mergeNowOrLater as merge } from './schedule-merge.ts'
export { diffPages as pageDiff, showPageDiff } from './page-diff/operations.ts'
export { removeChange } from './remove-change.ts'
export { revertPackage as revert } from './revert.ts'
export { syncPackage as sync } from './sync.ts'

export {
  diffPackage as diff,
  listChanges as changes,
  getPackage as get,
  listPackages as list,
  updatePackage as update,
}
