import type { Field, FieldKind, FieldSettings, Issue } from '@quire/contract'
import type { Strategy } from '../merge/merge.ts'
import type { Edge, Json, JsonObject } from '../../ports/index.ts'

/**
 * What the engine does with fields of one kind. No member has a default: a kind without a feature
 * says `null` or `false`, so that the author of a new kind decides about each one.
 */
export interface FieldRules<K extends FieldKind> {
  /** Problems of settings that the schema cannot detect. Paths are relative to `settings`. */
  readonly settingsIssues: (settings: FieldSettings[K]) => readonly Issue[] | Promise<readonly Issue[]>
  /**
   * Why a text is too long to check, or null if it is not. A text that is already stored may be
   * longer, so `check` enforces the length in the settings. Not called for texts of up to
   * `limits.patternText` characters.
   */
  readonly tooLong: (text: string, settings: FieldSettings[K]) => string | null
  /**
   * Checks one value, in time linear in its length. `checkObject` is for kinds with inner fields.
   */
  readonly check: (
    value: Json,
    settings: FieldSettings[K],
    checkObject: CheckObject,
  ) => CheckResult | Promise<CheckResult>
  /** How values compare. Null if filters and sorts cannot use the field. */
  readonly comparison: Comparison | null
  /**
   * The key by which a value is compared. It is stored in the index, checked for `unique` and counted
   * by facets; filters take values and keys. The key of a key is itself, and bounds in `narrowing` are
   * keys.
   */
  readonly compareBy: (value: Json) => Json
  /** Whether a field that is not a list can be `unique`. */
  readonly canBeUnique: boolean
  /**
   * Inner fields that filters can use and that merge one by one. Empty if a value merges as a
   * whole.
   */
  readonly members: (settings: FieldSettings[K]) => readonly Field[]
  /** What a value must be the id of. Null if values are not ids. */
  readonly target: ((settings: FieldSettings[K]) => FieldTarget) | null
  /** The searchable text of a value. Null if full-text search ignores the field. */
  readonly searchText: ((text: string) => string) | null
  /** Whether values are prose written by people, which AI tasks read. */
  readonly isProse: boolean
  /** How two branches' values merge: a single value, and a list. */
  readonly merge: { readonly single: Strategy; readonly list: Strategy }
  /**
   * Converts a value of another kind to this kind, for a migration. Returns the value unchanged if
   * it cannot.
   */
  readonly convert: (value: Json) => Json
  /** How the index of values tells which values do not fit changed settings. */
  readonly narrowing: Narrowing<FieldSettings[K]>
  readonly graphql: GraphRules<FieldSettings[K]>
}

/** The settings that the index can check, and the values that they do not allow. */
export interface Narrowing<S> {
  /** Names of settings. If others change, items must be read. */
  readonly settings: readonly string[]
  readonly unfit: (settings: S) => readonly UnfitValues[]
}

/** Values that do not fit settings. */
export type UnfitValues =
  | { readonly op: 'lt' | 'gt'; readonly value: number | string }
  | { readonly op: 'nin'; readonly value: readonly string[] }

/** The value to store with the issues of its inner fields, or the problem with the value sent. */
type CheckResult = { readonly value: Json; readonly issues?: readonly Issue[] } | { readonly problem: string }

/** Checks the members of an object against its fields. */
export type CheckObject = (
  fields: readonly Field[],
  values: JsonObject,
) => Promise<{ readonly values: JsonObject; readonly issues: readonly Issue[] }>

/** How the values of a field compare in filters and sorts. */
export type Comparison = 'text' | 'number' | 'boolean'

/** What the id in a reference must point to. */
export interface FieldTarget {
  readonly kind: 'item' | 'category'
  /** The content types it may have. Empty: any type. */
  readonly types: readonly string[]
  /** The taxonomy that a category must belong to. Null: any taxonomy. */
  readonly taxonomyId: string | null
  /** The file that it must have. Null: no file is required. */
  readonly file: { readonly mimeTypes: readonly string[]; readonly maxBytes?: number | undefined } | null
  /** What deleting the target does to the reference. */
  readonly onDelete: Edge['onDelete']
}

/**
 * The GraphQL types of values in answers and inputs. Only names them: `graphql/` creates them when
 * it is loaded.
 */
interface GraphRules<S> {
  readonly output: (settings: S) => GraphOutput
  readonly input: (settings: S) => GraphInput
  /**
   * Whether list entries may be null: JSON, and targets that are deleted or that the caller may not
   * read.
   */
  readonly hasNullEntries: boolean
}

