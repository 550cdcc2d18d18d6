import type { ConflictKind } from '@quire/contract'
import { mergeObjects, type Strategy } from './merge.ts'
import { isSame } from '../../engine/same.ts'
import { type Json, type JsonObject, isJsonObject } from '../../ports/index.ts'
import { type Sides } from './changes.ts'

/** One side of an entity: its content and its state. */
export interface Side {
  readonly content: JsonObject
  readonly archived: boolean
  readonly deleted: boolean
  /**
   * The number of main's published version, null for none, or `head` if this content is to be
   * published.
   */
  readonly published: number | 'head' | null
  /**
   * The locales in which this content is to be published, sorted, if those are not the ones in which
   * main publishes the entity.
   */
  readonly publishedIn?: readonly string[]
}

/** A conflict between two sides. An empty path means the whole entity. */
export interface EntityConflict {
  readonly path: string
  readonly kind: ConflictKind
  readonly base: Json
  readonly ours: Json
  readonly theirs: Json
}

/**
 * The result of a merge. Null: the entity does not exist. At the paths of conflicts it contains our
 * values.
 */
export interface EntityMerge {
  readonly merged: Side | null
  readonly conflicts: readonly EntityConflict[]
}

/**
 * The three sides of an entity. `base` is null if the package created it; `theirs` is null if main
 * does not have it, or no longer does.
 */
type EntitySides = Sides<Side | null> & { readonly ours: Side }

/**
 * Merges an entity three ways (DESIGN "Packages"). Laws, in addition to those of `mergeObjects`:
 * merge(b,b,t) = t, merge(b,o,b) = o, and if one side deleted the entity while the other changed
 * it, the whole entity is in conflict.
 */
export function mergeEntity(sides: EntitySides, strategyOf: (path: string) => Strategy): EntityMerge {
  const { base, ours, theirs } = sides
  if (!base) return { merged: ours.deleted ? theirs : ours, conflicts: [] }
  if (isSameSide(ours, base)) return { merged: theirs, conflicts: [] }
  if (theirs && isSameSide(theirs, base)) return { merged: ours, conflicts: [] }
  return mergeChanged({ base, ours, theirs }, strategyOf)
}

/** Merges an entity that both sides changed. */
function mergeChanged(
  { base, ours, theirs }: EntitySides & { readonly base: Side },
  strategyOf: (path: string) => Strategy,
): EntityMerge {
  const isGone = (side: Side) => side.deleted && !base.deleted
  if (!theirs || isGone(theirs)) {
    if (isGone(ours)) return { merged: theirs, conflicts: [] }
    // If main no longer has the entity, its published version is gone too.
    const published = theirs || ours.published === 'head' ? ours.published : null
    return wholeConflict(
      'deleted_on_main',
      { base, ours, theirs: null },
      { ...ours, deleted: false, published },
    )
  }
  if (isGone(ours)) return wholeConflict('deleted_in_package', { base, ours: null, theirs }, ours)
  return mergeLiving({ base, ours, theirs }, strategyOf)
}

/** Whether a side exists and is not deleted. */
export function isLive(side: Side | null): side is Side {
  return side !== null && !side.deleted
}

/** Whether two sides have the same content and state. */
export function isSameSide(a: Side, b: Side): boolean {
  return (
    a.archived === b.archived &&
    a.deleted === b.deleted &&
    a.published === b.published &&
    isSame([...(a.publishedIn ?? [])], [...(b.publishedIn ?? [])]) &&
    isSame(a.content, b.content)
  )
}

function wholeConflict(
  kind: 'deleted_in_package' | 'deleted_on_main',
  sides: Sides<Side | null>,
  merged: Side,
): EntityMerge {
  const content = (side: Side | null) => side?.content ?? null
  const { base, ours, theirs } = sides
  const conflict = { path: '', kind, base: content(base), ours: content(ours), theirs: content(theirs) }
  return { merged, conflicts: [conflict] }
}

