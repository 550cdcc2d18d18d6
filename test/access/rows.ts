import { endpoints, type Contract, type Endpoint } from '@quire/contract'
import { access } from './inputs/access.ts'
import { admin } from './inputs/admin.ts'
import { assets, original, renditionPresets, renditions, uploads, uploadsOfAnother } from './inputs/assets.ts'
import {
  activity,
  dependencies,
  events,
  queries,
  references,
  referredByHidden,
  savedQueries,
  translations,
} from './inputs/finding.ts'
import { graphql } from './inputs/graphql.ts'
import type { InputMakers } from './inputs/input-makers.ts'
import { bulkOf, items } from './inputs/items.ts'
import { auth, repositories, schema, types, user } from './inputs/others.ts'
import { approval, autoPackage, autoPackageRules, packages, pageDiffOfAnother } from './inputs/packages.ts'
import { ai, integrations } from './inputs/passing.ts'
import { published } from './inputs/published.ts'
import { queue } from './inputs/queue.ts'
import { bundles, groups, permissions, roles, security, serviceAccounts, users } from './inputs/security.ts'
import { pages, sections, sites } from './inputs/sites.ts'
import { categories, folders, fullFolder, heldCategory, taxonomies } from './inputs/structure.ts'
import { webhooks } from './inputs/webhooks.ts'
import { workflow, workflowConnections, workflowDefinitions } from './inputs/workflow.ts'
import type { RepositoryName } from './site.ts'
import type { Targets } from './targets.ts'

/** A valid input for each operation of the contract. A missing operation is a compile error. */
const makers: { readonly [G in keyof Contract]: InputMakers<G> } = {
  auth,
  user,
  items,
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types,
  schema,
  packages,
  autoPackage,
  autoPackageRules,
  repositories,
  roles,
  bundles,
  permissions,
  users,
  groups,
  serviceAccounts,
  security,
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
  sites,
  sections,
  pages,
  queue,
  webhooks,
  workflow,
  workflowConnections,
  workflowDefinitions,
  access,
  ai,
  integrations,
  admin,
}

type InputMaker = (at: Targets) => unknown

/** A row of the matrix: a route and a request to it. */
export interface Row {
  /** `items.get GET /api/items/{configId}/{id}`, with variants in brackets. */
  readonly name: string
  /** `items.get`. */
  readonly operation: string
  readonly endpoint: Endpoint
  readonly repository: RepositoryName
  readonly onPackage: boolean
  readonly input: InputMaker
}

interface Particular {
  readonly about: string
  readonly repository?: RepositoryName
  readonly input: InputMaker
}

// Variants of a request for which a route has other permissions than for its plain input.
const particulars: Readonly<Record<string, readonly Particular[]>> = {
  'items.bulk': (['publish', 'archive', 'delete'] as const).map((action) => ({
    about: action,
    input: (at) => bulkOf(at, action),
  })),
  'folders.delete': [{ about: 'full', input: fullFolder }],
  'categories.delete': [{ about: 'held', input: heldCategory }],
  'references.items': [{ about: 'referred by another', input: referredByHidden }],
  'dependencies.get': [{ about: 'referred by another', input: referredByHidden }],
  'packages.addComment': [{ about: 'to approve', input: approval }],
  'packages.showPageDiff': [{ about: 'of another', input: pageDiffOfAnother }],
  'assets.get': [{ about: 'original', input: original }],
  'uploads.get': [{ about: 'of another', input: uploadsOfAnother.get }],
  'uploads.append': [{ about: 'of another', input: uploadsOfAnother.append }],
  'uploads.terminate': [{ about: 'of another', input: uploadsOfAnother.terminate }],
}

/** Every row, in the order of the contract. */
export const rows: readonly Row[] = endpoints.flatMap(({ group, operation, endpoint }) => {
  const name = `${group}.${operation}`
  const { method, path, packagePath } = endpoint
  const input = makerOf(group, operation)
  const plain: Row = {
    name: `${name} ${method} ${path}`,
    operation: name,
    endpoint,
    repository: 'magazine',
    onPackage: false,
    input,
  }
  const onPackage = { ...plain, name: `${name} ${method} ${packagePath}`, onPackage: true }
  const particular = particularsOf(plain).map(({ about, ...others }) => ({
    ...plain,
    ...others,
    name: `${plain.name} (${about})`,
  }))
  return [plain, ...(packagePath === undefined ? [] : [onPackage]), ...particular]
})

function particularsOf({ operation, endpoint, input }: Row): readonly Particular[] {
  if (endpoint.permission !== 'published') return particulars[operation] ?? []
  return [{ about: 'in a public repository', repository: 'gazette', input }]
}

function makerOf(group: string, operation: string): InputMaker {
  // The documented border between the typed map above and the names of the loop.
  const named = makers as unknown as Readonly<Record<string, Readonly<Record<string, InputMaker>>>>
  const maker = named[group]?.[operation]
  if (!maker) throw new Error(`${group}.${operation} has no input: add it to test/access/inputs`)
  return maker
}
