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
export type Checked =
  | { readonly value: Json; readonly issues?: readonly Issue[] }
  | { readonly problem: string }

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
