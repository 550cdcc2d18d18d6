import type { Entity, EntityReader, EntityRef, Branch, OwnHead } from '../../ports/index.ts'

// Bodies of so many heads are in memory at a time.
const pageSize = 500

/** Everything that a package's branch holds, page by page, by kind and id. */
export async function* ownPages(entities: EntityReader, branch: Branch): AsyncGenerator<readonly OwnHead[]> {
  let after: EntityRef | undefined
  for (;;) {
    const page = await entities.ownHeads(branch, { limit: pageSize, ...(after && { after }) })
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < pageSize) return
  }
}

/** Whole heads of some entities as a branch shows them, by kind and id. */
export async function headsOf(
  entities: EntityReader,
  branch: Branch,
  refs: readonly EntityRef[],
): Promise<ReadonlyMap<string, Entity>> {
  const found = new Map<string, Entity>()
  for (const [kind, group] of Map.groupBy(refs, (ref) => ref.kind)) {
    const ids = group.map(({ id }) => id)
    for (const head of await entities.getMany(branch, kind, ids)) found.set(refKey(head), head)
  }
  return found
}

/** One text for an entity. */
export function refKey({ kind, id }: EntityRef): string {
  return `${kind} ${id}`
}
