import type { z } from 'zod'
import { access } from './connections/access/endpoints.ts'
import { activity } from './automation/activity/endpoints.ts'
import { admin } from './admin/endpoints.ts'
import { ai } from './connections/ai/endpoints.ts'
import { assets } from './files/assets/endpoints.ts'
import { auth } from './people/auth/endpoints.ts'
import { autoPackage, autoPackageRules } from './branches/auto-package/endpoints.ts'
import type { Endpoint, EventsEndpoint } from './endpoint.ts'
import { events } from './automation/events/endpoints.ts'
import { folders } from './content/folders/endpoints.ts'
import { graphql } from './delivery/graphql/endpoints.ts'
import { integrations } from './connections/integrations/endpoints.ts'
import { items } from './content/items/endpoints.ts'
import { rows } from './content/rows/endpoints.ts'
import { packages } from './branches/packages/endpoints.ts'
import { published } from './delivery/published/endpoints.ts'
import { queries, savedQueries } from './content/queries/endpoints.ts'
import { dependencies, references } from './content/references/endpoints.ts'
import { queue } from './automation/queue/endpoints.ts'
import { renditionPresets, renditions } from './files/renditions/endpoints.ts'
import { repositories } from './content/repositories/endpoints.ts'
import { transfer } from './branches/transfer/endpoints.ts'
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
import type { Streamed } from './api/call.ts'
import { schema } from './content/schema/endpoints.ts'
import { translations } from './content/translations/endpoints.ts'
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
  items: { ...items, ...rows },
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types,
  schema,
  folders,
  taxonomies,
  categories,
  references,
  dependencies,
  translations,
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
  repositories: { ...repositories, ...transfer },
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
  schema: 'Content Management',
  folders: 'Content Management',
  taxonomies: 'Content Management',
  categories: 'Content Management',
  references: 'References',
  dependencies: 'Dependencies',
  translations: 'Content Management',
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

/** The input of an endpoint, as a caller sends it. */
export type InputOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never

/** The input of an operation after parsing, with defaults filled in. */
export type ParsedOf<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never

/** The result of an endpoint. */
export type OutputOf<E> =
  E extends EventsEndpoint<z.ZodObject, infer O>
    ? Streamed<z.output<O>>
    : E extends Endpoint<z.ZodObject, infer O>
      ? z.output<O>
      : never

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
