import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findScope } from '../../engine/scope.ts'
import { typeOf } from '../types/find.ts'
import { requireSoundContent } from './check.ts'
import { contentOf } from './content.ts'
import { findItem, mayRead, noSuchItem, requireOnItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { holdersOf, impactOf, requireUnheld, unsetHolders, withoutGone } from './holders.ts'
import { setItemState, requireState, writeItem, type Save } from './save.ts'
import type { JobContext } from '../../engine/job.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { DeletedRef, Branch, StoreReader } from '../../ports/index.ts'

type Delete = Contract['items']['delete']

/**
 * Deletes an item softly; values that refer to it through `unset` fields go with it. With `dryRun` it answers what that would do to the
 * items that refer to it, also where one of them refuses it.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `referenced` with the holders when a `restrict` field refers to it.
 */
export async function deleteItem(call: Call, input: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key: 'items.delete', branch: scope.branch, roles: 'delete' })
    const holders = await holdersOf(call.store, scope.branch, [previous.id])
    const isHeld = holders.some(({ onDelete }) => onDelete === 'restrict')
    const deleted = async () => (await serializeHead(call, scope.branch, previous)).value()
    // Who asks beforehand is told everything at once, not what refuses it alone.
    if (isHeld && input.dryRun === true)
      return { deleted: await deleted(), wouldFail: true, ...impactOf(call, holders) }
    requireUnheld(call, holders)
    await unsetHolders(call, { scope, holders, event: 'ITEM_UPDATED' })
    await setItemState(call, { scope, previous, event: 'ITEM_DELETED', state: { deletedDate: call.now } })
    if (input.dryRun !== true) return undefined
    return { deleted: await deleted(), wouldFail: false, ...impactOf(call, holders) }
  })
}

/**
 * Brings a deleted item back as it was; at the top where its folder is gone, and without the categories that are. Errors: `not_found` when it is purged or was never there; `invalid_state` when it is not
 * deleted; `slug_taken` and `value_taken` when its slug or a unique value went to another meanwhile; `invalid` when its values no longer
 * fit the content type.
 */
export async function undeleteItem(
  call: Call,
  input: ParsedOf<Contract['items']['undelete']>,
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await call.store.entities.get(scope.branch, 'item', input.id)
    if (!previous || !mayRead(call, previous)) throw noSuchItem()
    requireOnItem(call, previous, { key: 'items.delete', branch: scope.branch, roles: 'delete' })
    requireState(previous.deletedDate !== null, 'The item is not deleted.')
    const type = await typeOf(call, previous)
    const content = contentOf(previous)
    await requireSoundContent(call.store, { branch: scope.branch, type, content, id: previous.id, previous })
    const changed = await setItemState(call, {
      scope,
      previous,
      event: 'ITEM_UNDELETED',
      state: { deletedDate: null },
    })
    const left = await withoutGone(call.store.entities, scope.branch, content)
    if (left === content) return serializeHead(call, scope.branch, changed)
    const again: Save = { scope, type, previous: changed, content: left, event: 'ITEM_UPDATED' }
    return serializeHead(call, scope.branch, await writeItem(call, again))
  })
}

/** What a purge did. */
interface Purged {
  readonly purged: number
  /** Long deleted, and still needed: by a package that is not merged, or as what a package changes. */
  readonly stored: number
}

// Entities that one transaction purges, some 20 ms: with their versions they may be many rows each.
const atOnce = 100

/**
 * Removes for good, with every version, what was softly deleted before a time (Unix ms): items, folders, taxonomies, categories and what else is kept on
 * branches. What a package needs stays. The journal stays as well.
 */
export async function purgeDeleted(
  call: Call,
  { before, signal, progress }: Pick<JobContext, 'signal' | 'progress'> & { before: number },
): Promise<Purged> {
  let [purged, stored] = [0, 0]
  let after: DeletedRef | undefined
  for (;;) {
    signal.throwIfAborted()
    const page = { before, limit: atOnce, ...(after && { after }) }
    const refs = await call.store.entities.deletedBefore(page)
    const count = await purgeSome(call, refs, before)
    purged += count
    stored += refs.length - count
    progress({ done: purged + stored, total: 0, message: 'deleted things' })
    after = refs.at(-1)
    if (refs.length < atOnce) return { purged, stored }
  }
}

/** Looks before the transaction and again in it: somebody may undelete one meanwhile, or take one into a package. */
async function purgeSome(call: Call, refs: readonly DeletedRef[], before: number): Promise<number> {
  const due = await purgeable(call.store, refs, before)
  if (due.length === 0) return 0
  return call.write(async (call) => {
    const yieldToLoop = yieldingToLoop()
    const still = await purgeable(call.store, due, before)
    for (const ref of still) {
      await call.store.entities.purge(ref, ref)
      await yieldToLoop()
    }
    return still.length
  })
}

/** Those that nobody needs. */
async function purgeable(
  store: StoreReader,
  refs: readonly DeletedRef[],
  before: number,
): Promise<readonly DeletedRef[]> {
  const free: DeletedRef[] = []
  for (const group of groupsOf(refs)) {
    const held = group.packageId === null ? await heldOnMain(store, group) : await heldInPackage(store, group)
    const deleted = await deletedStill(store, group, before)
    free.push(...group.refs.filter(({ id }) => deleted.has(id) && !held.has(id)))
  }
  return free
}

/** Deleted heads of one kind on one branch. */
interface Group extends Branch {
  readonly kind: DeletedRef['kind']
  readonly refs: readonly DeletedRef[]
  readonly ids: readonly string[]
}

function groupsOf(refs: readonly DeletedRef[]): readonly Group[] {
  const groups = Map.groupBy(
    refs,
    ({ repositoryId, packageId, kind }) => `${repositoryId} ${packageId} ${kind}`,
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { repositoryId, packageId, kind } = first
    return [{ repositoryId, packageId, kind, refs: group, ids: group.map(({ id }) => id) }]
  })
}

async function deletedStill(
  { entities }: StoreReader,
  { kind, ids, ...branch }: Group,
  before: number,
): Promise<ReadonlySet<string>> {
  const heads = await entities.getMany(branch, kind, ids)
  const deleted = heads.filter(
    ({ packageId, deletedDate }) =>
      packageId === branch.packageId && deletedDate !== null && deletedDate < before,
  )
  return new Set(deleted.map(({ id }) => id))
}

/**
 * Those that a package took in which may still be merged: main's head is one side of that merge, and its versions are the base of it. What was merged, or
 * deleted, merges no more; a revert of it leaves out what is gone.
 */
async function heldOnMain(
  { entities, records }: StoreReader,
  { repositoryId, kind, ids }: Group,
): Promise<ReadonlySet<string>> {
  const packages = await records.list('package')
  const held = new Set<string>()
  for (const { id: packageId, repositoryId: owner, state } of packages) {
    if (owner !== repositoryId || state === 'merged' || state === 'deleted') continue
    for (const head of await entities.getMany({ repositoryId, packageId }, kind, ids))
      if (head.packageId === packageId) held.add(head.id)
  }
  return held
}

/** Those that say something about main: that it is deleted is what the package changes. What it made itself and deleted again says nothing. */
async function heldInPackage(
  { entities }: StoreReader,
  { repositoryId, packageId, kind, ids }: Group,
): Promise<ReadonlySet<string>> {
  const heads = await entities.getMany({ repositoryId, packageId }, kind, ids)
  const onMain = await entities.getMany({ repositoryId, packageId: null }, kind, ids)
  const based = heads.filter(({ base }) => base !== null)
  return new Set([...based, ...onMain].map(({ id }) => id))
}
