// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { UserRef } from './items.ts'
import type { ListOf } from './lists.ts'

/** The operations of `savedQueries`. Search, filters, facets and highlights; saved queries. */
export interface SavedQueriesApi {
  /**
   * List the saved queries of a repository.
   *
   * `GET /api/queries/{configId}/saved`.
   * Permission: `queries.run`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: SavedQueriesListInput, options?: CallOptions) => Promise<ListOf<SavedQuery>>

  /**
   * Read a saved query.
   *
   * `GET /api/queries/{configId}/saved/{name}`.
   * Permission: `queries.run`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - A unique kebab-case name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: SavedQueriesGetInput, options?: CallOptions) => Promise<SavedQuery>

  /**
   * Save a query under a name.
   *
   * Its structure and placeholders are checked now. Field names are checked when it is run, because
   * the fields that exist depend on who runs it.
   *
   * `POST /api/queries/{configId}/saved`.
   * Permission: `queries.save`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - A unique kebab-case name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.query - The body of POST /api/queries/{configId}, without `cursor`. Any value can be
   *   a placeholder: `{ "$param": "minPrice" }`.
   * @param input.parameters - The parameters that its placeholders refer to.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: SavedQueriesCreateInput, options?: CallOptions) => Promise<SavedQuery>

  /**
   * Change a saved query.
   *
   * Only the members that are sent change; `query` and `parameters` are replaced as a whole.
   *
   * `PATCH /api/queries/{configId}/saved/{name}`.
   * Permission: `queries.save`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - A unique kebab-case name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.query - The body of POST /api/queries/{configId}, without `cursor`. Any value can be
   *   a placeholder: `{ "$param": "minPrice" }`.
   * @param input.parameters - The parameters that its placeholders refer to.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: SavedQueriesUpdateInput, options?: CallOptions) => Promise<SavedQuery>

  /**
   * Delete a saved query.
   *
   * `DELETE /api/queries/{configId}/saved/{name}`.
   * Permission: `queries.save`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - A unique kebab-case name.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: SavedQueriesDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A query that is saved under a name */
export interface SavedQuery {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** A unique kebab-case name */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /**
   * The body of POST /api/queries/{configId}, without `cursor`. Any value can be a placeholder: `{
   * "$param": "minPrice" }`
   */
  query: Record<string, JsonValue>
  /** The parameters that its placeholders refer to */
  parameters: QueryParameter[]
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
}

export interface QueryParameter {
  /** The name that placeholders use */
  name: string
  /** The kind of value; a list contains texts */
  kind: 'text' | 'number' | 'boolean' | 'list'
  /** Whether a run without it is rejected */
  required: boolean
  /** The value if a run gives none; null: the condition or member that uses it is left out */
  default: string | number | boolean | string[] | null
  /** Free text, at most 10 000 characters */
  description: string
}

export interface QueryParameterInput {
  /** The name that placeholders use */
  name: string
  /** The kind of value; a list contains texts */
  kind: 'text' | 'number' | 'boolean' | 'list'
  /**
   * Whether a run without it is rejected
   * @default false
   */
  required?: boolean | undefined
  /**
   * The value if a run gives none; null: the condition or member that uses it is left out
   * @default null
   */
  default?: string | number | boolean | string[] | null | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
}

/** The input of `savedQueries.list` */
export interface SavedQueriesListInput {
  /** A repository's id or name */
  configId: string
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `savedQueries.get` */
export interface SavedQueriesGetInput {
  /** A repository's id or name */
  configId: string
  /** A unique kebab-case name */
  name: string
}

/** The input of `savedQueries.create` */
export interface SavedQueriesCreateInput {
  /** A repository's id or name */
  configId: string
  /** A unique kebab-case name */
  name: string
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /**
   * The body of POST /api/queries/{configId}, without `cursor`. Any value can be a placeholder: `{
   * "$param": "minPrice" }`
   */
  query: Record<string, JsonValue>
  /**
   * The parameters that its placeholders refer to
   * @default []
   */
  parameters?: QueryParameterInput[] | undefined
}

/** The input of `savedQueries.update` */
export interface SavedQueriesUpdateInput {
  /** A repository's id or name */
  configId: string
  /** A unique kebab-case name */
  name: string
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /**
   * The body of POST /api/queries/{configId}, without `cursor`. Any value can be a placeholder: `{
   * "$param": "minPrice" }`
   */
  query?: Record<string, JsonValue> | undefined
  /** The parameters that its placeholders refer to */
  parameters?: QueryParameterInput[] | undefined
}

/** The input of `savedQueries.delete` */
export interface SavedQueriesDeleteInput {
  /** A repository's id or name */
  configId: string
  /** A unique kebab-case name */
  name: string
}
