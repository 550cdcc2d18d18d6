import type { EntityKind, StoredJson } from './entities.ts'
import type { TextQuery } from './text.ts'

/**
 * What a filter or sort can name: a member of the entity, or a custom value by its path below
 * `fields`.
 */
export type QueryField = { readonly member: QueryMember } | { readonly path: string; readonly list: boolean }

/** The path of the values that hold an item's categories. No field can have this name. */
export const categoriesPath = '@categories'

/** The path of the values that hold the states of an item's translations: `de:outdated`. */
export const translationsPath = '@translations'

/**
 * The entity members that stores index. `status` is derived: archived, published (the head is the
 * published version), draft. `published` is whether any version is published. `createdBy` and
 * `updatedBy` compare by user name.
 */
export type QueryMember =
  | 'id'
  | 'type'
  | 'name'
  | 'slug'
  | 'status'
  | 'parentId'
  | 'version'
  | 'archived'
  | 'published'
  | 'createdDate'
  | 'updatedDate'
  | 'publishedDate'
  | 'createdBy'
  | 'updatedBy'

/** A scalar in a filter. Booleans only for boolean fields and the members `archived` and `published`. */
export type QueryValue = string | number | boolean

/**
 * A filter. Text compares by Unicode code point; `contains` and `startsWith` ignore the case of
 * ASCII letters and take every character literally.
 * A condition on a list matches when any of its values does. `ne`, `nin` and `exists: false` are
 * the exact opposites of `eq`, `in` and `exists: true`, so an absent value is `ne` to everything.
 * Order operators never match an absent value.
 * A value of another kind (text, number, boolean) than the one in the condition counts as absent:
 * 10 is `ne` to "10" and neither before nor after it. An empty `in` matches nothing, an empty `all`
 * everything, an empty `any` nothing.
 */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | Condition

/** One comparison. */
export type Condition =
  | { readonly field: QueryField; readonly op: 'eq' | 'ne'; readonly value: QueryValue }
  | { readonly field: QueryField; readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: QueryValue }
  | { readonly field: QueryField; readonly op: 'in' | 'nin'; readonly value: readonly QueryValue[] }
  | { readonly field: QueryField; readonly op: 'contains' | 'startsWith'; readonly value: string }
  | { readonly field: QueryField; readonly op: 'exists'; readonly value: boolean }

/**
 * One sort key. Absent values (a null row or no row) come first when ascending, last when
 * descending, so a sort never drops a match. Values of different kinds are ordered false, true,
 * numbers, text. `path` fields must be single values, not lists.
 */
export interface SortKey {
  readonly field: QueryField
  readonly descending: boolean
}

/**
 * What the reader may see: entities of these types whose list of read roles is empty or contains
 * one of these roles. Stores apply it to every query, to rows and counts alike.
 */
export interface Reader {
  readonly types: 'all' | readonly string[]
  readonly roles: 'all' | readonly string[]
}

/** A query for a list of entities. */
export interface EntityQuery {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  /**
   * Terms that must all match (use `SearchQuery` to get the best matches first); without terms
   * there is no restriction.
   */
  readonly text?: TextQuery
  /** Whether archived heads match too. */
  readonly archived: boolean
  /** `id` ascending is always added as the last key. */
  readonly sort: readonly SortKey[]
  /** 1 to 1 000. */
  readonly limit: number
  /**
   * Maximum characters of JSON on a page: the page ends with the entity that exceeds it, and then
   * has a `next` even if nothing follows. Default: no limit.
   */
  readonly mostText?: number
  readonly offset?: number
  /**
   * The `next` of an earlier page of the same query: continues after it. Not together with
   * `offset`.
   */
  readonly after?: PageCursor
  /** Whether to count all matches. */
  readonly count: boolean
}

/** The position after an entity: its sort values, in the order of the query's sort, and its id. */
export interface PageCursor {
  readonly values: readonly (QueryValue | null)[]
  readonly id: string
}

/** One page of a list. */
export interface EntityPage {
  readonly entities: readonly StoredJson[]
  /** All matches that the reader may see; undefined when no count was requested. */
  readonly count?: number
  /** Present when there is more. */
  readonly next?: PageCursor
}
