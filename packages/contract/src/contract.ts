import type { z } from 'zod'
import { access } from './connections/access/endpoints.ts'
import { activity } from './automation/activity/endpoints.ts'
import { admin } from './admin/endpoints.ts'
import { ai } from './connections/ai/endpoints.ts'
import { assets } from './files/assets/endpoints.ts'
import { auth } from './people/auth/endpoints.ts'
import { autoPackage, autoPackageRules } from './branches/auto-package/endpoints.ts'
import type { ByteSpan } from './binary.ts'
import type { Endpoint, EventsEndpoint } from './endpoint.ts'
import { events } from './automation/events/endpoints.ts'
import { folders } from './content/folders/endpoints.ts'
import { graphql } from './delivery/graphql/endpoints.ts'
import { integrations } from './connections/integrations/endpoints.ts'
import { items } from './content/items/endpoints.ts'
import { packages } from './branches/packages/endpoints.ts'
import { published } from './delivery/published/endpoints.ts'
import { queries, savedQueries } from './content/queries/endpoints.ts'
import { dependencies, references } from './content/references/endpoints.ts'
import { queue } from './automation/queue/endpoints.ts'
import { renditionPresets, renditions } from './files/renditions/endpoints.ts'
import { repositories } from './content/repositories/endpoints.ts'
import {
  bundles,
  groups,
  permissions,
  roles,
  security,
  serviceAccounts,
  users,
} from './people/security/endpoints.ts'
import { categories, taxonomies } from './content/taxonomies/endpoints.ts'
import { pages, sections, sites } from './delivery/sites/endpoints.ts'
import type { AnyContent, ItemWithin, TypedInput, TypedOutput, TypeNameOf } from './typed-content.ts'
import { types } from './content/types/endpoints.ts'
import { uploads } from './files/uploads/endpoints.ts'
import { user } from './people/user/endpoints.ts'
import { webhooks } from './automation/webhooks/endpoints.ts'
import { workflowConnections } from './automation/workflow/connections.ts'
import { workflowDefinitions } from './automation/workflow/definitions.ts'
import { workflow } from './automation/workflow/endpoints.ts'

/** Every operation of Quire: `contract.<group>.<operation>`. */
export const contract = {
  auth,
  user,
  items,
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types,
  folders,
  taxonomies,
  categories,
  references,
  dependencies,
  activity,
  events,
  queries,
  savedQueries,
  graphql,
  packages,
  autoPackage,
  autoPackageRules,
  workflow,
  workflowConnections,
  workflowDefinitions,
  repositories,
  roles,
  bundles,
  permissions,
  users,
  groups,
  serviceAccounts,
  security,
  sites,
  sections,
  pages,
  queue,
  webhooks,
  access,
  ai,
  integrations,
  admin,
}

/** The contract as a type. */
export type Contract = typeof contract

/** The tag of each group, from specification 1. */
export const groupTags: { readonly [G in keyof Contract]: string } = {
  auth: 'Authentication',
  user: 'User',
  items: 'Items',
  uploads: 'Items',
  assets: 'Assets',
  renditions: 'Renditions',
  renditionPresets: 'Renditions',
  published: 'Published Assets',
  types: 'Content Management',
  folders: 'Content Management',
  taxonomies: 'Content Management',
  categories: 'Content Management',
  references: 'References',
  dependencies: 'Dependencies',
  activity: 'Activity',
  events: 'Activity',
  queries: 'Queries',
  savedQueries: 'Queries',
  graphql: 'GraphQL',
  packages: 'Content Management',
  autoPackage: 'Content Management',
  autoPackageRules: 'Content Management',
  workflow: 'Workflow',
  workflowConnections: 'Workflow Admin',
  workflowDefinitions: 'Workflow Admin',
  repositories: 'Content Management',
  roles: 'Security',
  bundles: 'Security',
  permissions: 'Security',
  users: 'Security',
  groups: 'Security',
  security: 'Security',
  serviceAccounts: 'Security',
  sites: 'Sites',
  sections: 'Sites',
  pages: 'Sites',
  queue: 'Queue',
  webhooks: 'Admin',
  access: 'Admin',
  ai: 'AI',
  integrations: 'Integration',
  admin: 'Admin',
}

