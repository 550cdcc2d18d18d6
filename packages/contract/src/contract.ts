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

/** The tag that a group has in specification 1. */
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

/** What an answer carries beside its value. */
export interface AnswerInfo {
  /** The strong entity tag of the revision, without quotes; null when the answer has none. */
  readonly etag: string | null
  /** Whether an earlier call with the same Idempotency-Key gave this answer. */
  readonly replayed: boolean
}

/** What can be said of one call, beside its input. The same in every place. */
export interface CallOptions {
  /** Aborts the call. In process it is looked at before the work begins. */
  signal?: AbortSignal
  /** The ETag of the revision that the write expects: another is 412 `precondition_failed`. */
  ifMatch?: string
  /** POST only: the same key and input within 24 hours answer what the first call answered. At most 255 characters. */
  idempotencyKey?: string
  /** Of what answers bytes: only these. Beyond them it is 416 `range_not_satisfiable`. */
  range?: ByteSpan
  /** Of what answers bytes: the media types that you take, as in the header `Accept`. Default: all. */
  accept?: string
  /** Told of the answer what is not in it: its entity tag, for a later `ifMatch`. */
  onAnswer?: (about: AnswerInfo) => void
  /** Your id of the request: in the log, in errors and in the journal. Default: a new one. */
  requestId?: string
}

/** What a caller sends to an endpoint. */
export type InputOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never

/** What an operation is given: parsed, defaults filled in. */
export type ParsedOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never

/**
 * Events as they come. Read it by `for await`, once: leaving the loop ends it, and so does the signal of the call, whose reason is then
 * thrown. It ends by itself when its caller's token does, and when the service stops. One that is not read is to be ended by the signal.
 */
export type Streamed<T> = AsyncIterable<T>

/** What an endpoint answers. */
export type OutputOf<E> =
  E extends EventsEndpoint<z.ZodObject, infer O>
    ? Streamed<z.output<O>>
    : E extends Endpoint<z.ZodObject, infer O>
      ? z.output<O>
      : never

/** An operation as called. Without required members the input may be left out. */
export type Operation<E> =
  {} extends InputOf<E>
    ? (input?: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>
    : (input: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>

/**
 * An operation on items of the content types that `C` knows. `K` is of which: taken from the input's `type`; where an input has none it
 * may be said (`items.get<'article'>(…)`), which nobody checks; else it is any of them.
 */
export type TypedOperation<E, C extends object> = <K extends TypeNameOf<C> = TypeNameOf<C>>(
  input: TypedInput<InputOf<E>, C, K>,
  options?: CallOptions,
) => Promise<TypedOutput<OutputOf<E>, C, NoInfer<K>>>

/**
 * The one typed API: the engine in your process, the client and the mock all have this shape. With `ContentTypes`, as `quire types` writes
 * it, the `fields` of items are typed.
 */
export type Api<C extends object = AnyContent> = {
  readonly [G in keyof Contract]: {
    readonly [O in keyof Contract[G]]: OperationOf<Contract[G][O], C>
  }
}

/** Without types, and where no item is answered, an operation is as the contract has it. */
type OperationOf<E, C extends object> = string extends keyof C
  ? Operation<E>
  : [ItemWithin<OutputOf<E>>] extends [never]
    ? Operation<E>
    : TypedOperation<E, C>

/** An endpoint with its place in the contract. */
export interface NamedEndpoint {
  readonly group: string
  readonly operation: string
  readonly endpoint: Endpoint
}

/** Every endpoint, in the order of the contract. */
export const endpoints: readonly NamedEndpoint[] = Object.entries(contract).flatMap(([group, operations]) =>
  Object.entries<Endpoint>(operations).map(([operation, endpoint]) => ({ group, operation, endpoint })),
)
