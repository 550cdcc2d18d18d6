import { liveHeads } from '../lines/heads.ts'
import type { EntityReader, Line, Snapshot } from '../ports/index.ts'
import type { StructureName } from './kind.ts'

/** Something in a tree. */
export interface Placed extends Pick<Snapshot, 'name' | 'parentId' | 'body'> {
  readonly id: string
}

/** Finds things of a tree by id, without those that are not there. */
export type Look = (ids: readonly string[]) => Promise<ReadonlyMap<string, Placed>>

/** Looks at a line as it is now. */
export function lookingAt(entities: EntityReader, line: Line, kind: StructureName): Look {
  return (ids) => liveHeads(entities, line, { kind, ids })
}

/**
 * What stands above things, the top first: a function of what each stands in. A circle, which two moves on two lines may seem to make,
 * ends where it closes. Cost: one look for each level.
 */
export async function ancestorsOf(
  look: Look,
  parents: readonly (string | null)[],
): Promise<(parentId: string | null) => Placed[]> {
  const known = new Map<string, Placed | undefined>()
  let wanted = new Set(parents.filter((id) => id !== null))
  while (wanted.size > 0) {
    const found = await look([...wanted])
    for (const id of wanted) known.set(id, found.get(id))
    const above = [...found.values()].map(({ parentId }) => parentId)
    wanted = new Set(above.filter((id) => id !== null).filter((id) => !known.has(id)))
  }
  return (parentId) => climb(known, parentId)
}

function climb(known: ReadonlyMap<string, Placed | undefined>, from: string | null): Placed[] {
  const climbed = new Set<Placed>()
  for (let id = from; id !== null;) {
    const placed = known.get(id)
    if (!placed || climbed.has(placed)) break
    climbed.add(placed)
    id = placed.parentId
  }
  return [...climbed].toReversed()
}
