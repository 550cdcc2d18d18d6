import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { assetIn, type Asset } from '../../content/items/asset.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import type { Entity, EntityReader, EntityRef, Branch } from '../../ports/index.ts'

/** A version of an item with the file that it has. */
export interface HeldFile {
  /** The branch that the head is on. */
  readonly branch: Branch
  readonly head: Entity
  readonly version: number
  readonly asset: Asset
}

// Whole heads that are read at once, some 2 ms.
const headsAtOnce = 100

/**
 * The file of every version of every asset of a repository: on main, on the branch of what is published and in packages that are not deleted; also of assets
 * that are archived or softly deleted. Those of a head come together, its newest first. In memory are some hundred heads at a time.
 */
export async function* heldFiles(
  { store }: Pick<Call, 'store'>,
  repositoryId: string,
): AsyncGenerator<HeldFile> {
  const slot = yieldingToLoop()
  for (const branch of await branchesOf(store, repositoryId)) {
    for await (const head of itemsOn(store.entities, branch)) {
      yield* filesOf(store.entities, branch, head)
      await slot()
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
