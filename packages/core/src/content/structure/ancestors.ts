import type { StructureName } from './kind.ts'
import { liveHeads } from '../kinds/heads.ts'
import type { EntityReader, Branch, Snapshot } from '../../ports/index.ts'

/** An entity in a tree, as far as finding its ancestors needs it. */
export interface Ancestor extends Pick<Snapshot, 'name' | 'parentId' | 'body'> {
  readonly id: string
}

/** Finds entities of a tree by id. Leaves out those that do not exist. */
export type AncestorLookup = (ids: readonly string[]) => Promise<ReadonlyMap<string, Ancestor>>

/** A lookup of the current live heads of a branch. */
export function lookupOn(entities: EntityReader, branch: Branch, kind: StructureName): AncestorLookup {
  return (ids) => liveHeads(entities, branch, { kind, ids })
}

/**
 * Reads the ancestors of entities, given their parents. Returns a function that gives the path to a
 * parent, root first. The path through a cycle, which moves on two branches can produce, ends where
 * the cycle closes. Cost: one lookup for each level.
 */
export async function ancestorsOf(
  lookup: AncestorLookup,
  parents: readonly (string | null)[],
): Promise<(parentId: string | null) => Ancestor[]> {
  const known = new Map<string, Ancestor | undefined>()
  let missing = new Set(parents.filter((id) => id !== null))
  while (missing.size > 0) {
    const found = await lookup([...missing])
    for (const id of missing) known.set(id, found.get(id))
    const parentIds = [...found.values()].map(({ parentId }) => parentId)
    missing = new Set(parentIds.filter((id) => id !== null).filter((id) => !known.has(id)))
  }
  return (parentId) => climb(known, parentId)
}

function climb(known: ReadonlyMap<string, Ancestor | undefined>, from: string | null): Ancestor[] {
  const path = new Set<Ancestor>()
  for (let id = from; id !== null;) {
    const ancestor = known.get(id)
    if (!ancestor || path.has(ancestor)) break
    path.add(ancestor)
    id = ancestor.parentId
  }
  return [...path].toReversed()
}
