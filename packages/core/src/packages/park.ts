import { isLive } from '../merge/entity.ts'
import type { Entity, Line, Transaction } from '../ports/index.ts'
import { refKey } from './own-heads.ts'
import type { PlannedChange } from './planned-change.ts'

/**
 * Takes their slugs from heads of main whose slug another change of the same merge is to have, so that the changes can be written
 * one by one, in circles too. Makes no version; each of them is written again by its own change. Answers them by `refKey`.
 */
export async function parkSlugs(
  tx: Transaction,
  line: Line,
  changes: readonly PlannedChange[],
): Promise<ReadonlyMap<string, Entity>> {
  const leaving = new Map(changes.flatMap((change) => leavingSlug(change)))
  const parked = new Map<string, Entity>()
  if (leaving.size === 0) return parked
  for (const { head, merged } of changes) {
    const slug = isLive(merged) ? merged.content['slug'] : undefined
    const holder = typeof slug === 'string' ? leaving.get(`${head.kind} ${slug}`) : undefined
    if (!holder || holder.id === head.id || parked.has(refKey(holder))) continue
    const bare: Entity = {
      ...holder,
      repositoryId: line.repositoryId,
      slug: null,
      revision: holder.revision + 1,
    }
    await tx.entities.put({ ...bare, values: [], edges: [], searchText: '' }, holder.revision)
    parked.set(refKey(holder), bare)
  }
  return parked
}

/** The live head of main that gives its slug up, by that slug. */
function leavingSlug({ mainHead, theirs, merged }: PlannedChange): [string, Entity][] {
  if (!mainHead || !isLive(theirs) || mainHead.slug === null) return []
  const isLeft = !isLive(merged) || merged.content['slug'] !== mainHead.slug
  return isLeft ? [[`${mainHead.kind} ${mainHead.slug}`, mainHead]] : []
}
