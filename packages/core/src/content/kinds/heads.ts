import type { Call } from '../../engine/call.ts'
import type { Entity, EntityReader, EntityRef, EntityVersion, Branch, Snapshot } from '../../ports/index.ts'
import type { AppliedChange } from './branch-kind.ts'
import { baseOf, type Scope } from '../../engine/scope.ts'

/**
 * The head as it stands on the branch that is written. In a package that had left it alone it is main's newest version, which the package's own
 * versions are numbered on from: a mark alone makes none, so what has main's number says what main says there.
 */
export function headOnBranch(head: Entity, { branch }: Scope): Entity {
  if (head.packageId === branch.packageId) return head
  return {
    ...head,
    packageId: branch.packageId,
    base: baseOf(head),
    revision: 0,
    publishedVersion: head.publishedVersion === null ? null : -head.publishedVersion,
  }
}

/** The number that a published version is known by: see `Entity.publishedVersion`. */
export function publishedNumber({ publishedVersion }: Pick<Entity, 'publishedVersion'>): number | null {
  return publishedVersion === null ? null : Math.abs(publishedVersion)
}

/** The head that one from another branch follows; a new one has version 0. */
export function startOf(
  scope: Scope,
  { previous, origin }: Pick<AppliedChange, 'previous' | 'origin'>,
): Entity {
  if (previous) return headOnBranch(previous, scope)
  return { ...origin, ...scope.branch, base: null, version: 0, revision: 0 }
}

/** A head to be, at version 0, of what does not exist yet. */
export function newHead(
  call: Call,
  { branch }: Scope,
  { kind, id }: EntityRef,
): Omit<Entity, keyof Snapshot> {
  return {
    ...branch,
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
    json: '',
  }
}

/** The date of what follows a head: now, but never before what it follows, wherever the clock was set to meanwhile. */
export function dateAfter({ now }: Pick<Call, 'now'>, { updatedDate }: Pick<Entity, 'updatedDate'>): number {
  return Math.max(now, updatedDate)
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
  branch: Branch,
  { kind, ids }: Pick<EntityRef, 'kind'> & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Entity>> {
  const unique = [...new Set(ids)]
  const found = new Map<string, Entity>()
  for (let start = 0; start < unique.length; start += batch)
    for (const head of await entities.getMany(branch, kind, unique.slice(start, start + batch)))
      if (head.deletedDate === null) found.set(head.id, head)
  return found
}