/** The GraphQL types of values without inner fields. */
export type GraphType = 'String' | 'ID' | 'Boolean' | 'Int' | 'Float' | 'Long' | 'Timestamp' | 'JSON' | 'Geo'

/** The GraphQL type of a value in an input. */
export type GraphInput =
  | { readonly as: 'value'; readonly type: GraphType }
  | { readonly as: 'object'; readonly fields: readonly Field[] }
  | { readonly as: 'block'; readonly variants: readonly GraphVariant[] }

/**
 * The GraphQL type of a value in an answer. An id becomes its target. Empty `types` means any
 * content type.
 */
export type GraphOutput =
  | GraphInput
  | { readonly as: 'item'; readonly types: readonly string[] }
  | { readonly as: 'category' }

/** One variant of a block. */
export interface GraphVariant {
  readonly name: string
  readonly fields: readonly Field[]
}

/** The rules of values that have the same GraphQL type in inputs and answers. */
export function graphType(type: GraphType) {
  const value = { as: 'value', type } as const
  return { output: () => value, input: () => value, hasNullEntries: false }
}

/** Accepts a value, given the value to store. */
export const accept = (value: Json): CheckResult => ({ value })

/** Rejects a value. */
export const reject = (problem: string): CheckResult => ({ problem })

const identity = (value: Json) => value

/**
 * Rules of simple kinds: the schema checks all settings, and values are short, are not ids and
 * compare as they are.
 */
export const plain = {
  settingsIssues: () => [],
  tooLong: () => null,
  members: () => [],
  target: null,
  compareBy: identity,
  convert: identity,
  narrowing: { settings: [], unfit: () => [] },
} as const

/** Rules of kinds whose values have bounds. */
export const bounded = {
  settings: ['min', 'max'],
  unfit: ({ min, max }: { min?: number | string | undefined; max?: number | string | undefined }) => [
    ...(min === undefined ? [] : [{ op: 'lt', value: min } as const]),
    ...(max === undefined ? [] : [{ op: 'gt', value: max } as const]),
  ],
} as const

/** If two branches change the value differently, it is a conflict. */
export const mergedByValue = { single: 'value', list: 'value' } as const

/** For values whose members only make sense together. */
export const mergedAsWhole = { single: 'whole', list: 'whole' } as const

/**
 * Rules of kinds whose values are ids. Publishing checks that the target exists; saving does not.
 */
export const idKind = {
  ...plain,
  check: checkId,
  // None of the settings decides whether an id can be saved.
  narrowing: { settings: ['types', 'onDelete', 'mimeTypes', 'maxBytes', 'taxonomyId'], unfit: () => [] },
  comparison: 'text',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: { single: 'value', list: 'set' },
} as const

const id = /^[A-Z]{2,8}_[0-9A-Z]{26}$/

function checkId(value: Json): CheckResult {
  return typeof value === 'string' && id.test(value) ? accept(value) : reject('must be an id')
}

/** Any item. The reference does not affect its deletion. */
export const anyItem: FieldTarget = {
  kind: 'item',
  types: [],
  taxonomyId: null,
  file: null,
  onDelete: 'ignore',
}

const sentId = { as: 'value', type: 'ID' } as const

/** Inputs take an id. The target in an answer may be deleted, or the caller may not read it. */
export const idGraph = { input: () => sentId, hasNullEntries: true }

/** Rules of the numeric kinds. */
export const numeric = {
  ...plain,
  comparison: 'number',
  canBeUnique: true,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  convert: parseNumber,
  narrowing: bounded,
} as const

/**
 * Parses text as a number; blank text becomes null. Returns the value unchanged, to be rejected
 * later, if it is not a finite number.
 */
function parseNumber(value: Json): Json {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : value
}

/** Checks a number against the bounds of its field. */
export function within(
  value: number,
  { min, max, step }: { min?: number | undefined; max?: number | undefined; step?: number | undefined },
): CheckResult {
  if (min !== undefined && value < min) return reject(`must be at least ${min}`)
  if (max !== undefined && value > max) return reject(`must be at most ${max}`)
  if (step !== undefined && !isMultiple(value, step)) return reject(`must be a multiple of ${step}`)
  return accept(value)
}

// Decimal steps are not exact in binary (0.3 / 0.1), so a quotient within rounding error of an
// integer counts.
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4
}
