import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { assetIn, type Asset } from '../../content/items/asset.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import type { Entity, EntityReader, EntityRef, Branch } from '../../ports/index.ts'

/** A version of an item with its file. */
export interface HeldFile {
  /** The branch that holds the head. */
  readonly branch: Branch
  readonly head: Entity
  readonly version: number
  readonly asset: Asset
}

// Whole heads read at a time, which takes about 2 ms.
const headsAtOnce = 100

/**
 * The file of every version of every asset of a repository: on main, on the branch of the published
 * state, and in packages that are not deleted, including archived and soft-deleted assets. The
 * files of a head are returned together, newest first. About a hundred heads are in memory at a
 * time.
 */
export async function* heldFiles(
  { store }: Pick<Call, 'store'>,
  repositoryId: string,
): AsyncGenerator<HeldFile> {
  const yieldToLoop = yieldingToLoop()
  for (const branch of await branchesOf(store, repositoryId)) {
    for await (const head of itemsOn(store.entities, branch)) {
      yield* filesOf(store.entities, branch, head)
      await yieldToLoop()
    }
  }
}

async function branchesOf({ records }: Call['store'], repositoryId: string): Promise<readonly Branch[]> {
  const packages = await records.list('package')
  const living = packages.filter((found) => found.repositoryId === repositoryId && found.state !== 'deleted')
  return [
    { repositoryId, packageId: null },
    publishedBranch(repositoryId),
    ...living.map(({ id: packageId }) => ({ repositoryId, packageId })),
  ]
}

/** The heads of items that exactly this branch holds. */
async function* itemsOn(entities: EntityReader, branch: Branch): AsyncGenerator<Entity> {
  for (let after: EntityRef | undefined = { kind: 'item', id: '' }; after;) {
    const page = await entities.ownHeads(branch, { after, limit: headsAtOnce })
    const ids = page.filter(({ kind }) => kind === 'item').map(({ id }) => id)
    yield* await entities.getMany(branch, 'item', ids)
    after = ids.length < headsAtOnce ? undefined : page.at(-1)
  }
}

async function* filesOf(entities: EntityReader, branch: Branch, head: Entity): AsyncGenerator<HeldFile> {
  const asset = assetIn(head.body)
  if (!asset) return
  yield { branch, head, version: head.version, asset }
  for (let before = head.version; before > 1;) {
    const versions = await entities.versions(branch, head, { before, limit: headsAtOnce })
    for (const { version, body } of versions) {
      const old = assetIn(body)
      if (old) yield { branch, head, version, asset: old }
    }
    before = versions.length < headsAtOnce ? 1 : (versions.at(-1)?.version ?? 1)
  }
}
