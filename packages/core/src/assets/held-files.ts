import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { assetIn, type Asset } from '../items/asset.ts'
import { publishedLine } from '../items/published-line.ts'
import type { Entity, EntityReader, EntityRef, Line } from '../ports/index.ts'

/** A version of an item with the file that it has. */
export interface HeldFile {
  /** The line that the head is on. */
  readonly line: Line
  readonly head: Entity
  readonly version: number
  readonly asset: Asset
}

// Whole heads that are read at once, some 2 ms.
const headsAtOnce = 100

/**
 * The file of every version of every asset of a repository: on main, on the line of what is published and in packages that are not deleted; also of assets
 * that are archived or softly deleted. Those of a head come together, its newest first. In memory are some hundred heads at a time.
 */
export async function* heldFiles(
  { store }: Pick<Call, 'store'>,
  repositoryId: string,
): AsyncGenerator<HeldFile> {
  const turn = takingTurns()
  for (const line of await linesOf(store, repositoryId)) {
    for await (const head of itemsOn(store.entities, line)) {
      yield* filesOf(store.entities, line, head)
      await turn()
    }
  }
}

async function linesOf({ records }: Call['store'], repositoryId: string): Promise<readonly Line[]> {
  const packages = await records.list('package')
  const living = packages.filter((found) => found.repositoryId === repositoryId && found.state !== 'deleted')
  return [
    { repositoryId, packageId: null },
    publishedLine(repositoryId),
    ...living.map(({ id: packageId }) => ({ repositoryId, packageId })),
  ]
}

/** The heads of items that exactly this line holds. */
async function* itemsOn(entities: EntityReader, line: Line): AsyncGenerator<Entity> {
  for (let after: EntityRef | undefined = { kind: 'item', id: '' }; after;) {
    const page = await entities.ownHeads(line, { after, limit: headsAtOnce })
    const ids = page.filter(({ kind }) => kind === 'item').map(({ id }) => id)
    yield* await entities.getMany(line, 'item', ids)
    after = ids.length < headsAtOnce ? undefined : page.at(-1)
  }
}

async function* filesOf(entities: EntityReader, line: Line, head: Entity): AsyncGenerator<HeldFile> {
  const asset = assetIn(head.body)
  if (!asset) return
  yield { line, head, version: head.version, asset }
  for (let before = head.version; before > 1;) {
    const versions = await entities.versions(line, head, { before, limit: headsAtOnce })
    for (const { version, body } of versions) {
      const old = assetIn(body)
      if (old) yield { line, head, version, asset: old }
    }
    before = versions.length < headsAtOnce ? 1 : (versions.at(-1)?.version ?? 1)
  }
}
