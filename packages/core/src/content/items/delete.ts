import type { ContentType, Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { definitionOf } from '../locales/fields.ts'
import { defaultLocaleIn, inCurrentForm } from '../locales/form.ts'
import { forgetTexts } from '../locales/item-text.ts'
import { typeOf } from '../types/find.ts'
import { requireValidContent } from './check.ts'
import { contentOf } from './content.ts'
import type { ItemTarget } from './find.ts'
import { publicationsIn, publishedAs, stateWithLocales } from './publications.ts'
import { serializeHead } from './serialize.ts'
import { holdersOf, impactOf, requireUnreferenced, unsetHolders, withoutMissing } from './holders.ts'
import { setItemState, requireState, writeItem, type Save } from './save.ts'
import type { JobContext } from '../../engine/job.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { DeletedRef, Branch, Entity, StoreReader } from '../../ports/index.ts'

type Delete = Contract['items']['delete']

/**
 * Soft-deletes an item and removes references to it from `unset` fields. With `dryRun` the answer
 * lists what would happen to the items that refer to it, even if one of them prevents the deletion.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `referenced`, with the references, if a
 * `restrict` field refers to it.
 */
export async function deleteItem(
  call: WriteCall,
  { dryRun }: ParsedOf<Delete>,
  { scope, item: previous }: ItemTarget,
): Promise<OutputOf<Delete>> {
  const holders = await holdersOf(call.store, scope.branch, [previous.id])
  const isHeld = holders.some(({ onDelete }) => onDelete === 'restrict')
  const deleted = async () => (await serializeHead(call, scope.branch, previous)).value()
  // A dry run reports all references, not only those that prevent the deletion.
  if (isHeld && dryRun === true)
    return { deleted: await deleted(), wouldFail: true, ...impactOf(call, holders) }
  requireUnreferenced(call, holders)
  await unsetHolders(call, { scope, holders, event: 'ITEM_UPDATED' })
  const state = { ...(await namedPublications(call, previous)), deletedDate: call.now }
  await setItemState(call, { scope, previous, event: 'ITEM_DELETED', state })
  if (dryRun !== true) return undefined
  return { deleted: await deleted(), wouldFail: false, ...impactOf(call, holders) }
}

/** Where an item of main is public, for when it is undeleted after locales were added. */
async function namedPublications(call: Call, item: Entity): Promise<Partial<Entity>> {
  const { locales } = definitionOf(await typeOf(call, item)) ?? {}
  if (!locales || item.packageId !== null || item.publishedVersion === null) return {}
  return publishedAs(publicationsIn(item, locales))
}

/**
 * Restores a deleted item. If its folder is deleted it is restored to the top level; deleted
 * categories are removed from it.
 * Errors: `not_found` if it was purged or never existed; `invalid_state` if it is not deleted;
 * `slug_taken` and `value_taken` if another item has taken its slug or a unique value; `invalid` if
 * its values no longer fit the content type.
 */
export async function undeleteItem(
  call: WriteCall,
  _input: ParsedOf<Contract['items']['undelete']>,
  { scope, item: previous }: ItemTarget,
): Promise<Serialized<Item>> {
  requireState(previous.deletedDate !== null, 'The item is not deleted.')
  const type = await typeOf(call, previous)
  // The locales, or the fields that are localized, can have changed since.
  const current = inCurrentForm(type, previous)
  const content = contentOf(current)
  await requireValidContent(call.store, { branch: scope.branch, type, content, id: previous.id, previous })
  const changed = await setItemState(call, {
    scope,
    previous: current,
    event: 'ITEM_UNDELETED',
    state: { ...stateSinceDeletion(previous, type), deletedDate: null },
  })
  const left = await withoutMissing(call.store.entities, scope.branch, content)
  if (left === content && current === previous) return serializeHead(call, scope.branch, changed)
  const again: Save = {
    scope,
    type,
    previous: changed,
    content: left,
    event: 'ITEM_UPDATED',
    isMigrated: current !== previous,
  }
  return serializeHead(call, scope.branch, await writeItem(call, again))
}

/**
 * The state of a deleted item in the locales that there are now. What was published everywhere then is
 * named by `deleteItem`, since locales can have been added meanwhile.
 */
function stateSinceDeletion(item: Entity, type: ContentType): Partial<Entity> {
  const { locales } = definitionOf(type) ?? {}
  const [first = null, ...others] = Object.keys(item.publications ?? {})
  if (first === null) return defaultLocaleIn(item) === null ? stateWithLocales(item, undefined, locales) : {}
  const list = [first, ...others].map((code) => ({ code }))
  const was = { default: defaultLocaleIn(item) ?? first, list }
  const isThere = list.every(({ code }) => locales?.list.some((locale) => locale.code === code))
  return isThere ? {} : stateWithLocales(item, was, locales)
}

/** The result of a purge. */
interface PurgeResult {
  readonly purged: number
  /**
   * Number of entities that were due but are still needed: by an open package, or as a deletion
   * that a package contains.
   */
  readonly stored: number
}

// Entities that one transaction purges, which takes about 20 ms. Each may have many rows of
// versions.
const batchSize = 100

/**
 * Permanently removes everything on branches that was soft-deleted before a time (Unix ms), with
 * all versions: items, folders, taxonomies, categories and so on. Keeps what a package still needs,
 * and the journal.
 */
export async function purgeDeleted(
  call: Call,
  { before, signal, progress }: Pick<JobContext, 'signal' | 'progress'> & { before: number },
): Promise<PurgeResult> {
  let [purged, stored] = [0, 0]
  let after: DeletedRef | undefined
  for (;;) {
    signal.throwIfAborted()
    const page = { before, limit: batchSize, ...(after && { after }) }
    const refs = await call.store.entities.deletedBefore(page)
    const count = await purgeSome(call, refs, before)
    if (count > 0) await forgetTexts(call)
    purged += count
    stored += refs.length - count
    progress({ done: purged + stored, total: 0, message: 'deleted content' })
    after = refs.at(-1)
    if (refs.length < batchSize) return { purged, stored }
  }
}

/**
 * Checks before the transaction and again inside it, because someone may undelete an entity or
 * change it in a package meanwhile.
 */
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

/** Those refs that are still deleted and that no package needs. */
async function purgeable(
  store: StoreReader,
  refs: readonly DeletedRef[],
  before: number,
): Promise<readonly DeletedRef[]> {
  const free: DeletedRef[] = []
  for (const group of groupsOf(refs)) {
    const heads = await store.entities.getMany(group, group.kind, group.ids)
    const holders = group.packageId === null ? heldOnMain : heldInPackage
    const held = await holders(store, group, heads)
    const deleted = stillDeleted(group, heads, before)
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

function stillDeleted(group: Group, heads: readonly Entity[], before: number): ReadonlySet<string> {
  const deleted = heads.filter(
    ({ packageId, deletedDate }) =>
      packageId === group.packageId && deletedDate !== null && deletedDate < before,
  )
  return new Set(deleted.map(({ id }) => id))
}

/**
 * The ids that an open package has changed: a merge of that package needs main's head as one side
 * and its versions as the base. Merged and deleted packages do not merge again, and a revert of one
 * leaves out what no longer exists. But main's read roles also limit who may read the version of a
 * merged package.
 */
async function heldOnMain(
  { entities, records }: StoreReader,
  { repositoryId, kind, ids }: Group,
  heads: readonly Entity[],
): Promise<ReadonlySet<string>> {
  const packages = await records.list('package')
  const limited = heads.filter(({ roles }) => roles.read.length > 0).map(({ id }) => id)
  const held = new Set<string>()
  for (const { id: packageId, repositoryId: owner, state } of packages) {
    const needed = state === 'merged' ? limited : ids
    if (owner !== repositoryId || state === 'deleted' || needed.length === 0) continue
    for (const head of await entities.getMany({ repositoryId, packageId }, kind, needed))
      if (head.packageId === packageId) held.add(head.id)
  }
  return held
}

/**
 * The ids whose deletion is a change of main. The package can drop what it created and deleted
 * itself.
 */
async function heldInPackage(
  { entities }: StoreReader,
  { repositoryId, kind, ids }: Group,
  heads: readonly Entity[],
): Promise<ReadonlySet<string>> {
  const onMain = await entities.getMany({ repositoryId, packageId: null }, kind, ids)
  const based = heads.filter(({ base }) => base !== null)
  return new Set([...based, ...onMain].map(({ id }) => id))
}
