import type { Call } from '../../engine/call.ts'
import type { JobContext } from '../../engine/job-handler.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { DeletedRef, Branch, StoreReader } from '../../ports/index.ts'

/** What a purge did. */
export interface Purged {
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