function mergeLiving(sides: Sides<Side>, strategyOf: (path: string) => Strategy): EntityMerge {
  const { base, ours, theirs } = sides
  const contents = { base: base.content, ours: ours.content, theirs: theirs.content }
  const { merged, conflicts } = mergeObjects(contents, strategyOf)
  const published = mergePublished(sides)
  return {
    merged: {
      content: { ...withoutValues(theirs.content), ...merged },
      archived: ours.archived === base.archived ? theirs.archived : ours.archived,
      deleted: ours.deleted === base.deleted ? theirs.deleted : ours.deleted,
      ...(published ? { published: ours.published } : publishedOf(sides)),
    },
    conflicts: [
      ...conflicts.map(({ path, base: from, yours, theirs: other }) => ({
        path,
        kind: 'changed' as const,
        base: asJson(from),
        ours: asJson(yours),
        theirs: asJson(other),
      })),
      ...(published ? [published] : []),
    ],
  }
}

/**
 * The same members, all null. Restores the members that `mergeObjects` leaves out because they are
 * null.
 */
function withoutValues(content: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(content).map((name) => [name, null]))
}

// The cast is safe because conflicts of `mergeObjects` contain JSON values of the sides.
function asJson(value: unknown): Json {
  return (value ?? null) as Json
}

/** What is published if there is no conflict. Publishing the merged content never conflicts. */
function publishedOf({ base, ours, theirs }: Sides<Side>): Pick<Side, 'published' | 'publishedIn'> {
  const { published, publishedIn } = ours.published === base.published ? theirs : ours
  return { published, ...(publishedIn && { publishedIn }) }
}

/**
 * A conflict if we unpublished the entity and main has published another version since; null
 * otherwise.
 */
function mergePublished({ base, ours, theirs }: Sides<Side>): EntityConflict | null {
  const isUnpublished = ours.published === null && base.published !== null
  if (!isUnpublished || theirs.published === base.published || theirs.published === null) return null
  const { published } = theirs
  return { path: 'publishedVersion', kind: 'changed', base: base.published, ours: null, theirs: published }
}

/** How to resolve a conflict. */
export type ConflictResolution = { readonly use: 'ours' | 'theirs' } | { readonly value: Json }

/** Resolves one conflict of a merge. `theirs` is main's current side. */
export function resolve(
  { merged, conflicts }: EntityMerge,
  { conflict, by, theirs }: { conflict: EntityConflict; by: ConflictResolution; theirs: Side | null },
): EntityMerge {
  const rest = conflicts.filter((other) => other !== conflict)
  if ('use' in by && by.use === 'ours') return { merged, conflicts: rest }
  if (conflict.path === '') return { merged: theirs, conflicts: rest }
  if (!merged) return { merged, conflicts: rest }
  if (conflict.path === 'publishedVersion')
    return { merged: { ...merged, published: theirs?.published ?? null }, conflicts: rest }
  const value = 'value' in by ? by.value : conflict.theirs
  return { merged: { ...merged, content: withValue(merged.content, conflict.path, value) }, conflicts: rest }
}

/**
 * Sets the value at a path in dot notation. Null removes an inner member, but sets a top-level
 * member to null.
 */
export function withValue(object: JsonObject, path: string, value: Json): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const inner = object[name]
  return {
    ...object,
    [name]: rest.length === 0 ? value : withInnerValue(isJsonObject(inner) ? inner : {}, rest, value),
  }
}

function withInnerValue(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: Json,
): JsonObject {
  const members = new Map<string, Json>(Object.entries(object))
  const inner = members.get(name)
  if (rest.length > 0) members.set(name, withInnerValue(isJsonObject(inner) ? inner : {}, rest, value))
  else if (value === null) members.delete(name)
  else members.set(name, value)
  return Object.fromEntries(members)
}

/** Reads the value at a path in dot notation; null if there is none. */
export function valueAt(object: JsonObject, path: string): Json {
  const [name = '', ...rest] = path.split('.')
  const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null
  if (rest.length === 0) return value
  return isJsonObject(value) ? valueAt(value, rest.join('.')) : null
}
