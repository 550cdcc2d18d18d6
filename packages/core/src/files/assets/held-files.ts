import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { assetIn, type Asset } from '../../content/items/asset.ts'
import { wholeOwnHeadsOf } from '../../content/kinds/heads.ts'
import { publishedBranches } from '../../content/items/publications.ts'
import type { Entity, EntityReader, Branch } from '../../ports/index.ts'

/** A version of an item with its file. */
export interface HeldFile {
  /** The branch that holds the head. */
  readonly branch: Branch
  readonly head: Entity
  readonly version: number
  readonly asset: Asset
}

// Versions read at a time.
const versionsAtOnce = 100

/**
 * The file of every version of every asset of a repository: on main, on the branches of the published
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
    for await (const head of wholeOwnHeadsOf(store.entities, branch, 'item')) {
      yield* filesOf(store.entities, branch, head)
      await yieldToLoop()
    }
  }
}

async function branchesOf({ records }: Call['store'], repositoryId: string): Promise<readonly Branch[]> {
  const packages = await records.list('package')
  const repository = await records.get('repository', repositoryId)
  const living = packages.filter((found) => found.repositoryId === repositoryId && found.state !== 'deleted')
  return [
    { repositoryId, packageId: null },
    ...(repository ? publishedBranches(repository) : []),
    ...living.map(({ id: packageId }) => ({ repositoryId, packageId })),
  ]
}

async function* filesOf(entities: EntityReader, branch: Branch, head: Entity): AsyncGenerator<HeldFile> {
  const asset = assetIn(head.body)
  if (!asset) return
  yield { branch, head, version: head.version, asset }
  for (let before = head.version; before > 1;) {
    const versions = await entities.versions(branch, head, { before, limit: versionsAtOnce })
    for (const { version, body } of versions) {
      const old = assetIn(body)
      if (old) yield { branch, head, version, asset: old }
    }
    before = versions.length < versionsAtOnce ? 1 : (versions.at(-1)?.version ?? 1)
  }
}
