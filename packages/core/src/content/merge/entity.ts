import type { ConflictKind } from '@quire/contract'
import { mergeObjects, type Strategy } from './merge.ts'
import { isSame } from '../../engine/same.ts'
import { type Json, type JsonObject, isJsonObject } from '../../ports/index.ts'
import { type Sides } from './changes.ts'

/** One side of an entity: what it says and how it stands. */
export interface Side {
  readonly content: JsonObject
  readonly archived: boolean
  readonly deleted: boolean
  /** The main version that is published, null for none; `head`: this very content is to be. */
  readonly published: number | 'head' | null
}

/** What two sides do not agree on. Path empty: the whole entity. */
export interface EntityConflict {
  readonly path: string
  readonly kind: ConflictKind
  readonly base: Json
  readonly ours: Json
  readonly theirs: Json
}

/** What comes of three sides; null: it is not there. With conflicts, ours stands at their paths. */
export interface EntityMerge {
  readonly merged: Side | null
  readonly conflicts: readonly EntityConflict[]
}

/** The three sides of an entity. Base null: the package created it. Theirs null: main does not have it (any more). */
type EntitySides = Sides<Side | null> & { readonly ours: Side }

/**
 * Merges an entity three ways (DESIGN "Packages"). Laws, beside those of `mergeObjects`: merge(b,b,t) = t, merge(b,o,b) = o,
 * and what one side deleted while the other changed it is a conflict of the whole.
 */
export function mergeEntity(sides: EntitySides, strategyOf: (path: string) => Strategy): EntityMerge {
  const { base, ours, theirs } = sides
  if (!base) return { merged: ours.deleted ? theirs : ours, conflicts: [] }
  if (isSameSide(ours, base)) return { merged: theirs, conflicts: [] }
  if (theirs && isSameSide(theirs, base)) return { merged: ours, conflicts: [] }
  return mergeChanged({ base, ours, theirs }, strategyOf)
}

/** Both sides changed. */
function mergeChanged(
  { base, ours, theirs }: EntitySides & { readonly base: Side },
  strategyOf: (path: string) => Strategy,
): EntityMerge {
  const isGone = (side: Side) => side.deleted && !base.deleted
  if (!theirs || isGone(theirs)) {
    if (isGone(ours)) return { merged: theirs, conflicts: [] }
    // A version that main had published is gone with it.
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

/** Whether something is there and lives. */
export function isLive(side: Side | null): side is Side {
  return side !== null && !side.deleted
}

/** Whether two sides are the same in all they say and are. */
export function isSameSide(a: Side, b: Side): boolean {
  return (
    a.archived === b.archived &&
    a.deleted === b.deleted &&
    a.published === b.published &&
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
      published: published ? ours.published : publishedOf(sides),
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

/** The same members, each null: `mergeObjects` leaves those out. */
function withoutValues(content: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(content).map((name) => [name, null]))
}

// Conflicts of `mergeObjects` hold JSON values of the sides.
function asJson(value: unknown): Json {
  return (value ?? null) as Json
}

/** What is published when both sides agree. To publish the merged content is no contradiction to anything. */
function publishedOf({ base, ours, theirs }: Sides<Side>): Side['published'] {
  return ours.published === base.published ? theirs.published : ours.published
}

/** We took back what main has published anew. */
function mergePublished({ base, ours, theirs }: Sides<Side>): EntityConflict | null {
  const isReverted = ours.published === null && base.published !== null
  if (!isReverted || theirs.published === base.published || theirs.published === null) return null
  const { published } = theirs
  return { path: 'publishedVersion', kind: 'changed', base: base.published, ours: null, theirs: published }
}

/** How a conflict is settled. */
export type Settlement = { readonly use: 'ours' | 'theirs' } | { readonly value: Json }

/** A merge with the conflict at one path settled. `theirs` is main's side as it stands. */
export function resolve(
  { merged, conflicts }: EntityMerge,
  { conflict, by, theirs }: { conflict: EntityConflict; by: Settlement; theirs: Side | null },
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

/** The object with a value at a path in dot notation; null takes an inner member away, and leaves an outer one without a value. */
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

/** The value at a path in dot notation; null when there is none. */
export function valueAt(object: JsonObject, path: string): Json {
  const [name = '', ...rest] = path.split('.')
  const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null
  if (rest.length === 0) return value
  return isJsonObject(value) ? valueAt(value, rest.join('.')) : null
}
