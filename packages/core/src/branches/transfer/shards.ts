import type { ArchiveFile } from '../../files/assets/archive.ts'
import type { Json } from '../../ports/index.ts'
import { canonicalText } from '../../engine/same.ts'

/** The date of every member of an export: the earliest that ZIP can store. */
export const lastModified = new Date(1980, 0, 1)

/** A member with a text. */
export function textMember(name: string, input: string): ArchiveFile {
  return { name, lastModified, input }
}

/**
 * Lines of a member. Ten thousand lines of 2 KB are 20 MB: enough for few members, little enough to be
 * read by tools that take a member as a whole.
 */
export const linesOfShard = 10_000

/** The name of a member with lines, by its number from 1. */
export function shardName(name: string, number: number): string {
  return `${name}-${String(number).padStart(4, '0')}.ndjson`
}

/** Lines as members of 10 000 each. Without lines there is no member. */
export async function* shardsOf(name: string, lines: AsyncGenerator<Json>): AsyncGenerator<ArchiveFile> {
  let next = await lines.next()
  const shard = async function* () {
    for (let count = 0; count < linesOfShard && !next.done; count++) {
      yield new TextEncoder().encode(`${canonicalText(next.value)}\n`)
      next = await lines.next()
    }
  }
  for (let number = 1; !next.done; number++)
    yield { name: shardName(name, number), lastModified, input: shard() }
}

interface InTree {
  readonly id: string
  readonly parentId: string | null
}

/** Parents before children; siblings by id. */
export function parentsFirst<T extends InTree>(entities: readonly T[]): readonly T[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const depths = new Map<string, number>()
  const depthOf = ({ id, parentId }: T): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    // A cycle ends where it closes.
    depths.set(id, 0)
    const parent = parentId === null ? undefined : byId.get(parentId)
    const depth = parent ? depthOf(parent) + 1 : 0
    depths.set(id, depth)
    return depth
  }
  return entities.toSorted((a, b) => depthOf(a) - depthOf(b) || (a.id < b.id ? -1 : 1))
}
