import type { Call } from '../call/call.ts'
import type { Entity, EntityReader, EntityRef, EntityVersion, Line, Snapshot } from '../ports/index.ts'
import type { Landing } from './line-kind.ts'
import { baseOf, type Place } from './lines.ts'

/** The head as it stands on the line that is written: in a package that had left it alone, taken in at version 0. */
export function headOnLine(head: Entity, { line }: Place): Entity {
  if (head.packageId === line.packageId) return head
  return {
    ...head,
    packageId: line.packageId,
    base: baseOf(head),
    version: 0,
    revision: 0,
    publishedVersion: head.publishedVersion === null ? null : -head.publishedVersion,
  }
}

/** The head that one from another line follows; a new one has version 0. */
export function startOf(place: Place, { previous, origin }: Pick<Landing, 'previous' | 'origin'>): Entity {
  if (previous) return headOnLine(previous, place)
  return { ...origin, ...place.line, base: null, version: 0, revision: 0 }
}

/** A head to be, at version 0, of what does not exist yet. */
export function newHead(call: Call, { line }: Place, { kind, id }: EntityRef): Omit<Entity, keyof Snapshot> {
  return {
    ...line,
    kind,
    id,
    version: 0,
    revision: 0,
    base: null,
    publishedVersion: null,
    publishedDate: null,
    archived: false,
    deletedDate: null,
    createdDate: call.now,
    createdBy: call.identity.ref,
    updatedDate: call.now,
    updatedBy: call.identity.ref,
    presentation: '',
  }
}

/** The version that a head is. */
export function headVersion(head: Entity): EntityVersion {
  const { kind, id, version, type, name, slug, parentId, roles, body, updatedDate, updatedBy } = head
  return {
    kind,
    id,
    version,
    type,
    name,
    slug,
    parentId,
    roles,
    body,
    savedDate: updatedDate,
    savedBy: updatedBy,
  }
}

// The store reads at most 1 000 ids at once.
const batch = 1000

/** Heads of one kind by id, without those that are absent or deleted. */
export async function liveHeads(
  entities: EntityReader,
  line: Line,
  { kind, ids }: Pick<EntityRef, 'kind'> & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Entity>> {
  const unique = [...new Set(ids)]
  const found = new Map<string, Entity>()
  for (let start = 0; start < unique.length; start += batch)
    for (const head of await entities.getMany(line, kind, unique.slice(start, start + batch)))
      if (head.deletedDate === null) found.set(head.id, head)
  return found
}
