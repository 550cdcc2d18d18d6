import type { Field, FieldKind, FieldSettings, Issue } from '@quire/contract'
import type { Strategy } from '../merge/merge.ts'
import type { Edge, Json, JsonObject } from '../../ports/index.ts'

/**
 * What the engine does with fields of one kind. There is no default for any of it: a kind says `null` or `false` for
 * what it does not have, so that whoever adds one has thought of each.
 */
export interface FieldRules<K extends FieldKind> {
  /** What is wrong with settings that fit their schema. Paths are below `settings`. */
  readonly settingsIssues: (settings: FieldSettings[K]) => readonly Issue[] | Promise<readonly Issue[]>
  /**
   * Why a text is too long to be checked; null where it is not. A text that is stored already may be longer, so a
   * length that the settings forbid is left to `check`. Not asked for texts up to `limits.patternText`.
   */
  readonly tooLong: (text: string, settings: FieldSettings[K]) => string | null
  /** Checks one value, in time linear in its length. `checkObject` is for kinds with fields of their own. */
  readonly check: (
    value: Json,
    settings: FieldSettings[K],
    checkObject: CheckObject,
  ) => Checked | Promise<Checked>
  /** How values compare; null: filters and sorts cannot name the field. */
  readonly comparison: Comparison | null
  /** What a value is compared by: its key is what the index holds and what is `unique`. */
  readonly compareBy: (value: Json) => Json
  /** Whether a field that is no list can be `unique`. */
  readonly canBeUnique: boolean
  /** Fields within that filters can name and that merge one by one; none where a value is one whole. */
  readonly members: (settings: FieldSettings[K]) => readonly Field[]
  /** What a value is the id of; null: it is no id. */
  readonly target: ((settings: FieldSettings[K]) => FieldTarget) | null
  /** What full-text search finds a text by; null: it does not find the field. */
  readonly searchText: ((text: string) => string) | null
  /** Whether values are prose that people write, which AI tasks read. */
  readonly isProse: boolean
  /** How a value of two branches merges, and how a list of them does. */
  readonly merge: { readonly single: Strategy; readonly list: Strategy }
  /** A value of another kind as one of this kind, for a migration. What cannot be read as one stays as it is. */
  readonly convert: (value: Json) => Json
  readonly graphql: GraphRules<FieldSettings[K]>
}

/** The value to store, or what is wrong with the one sent. Issues are those of fields within. */
type Checked = { readonly value: Json; readonly issues?: readonly Issue[] } | { readonly problem: string }

/** Checks the members of an object against fields. */
export type CheckObject = (
  fields: readonly Field[],
  values: JsonObject,
) => Promise<{ readonly values: JsonObject; readonly issues: readonly Issue[] }>

/** How the values of a field compare: what filters and sorts need to know. */
export type Comparison = 'text' | 'number' | 'boolean'

/** What a value of a reference must be the id of. */
export interface FieldTarget {
  readonly kind: 'item' | 'category'
  /** Content types that it may have; empty: any. */
  readonly types: readonly string[]
  /** The taxonomy that a category must be of; null: any. */
  readonly taxonomyId: string | null
  /** The file that it must have; null: none. */
  readonly file: { readonly mimeTypes: readonly string[]; readonly maxBytes?: number | undefined } | null
  /** What deleting it does. */
  readonly onDelete: Edge['onDelete']
}

/** How values are shown and sent in GraphQL. It only names types: `graphql/` makes them when it is loaded. */
interface GraphRules<S> {
  readonly output: (settings: S) => GraphOutput
  readonly input: (settings: S) => GraphInput
  /** Whether an entry of a list may be null: what may not be read or is gone, and JSON. */
  readonly hasNullEntries: boolean
}

/** The types of values without fields of their own. */
export type GraphType = 'String' | 'ID' | 'Boolean' | 'Int' | 'Float' | 'Long' | 'Timestamp' | 'JSON' | 'Geo'

/** How a value is sent. */
export type GraphInput =
  | { readonly as: 'value'; readonly type: GraphType }
  | { readonly as: 'object'; readonly fields: readonly Field[] }
  | { readonly as: 'block'; readonly variants: readonly GraphVariant[] }

/** How a value is shown: an id as what it is the id of, an item of one of some content types (none: of any). */
export type GraphOutput =
  | GraphInput
  | { readonly as: 'item'; readonly types: readonly string[] }
  | { readonly as: 'category' }

/** One kind of block. */
export interface GraphVariant {
  readonly name: string
  readonly fields: readonly Field[]
}

/** Values of one type, sent and shown alike. */
export function graphType(type: GraphType) {
  const value = { as: 'value', type } as const
  return { output: () => value, input: () => value, hasNullEntries: false }
}

/** A value that is right as it is, or as what was made of it. */
export const ok = (value: Json): Checked => ({ value })

/** A value that is wrong. */
export const no = (problem: string): Checked => ({ problem })

const same = (value: Json) => value

/**
 * For kinds whose settings their schema checks. Their values are short, refer to nothing and compare as they are.
 */
export const plain = {
  settingsIssues: () => [],
  tooLong: () => null,
  members: () => [],
  target: null,
  compareBy: same,
  convert: same,
} as const

/** Two branches that changed a value differently are in conflict. */
export const mergedByValue = { single: 'value', list: 'value' } as const

/** A value whose members make sense together only. */
export const mergedAsWhole = { single: 'whole', list: 'whole' } as const

/** What kinds whose values are ids have in common. Whether the target is there is checked at a publish, not at a save. */
export const idKind = {
  ...plain,
  check: checkId,
  comparison: 'text',
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: { single: 'value', list: 'set' },
} as const

const id = /^[A-Z]{2,8}_[0-9A-Z]{26}$/

function checkId(value: Json): Checked {
  return typeof value === 'string' && id.test(value) ? ok(value) : no('must be an id')
}

/** Any item, which can be deleted as if nothing referred to it. */
export const anyItem: FieldTarget = {
  kind: 'item',
  types: [],
  taxonomyId: null,
  file: null,
  onDelete: 'ignore',
}

const sentId = { as: 'value', type: 'ID' } as const

/** An id is sent. What it is shown as may be gone, or hidden from the caller. */
export const idGraph = { input: () => sentId, hasNullEntries: true }

/** What kinds of number have in common. */
export const numeric = {
  ...plain,
  comparison: 'number',
  canBeUnique: true,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  convert: numberIn,
} as const

/** The number that a text is. What is no number, or none that JSON can hold, stays, and so does not fit. */
function numberIn(value: Json): Json {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : value
}

/** Checks a number against the bounds of its field. */
export function within(
  value: number,
  { min, max, step }: { min?: number | undefined; max?: number | undefined; step?: number | undefined },
): Checked {
  if (min !== undefined && value < min) return no(`must be at least ${min}`)
  if (max !== undefined && value > max) return no(`must be at most ${max}`)
  if (step !== undefined && !isMultiple(value, step)) return no(`must be a multiple of ${step}`)
  return ok(value)
}

// Decimal steps are not exact in binary (0.3 / 0.1): a quotient within rounding of an integer counts.
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4
}
