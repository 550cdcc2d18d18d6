// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'

/** The operations of `graphql`. The content of a repository through GraphQL. */
export interface GraphqlApi {
  /**
   * Execute a GraphQL document.
   *
   * Without a token if the repository is public and its settings allow it (`graphql.public`): then
   * only published content, and no introspection. Otherwise needs `graphql.query` and runs with the
   * permissions of the caller. At most 2000 tokens, 10 levels, 15 aliases, 50 directives and a cost of
   * 5000: a field costs 1, and fields in a list count once per entry.
   *
   * `POST /api/graphql/{configId}`, with `packageName`
   * `/api/graphql/{configId}/_package/{packageName}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.query - The GraphQL document.
   * @param input.variables - Values of the variables.
   * @param input.operationName - Which operation of the document to execute, if it has several.
   * @param input.extensions - Ignored.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `not_acceptable`, `too_large`,
   *   `too_many_requests`, `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` -
   *   As every operation of its kind.
   */
  readonly execute: (input: GraphqlExecuteInput, options?: CallOptions) => Promise<GraphqlResult>

  /**
   * Execute a GraphQL query.
   *
   * Like `graphql.execute`, but only for queries: a mutation is rejected. At most 2000 tokens, 10
   * levels, 15 aliases, 50 directives and a cost of 5000: a field costs 1, and fields in a list count
   * once per entry.
   *
   * `GET /api/graphql/{configId}`, with `packageName`
   * `/api/graphql/{configId}/_package/{packageName}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.query - The GraphQL document.
   * @param input.variables - Values of the variables, as JSON.
   * @param input.operationName - Which operation of the document to execute, if it has several.
   * @param input.extensions - Ignored.
   * @throws `not_found` - Not found.
   * @throws `method_not_allowed` - This path does not support this method.
   * @throws `invalid`, `unauthorized`, `forbidden`, `not_acceptable`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable` - As every operation of its kind.
   */
  readonly query: (input: GraphqlQueryInput, options?: CallOptions) => Promise<GraphqlResult>

  /**
   * Fetch the GraphQL schema of a repository.
   *
   * In the schema definition language, for code generators.
   *
   * `GET /api/graphql/{configId}/schema`.
   * Permission: `graphql.query`.
   *
   * @param input.configId - A repository's id or name.
   * @throws `not_found` - Not found.
   * @throws `range_not_satisfiable` - The range is outside the file.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly schema: (input: GraphqlSchemaInput, options?: CallOptions) => Promise<Binary>
}

/** The result of an execution */
export interface GraphqlResult {
  data?: Record<string, unknown> | null | undefined
  errors?: GraphqlError[] | undefined
  extensions?: Record<string, unknown> | undefined
}

/** One error of an execution */
export interface GraphqlError {
  message: string
  locations?: {
    line: number
    column: number
  }[] | undefined
  path?: (string | number)[] | undefined
  /** `code`, and the other members of an error: `issues`, `conflicts`, `details` */
  extensions?: Record<string, unknown> | undefined
}

/** The input of `graphql.execute` */
export interface GraphqlExecuteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The GraphQL document */
  query: string
  /** Values of the variables */
  variables?: Record<string, JsonValue> | null | undefined
  /** Which operation of the document to execute, if it has several */
  operationName?: string | null | undefined
  /** Ignored */
  extensions?: Record<string, JsonValue> | null | undefined
}

/** The input of `graphql.query` */
export interface GraphqlQueryInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The GraphQL document */
  query: string
  /** Values of the variables, as JSON */
  variables?: string | undefined
  /** Which operation of the document to execute, if it has several */
  operationName?: string | undefined
  /** Ignored */
  extensions?: string | undefined
}

/** The input of `graphql.schema` */
export interface GraphqlSchemaInput {
  /** A repository's id or name */
  configId: string
}
