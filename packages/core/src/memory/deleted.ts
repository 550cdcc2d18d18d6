import type { DeletedRef } from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { Head } from './head.ts'
import { pastScope } from './lines.ts'
import type { State } from './state.ts'

/** All heads that were softly deleted are in one scope. */
const scope = ''

/** Notes whether a head is softly deleted. */
export function noteDeleted({ deleted }: State, { entity }: Head): void {
  const { repositoryId, packageId, kind, id, deletedDate } = entity
  if (deletedDate !== null)
    deleted.set(scope, keyOf(entity), { repositoryId, packageId, kind, id, deletedDate })
}

/** Forgets that a head was softly deleted. */
export function forgetDeleted({ deleted }: State, { entity }: Head): void {
  deleted.delete(scope, keyOf(entity))
}

/** What was softly deleted before a time, the oldest first. */
export function deletedBefore(
  state: State,
  { before, after, limit }: { before: number; after?: DeletedRef; limit: number },
): readonly DeletedRef[] {
  return [...state.deleted.values(scope)]
    .filter((ref) => ref.deletedDate < before && (!after || compare(ref, after) > 0))
    .toSorted(compare)
    .slice(0, limit)
}

function compare(a: DeletedRef, b: DeletedRef): number {
  return a.deletedDate - b.deletedDate || compareText(keyOf(a), keyOf(b))
}

function keyOf(ref: Omit<DeletedRef, 'deletedDate'>): string {
  return pastScope(ref, ref)
}