/** What a response says in addition to its value. */
export interface AnswerInfo {
  /** The strong entity tag of the revision, without quotes; null if the response has none. */
  readonly etag: string | null
  /** Whether this response was stored by an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean
  /**
   * In process: the cache tags of a public response, of which `CACHE_TAGS_PURGED` names those that
   * changed. Empty: it must not be cached for longer than its `Cache-Control` says.
   */
  readonly cacheTags?: readonly string[]
}

/**
 * Options of a single call. They are the same for the client, the engine in your process and the
 * mock.
 */
export interface CallOptions {
  /** Aborts the call. In process, the signal is checked before the work begins. */
  signal?: AbortSignal
  /**
   * The ETag of the revision that the write expects. Any other revision is 412
   * `precondition_failed`.
   */
  ifMatch?: string
  /**
   * POST only. A call with the same key and input within 24 hours returns the response of the first
   * call. At most 255 characters.
   */
  idempotencyKey?: string
  /**
   * For an operation that returns bytes: only this range. A range beyond the end is 416
   * `range_not_satisfiable`.
   */
  range?: ByteSpan
  /**
   * For an operation that returns bytes: the media types you accept, as in the header `Accept`.
   * Default: all.
   */
  accept?: string
  /** Called with what the value does not contain, such as the entity tag for a later `ifMatch`. */
  onAnswer?: (about: AnswerInfo) => void
  /**
   * Your id for the request. It appears in the log, in errors and in the journal. Default: a new
   * one.
   */
  requestId?: string
}

/** The input of an endpoint, as a caller sends it. */
export type InputOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never

/** The input of an operation after parsing, with defaults filled in. */
export type ParsedOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never

/**
 * A stream of events. Read it once with `for await`. Leaving the loop ends the stream. Aborting the
 * signal of the call also ends it and throws the signal's reason. The stream ends by itself when
 * the caller's token expires and when the service stops. If you do not read a stream, abort the
 * signal.
 */
export type Streamed<T> = AsyncIterable<T>

/** The result of an endpoint. */
export type OutputOf<E> =
  E extends EventsEndpoint<z.ZodObject, infer O>
    ? Streamed<z.output<O>>
    : E extends Endpoint<z.ZodObject, infer O>
      ? z.output<O>
      : never

/** An operation as a function. The input is optional if it has no required members. */
export type Operation<E> =
  {} extends InputOf<E>
    ? (input?: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>
    : (input: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>

/**
 * An operation on items of the content types in `C`. `K` is the content type: it is inferred from
 * the input's `type`. If the input has no `type`, you can name it (`items.get<'article'>(…)`), but
 * nothing checks it; otherwise the item can be of any type.
 */
export type TypedOperation<E, C extends object> = <K extends TypeNameOf<C> = TypeNameOf<C>>(
  input: TypedInput<InputOf<E>, C, K>,
  options?: CallOptions,
) => Promise<TypedOutput<OutputOf<E>, C, NoInfer<K>>>

/**
 * The typed API. The engine in your process, the client and the mock all implement it. With the
 * interface `ContentTypes` that `quire types` writes, the `fields` of items are typed.
 */
export type Api<C extends object = AnyContent> = {
  readonly [G in keyof Contract]: {
    readonly [O in keyof Contract[G]]: OperationOf<Contract[G][O], C>
  }
}

/**
 * Without content types, and for operations that return no item, the operation is as the contract
 * declares it.
 */
type OperationOf<E, C extends object> = string extends keyof C
  ? Operation<E>
  : [ItemWithin<OutputOf<E>>] extends [never]
    ? Operation<E>
    : TypedOperation<E, C>

/** An endpoint with its group and operation name. */
export interface NamedEndpoint {
  readonly group: string
  readonly operation: string
  readonly endpoint: Endpoint
}

/** Every endpoint, in the order of the contract. */
export const endpoints: readonly NamedEndpoint[] = Object.entries(contract).flatMap(([group, operations]) =>
  Object.entries<Endpoint>(operations).map(([operation, endpoint]) => ({ group, operation, endpoint })),
)
