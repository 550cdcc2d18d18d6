import type { StructureName } from './kind.ts'
import { liveHeads } from '../kinds/heads.ts'
import type { EntityReader, Branch, Snapshot } from '../../ports/index.ts'

/** Something in a tree. */
export interface Ancestor extends Pick<Snapshot, 'name' | 'parentId' | 'body'> {
  readonly id: string
}

/** Finds things of a tree by id, without those that are not there. */
export type Look = (ids: readonly string[]) => Promise<ReadonlyMap<string, Ancestor>>

/** Looks at a branch as it is now. */
export function lookingAt(entities: EntityReader, branch: Branch, kind: StructureName): Look {
  return (ids) => liveHeads(entities, branch, { kind, ids })
}

/**
 * What stands above things, the top first: a function of what each stands in. A circle, which two moves on two branches may seem to make,
 * ends where it closes. Cost: one look for each level.
 */
export async function ancestorsOf(
  look: Look,
  parents: readonly (string | null)[],
): Promise<(parentId: string | null) => Ancestor[]> {
  const known = new Map<string, Ancestor | undefined>()
  let wanted = new Set(parents.filter((id) => id !== null))
  while (wanted.size > 0) {
    const found = await look([...wanted])
    for (const id of wanted) known.set(id, found.get(id))
    const above = [...found.values()].map(({ parentId }) => parentId)
    wanted = new Set(above.filter((id) => id !== null).filter((id) => !known.has(id)))
  }
  return (parentId) => climb(known, parentId)
}

function climb(known: ReadonlyMap<string, Ancestor | undefined>, from: string | null): Ancestor[] {
  const climbed = new Set<Ancestor>()
  for (let id = from; id !== null;) {
    const located = known.get(id)
    if (!located || climbed.has(located)) break
    climbed.add(located)
    id = located.parentId
  }
  return [...climbed].toReversed()
}
