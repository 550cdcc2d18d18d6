import type { Contract, Endpoint, OutputOf, ParsedOf } from '@quire/contract'
import { accessConfigurations } from './connections/access/configurations.ts'
import { activity } from './automation/activity/operations.ts'
import * as admin from './admin/operations.ts'
import * as assets from './files/assets/operations.ts'
import * as auth from './people/auth/operations.ts'
import type { Answer } from './engine/answer.ts'
import type { Call } from './engine/call.ts'
import type { CallOf, TargetOf } from './targets.ts'
import * as ai from './connections/ai/operations.ts'
import * as autoPackage from './branches/auto-package/operations.ts'
import * as autoPackageRules from './branches/auto-package/rules.ts'
import { events } from './automation/events/operations.ts'
import * as folders from './content/folders/operations.ts'
import * as graphql from './delivery/graphql/operations.ts'
import * as integrations from './connections/integrations/operations.ts'
import * as items from './content/items/operations.ts'
import * as rows from './content/rows/operations.ts'
import { updateType } from './content/migrations/update-type.ts'
import * as packages from './branches/packages/operations.ts'
import * as published from './delivery/published/operations.ts'
import { queries, savedQueries } from './content/queries/operations.ts'
import * as queue from './automation/queue/operations.ts'
import { dependencies, references } from './content/references/operations.ts'
import * as renditionPresets from './files/renditions/presets.ts'
import * as renditions from './files/renditions/operations.ts'
import * as repositories from './content/repositories/operations.ts'
import * as transfer from './branches/transfer/operations.ts'
import * as security from './people/info/operations.ts'
import * as serviceAccounts from './people/service-accounts/operations.ts'
import * as users from './people/users/operations.ts'
import { bundles, catalog } from './people/bundles.ts'
import { groups } from './people/groups.ts'
import { roles } from './people/roles.ts'
import * as pages from './delivery/sites/page-operations.ts'
import * as sections from './delivery/sites/section-operations.ts'
import * as sites from './delivery/sites/operations.ts'
import * as categories from './content/taxonomies/category-operations.ts'
import * as taxonomies from './content/taxonomies/operations.ts'
import * as translations from './content/translations/operations.ts'
import * as schema from './content/schema/operations.ts'
import * as types from './content/types/operations.ts'
import * as uploads from './files/uploads/operations.ts'
import * as user from './people/user/operations.ts'
import * as webhooks from './automation/webhooks/operations.ts'
import * as workflow from './automation/workflow/operations.ts'
import * as workflowConnections from './automation/workflow/connections.ts'
import { workflowDefinitions } from './automation/workflow/definitions.ts'

/**
 * Implements an endpoint, for a call that `run` has authorized, whose input it has validated and
 * whose target it has found.
 */
export type OperationOf<E extends Endpoint> = (
  call: CallOf<E>,
  input: ParsedOf<E>,
  target: TargetOf<E>,
) => Promise<Answer<OutputOf<E>>>

/** Any operation, as seen by code that loops over the names. */
export type AnyOperation = (call: Call, input: unknown, target: unknown) => Promise<Answer<unknown>>

type Operations = {
  readonly [G in keyof Contract]: {
    readonly [O in keyof Contract[G]]: Contract[G][O] extends Endpoint ? OperationOf<Contract[G][O]> : never
  }
}

/** Every operation of the contract. */
export const operations: Operations = {
  auth,
  user,
  items: { ...items, ...rows },
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types: { ...types, update: updateType },
  schema,
  folders,
  taxonomies,
  categories,
  references,
  translations,
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
  repositories: { ...repositories, ...transfer },
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
