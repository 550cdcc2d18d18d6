import { QuireError } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, EntityRef, Stored, StoredJson } from '../../ports/index.ts'

/** A package that is scheduled to merge. */
export type DuePackage = Stored<'package'> & { readonly mergeAt: number }

/**
 * The packages that merge into main until a time (Unix ms), in order, if the caller may see packages.
 * A package itself shows none of them.
 */
export async function duePackages(
  call: Call,
  { branch: { repositoryId }, package: own }: Scope,
  until: number,
): Promise<readonly DuePackage[]> {
  if (own !== null || !mayDo(call.identity.permissions, 'packages.view', { repositoryId })) return []
  const due: DuePackage[] = []
  for (const found of await call.store.records.list('package')) {
    const { state, mergeAt } = found
    if (found.repositoryId !== repositoryId || state !== 'scheduled' || mergeAt === undefined) continue
    if (mergeAt <= until) due.push({ ...found, mergeAt })
  }
  return due.toSorted((one, other) => one.mergeAt - other.mergeAt)
}

/** The scope of such a package. */
export function scopeOfDue({ branch, ...scope }: Scope, found: DuePackage): Scope {
  return { ...scope, branch: { ...branch, packageId: found.id }, package: found }
}

/** The head of an entity that a package changes, also if it deletes it; null for others. */
export async function changedBy(
  { store }: Call,
  { id: packageId, repositoryId }: DuePackage,
  { kind, id }: EntityRef,
): Promise<Entity | null> {
  const head = await store.entities.get({ repositoryId, packageId }, kind, id)
  return head?.packageId === packageId ? head : null
}

/** What an entity is before a package merges: the head of main, or of a package that merges earlier. */
export type Before = Pick<StoredJson, 'packageId' | 'version'> & Partial<Pick<Entity, 'archived'>>

/**
 * Nothing is merged for a time to come. Errors: `merge_conflict` if somebody else has changed an entity
 * that a package changes.
 */
export function requireUnchanged(found: DuePackage, { base }: Entity, before: Before | null): void {
  const isOfMain = !before || before.packageId === null
  const isArchivedOtherwise = before?.archived !== undefined && before.archived !== base?.archived
  if (isOfMain && base?.version === before?.version && !isArchivedOtherwise) return
  throw new QuireError(
    'merge_conflict',
    `The package "${found.name}" merges by then, and somebody else has changed the same, too: look at its conflicts.`,
  )
}
