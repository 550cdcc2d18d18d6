// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { ContentOperation } from '../content-operation.ts'
import type { AnyContent } from '../typed-item.ts'
import type { FilterOperators, Item, ReadItem } from './items.ts'

/** The operations of `queries`. Search, filters, facets and highlights; saved queries. */
export interface QueriesApi<C extends object = AnyContent> {
  /**
   * Search and filter items.
   *
   * Returns the matching items that you may read; facets and counts cover only these. With `text` and
   * without `sort` the best matches come first: items with all words in the name before items with all
   * words anywhere, whole words before prefixes.
   *
   * `POST /api/queries/{configId}`, with `packageName`
   * `/api/queries/{configId}/_package/{packageName}`.
   * Permission: `queries.run`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.text - Words that must all occur; each matches as a prefix. Words in double quotes
   *   must be adjacent.
   * @param input.type - Only items of this content type.
   * @param input.filter - Conditions by field, all of which must hold: a value, null for an absent
   *   value, or operators. `and` and `or` take lists of filters, `not` takes one filter.
   * @param input.sort - Comma-separated fields, `-` for descending order. Default: with `text` the
   *   best matches first, otherwise `-updatedDate`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale to read, or `*` for the values
   *   of all of them. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @param input.facets - Fields whose values to count: `type`, `status`, `folderId`, `categories` and
   *   custom fields.
   * @param input.facetLimit - Values per facet, 1 to 1000 (default 20).
   * @param input.highlight - Also return where `text` was found; only for pages of at most 100 items.
   * @param input.archived - Also archived items.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly run: ContentOperation<QueriesRunInput, QueryAnswer, C, Item>

  /**
   * Run a saved query.
   *
   * Runs with the permissions of the caller, no matter who saved it.
   *
   * `GET /api/queries/{configId}/saved/{name}/results`, with `packageName`
   * `/api/queries/{configId}/_package/{packageName}/saved/{name}/results`.
   * Permission: `queries.run`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.name - A unique kebab-case name.
   * @param input.parameters - By the name of the parameter; in a query string
   *   `parameters[minPrice]=10`, a list as `a,b`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.locale - The locale to read. Default: that of the saved query.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly runSaved: ContentOperation<QueriesRunSavedInput, QueryAnswer, C>
}

/**
 * Conditions by field, all of which must hold: a value, null for an absent value, or operators. `and`
 * and `or` take lists of filters, `not` takes one filter
 */
export interface QueryFilter {
  readonly [name: string]: string | number | boolean | null | FilterOperators | QueryFilter | readonly QueryFilter[]
}

/** The items that match, with facets and highlights */
export interface QueryAnswer {
  /**
   * Number of all entries that match and that the caller may see. Absent only if the request had
   * `skipCount=true`
   */
  count?: number | undefined
  items: ReadItem[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
  /** Whether there may be more items than `count`, because counting stopped there */
  countIsCapped?: boolean | undefined
  /** With `facets`: values by field, the most frequent first */
  facets?: Record<string, FacetValue[]> | undefined
  /** With `highlight`: highlights by item id */
  highlights?: Record<string, Highlight[]> | undefined
}

/** A value, and how many matching items have it */
export interface FacetValue {
  value: string | number | boolean
  /** Number of matching items that you may read and that have this value */
  count: number
  /** The name of a category or folder, if you may see it */
  name?: string | undefined
}

/** Where the words of a search occur in a text */
export interface Highlight {
  /** `name`, `description`, `fields.body`…; `text` is the text of the file */
  path: string
  /** At most 3 excerpts as HTML: escaped, with `<mark>` around the words that were found */
  fragments: string[]
}

/** By the name of the parameter; in a query string `parameters[minPrice]=10`, a list as `a,b` */
export interface ParameterValues {
  [name: string]: string | number | boolean | (string | number | boolean)[]
}

/** The input of `queries.run` */
export interface QueriesRunInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Words that must all occur; each matches as a prefix. Words in double quotes must be adjacent */
  text?: string | undefined
  /** Only items of this content type */
  type?: string | undefined
  /**
   * Conditions by field, all of which must hold: a value, null for an absent value, or operators.
   * `and` and `or` take lists of filters, `not` takes one filter
   */
  filter?: QueryFilter | undefined
  /**
   * Comma-separated fields, `-` for descending order. Default: with `text` the best matches first,
   * otherwise `-updatedDate`
   */
  sort?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale to read, or `*` for the values of all of them.
   * Default: the default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
  /** Fields whose values to count: `type`, `status`, `folderId`, `categories` and custom fields */
  facets?: string[] | undefined
  /** Values per facet, 1 to 1000 (default 20) */
  facetLimit?: number | undefined
  /** Also return where `text` was found; only for pages of at most 100 items */
  highlight?: boolean | undefined
  /** Also archived items */
  archived?: boolean | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `queries.runSaved` */
export interface QueriesRunSavedInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** A unique kebab-case name */
  name: string
  /** By the name of the parameter; in a query string `parameters[minPrice]=10`, a list as `a,b` */
  parameters?: ParameterValues | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** The locale to read. Default: that of the saved query */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}
