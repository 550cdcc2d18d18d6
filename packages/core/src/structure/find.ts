import { QuireError, type PermissionKey } from '@quire/contract'
import { requirePermission, type Call } from '../call/call.ts'
import { requireHeadMatch } from '../call/head-tag.ts'
import { findPlace, type Place, type PlaceRef } from '../lines/lines.ts'
import type { Entity } from '../ports/index.ts'
import type { StructureKind } from './kind.ts'

/**
 * The line that an input names, for a caller who holds the keys there, or on the site that it names. Who changes something reads it too: a name that is taken tells of another.
 * Errors: `not_found`, `forbidden`.
 */
export async function openStructure(
  call: Call,
  ref: PlaceRef & { readonly siteId?: string },
  keys: readonly PermissionKey[],
): Promise<Place> {
  const place = await findPlace(call, ref)
  const target = {
    repositoryId: place.repository.id,
    ...(ref.siteId !== undefined && { siteId: ref.siteId }),
  }
  for (const key of keys) requirePermission(call, key, target)
  return place
}

/** The error for what is not there. */
export function noSuch({ kind }: Pick<StructureKind, 'kind'>): QuireError {
  return new QuireError('not_found', `There is no such ${kind}.`)
}

/** A live head by id. Errors: `not_found`. */
export async function findStructure(
  call: Call,
  { line }: Place,
  { rules, id }: { rules: StructureKind; id: string },
): Promise<Entity> {
  const found = await call.store.entities.get(line, rules.kind, id)
  if (!found || found.deletedDate !== null) throw noSuch(rules)
  return found
}

/** What names something that a write is about. */
export interface StructureRef extends PlaceRef {
  readonly id: string
}

/** A live head that is to be changed, and where. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function openHead(
  call: Call,
  ref: StructureRef,
  { rules, act }: { rules: StructureKind; act: 'update' | 'delete' },
): Promise<{ place: Place; head: Entity }> {
  const place = await openStructure(call, ref, [rules.keys.read, rules.keys[act]])
  const head = await findStructure(call, place, { rules, id: ref.id })
  requireHeadMatch(call, head)
  return { place, head }
}
