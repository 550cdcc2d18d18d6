import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { accessConfigurations } from './access-configurations/index.ts'
import { activity } from './activity/index.ts'
import { admin } from './admin/index.ts'
import { assets } from './assets/index.ts'
import { auth } from './auth/index.ts'
import type { Answer } from './call/answer.ts'
import type { Call } from './call/call.ts'
import { ai } from './ai/index.ts'
import { autoPackage, autoPackageRules } from './auto-package/index.ts'
import { events } from './events/index.ts'
import { folders } from './folders/index.ts'
import { graphql } from './graphql/index.ts'
import { integrations } from './integrations/index.ts'
import { items } from './items/index.ts'
import { updateType } from './migrations/update-type.ts'
import { packages } from './packages/index.ts'
import { published } from './published/index.ts'
import { queries, savedQueries } from './queries/index.ts'
import { queue } from './queue/index.ts'
import { dependencies, references } from './references/index.ts'
import { renditionPresets, renditions } from './renditions/index.ts'
import { repositories } from './repositories/index.ts'
import { bundles, catalog, groups, roles, security, serviceAccounts, users } from './security/index.ts'
import { pages, sections, sites } from './sites/index.ts'
import { categories, taxonomies } from './taxonomies/index.ts'
import { types } from './types/index.ts'
import { uploads } from './uploads/index.ts'
import { user } from './user/index.ts'
import { webhooks } from './webhooks/index.ts'
import { workflow, workflowConnections, workflowDefinitions } from './workflow/index.ts'

/** An operation: what an endpoint does, for a call that `run` has let through. */
export type OperationOf<E> = (call: Call, input: ParsedOf<E>) => Promise<Answer<OutputOf<E>>>

/** Any operation, seen from the loop over names. */
export type AnyOperation = (call: Call, input: unknown) => Promise<Answer<unknown>>

type Operations = {
  readonly [G in keyof Contract]: { readonly [O in keyof Contract[G]]: OperationOf<Contract[G][O]> }
}

/** Every operation of the contract. */
export const operations: Operations = {
  auth,
  user,
  items,
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types: { ...types, update: updateType },
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
  permissions: { catalog },
  users,
  groups,
  serviceAccounts,
  security,
  sites,
  sections,
  pages,
  queue,
  webhooks,
  access: accessConfigurations,
  ai,
  integrations,
  admin,
}
