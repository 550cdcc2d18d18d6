import { accessHints, adminHints, webhookHints } from './admin-hints.ts'
import { assetHints, presetHints, renditionHints, uploadHints } from './asset-hints.ts'
import { graphDocument } from './graph-documents.ts'
import { graphHints } from './graph-hints.ts'
import type { Hints, Making } from './hinting.ts'
import {
  activityHints,
  eventHints,
  queryHints,
  queueHints,
  referenceHints,
  savedQueryHints,
  translationHints,
} from './finding-hints.ts'
import { bundleHints, groupHints, infoHints, userHints } from './people-hints.ts'
import { itemHints } from './item-hints.ts'
import { cursorText } from './list-queries.ts'
import type { FuzzOperation } from './operations.ts'
import type { Known, KnownFolder, KnownItem, KnownPreset } from './pool.ts'
import type { Random } from './random.ts'
import { autoPackageHints, packageHints } from './package-hints.ts'
import { aiHints, integrationHints } from './passing-hints.ts'
import { pageHints, sectionHints, siteHints } from './site-hints.ts'
import { categoryHints, folderHints, taxonomyHints } from './structure-hints.ts'
import { connectionHints, definitionHints, workflowHints } from './workflow-hints.ts'

/** Meaningful values for the members of one request: existing ids, and names that fit together. */
export function hintsFor(making: Making): (name: string, depth: number) => unknown {
  const item = itemFor(making)
  const type = making.pool.types.pick(making.random)
  const secret = making.pool.secrets.pick(making.random)
  const preset = presetFor(making)
  const { folders, taxonomies, categories, sites, sections, pages } = making.pool
  const [folder, taxonomy, category] = [
    locationFor(making, folders),
    locationFor(making, taxonomies),
    locationFor(making, categories),
  ]
  const [site, section, page] = [
    locationFor(making, sites),
    locationFor(making, sections),
    locationFor(making, pages),
  ]
  const delivery = making.pool.deliveries.pick(making.random)
  const review = making.random.pick(making.pool.reviews)
  const group = making.operation.id.split('.')[0] ?? ''
  const graph = group === 'graphql' ? graphDocument(making, item) : undefined
  const hinting = {
    ...making,
    type,
    secret,
    preset,
    folder,
    taxonomy,
    category,
    site,
    section,
    page,
    delivery,
    review,
    graph,
  }
  const own = byGroup[group]
  return (name, depth) => {
    const hint = own?.[name] ?? common[name]
    return depth === 1 || anyDepth.has(name) ? hint?.(hinting, item) : undefined
  }
}

// Members that have the same meaning at any depth.
const anyDepth = new Set([
  'slugFrom',
  'titleField',
  'cardTemplate',
  'pattern',
  'schema',
  'taxonomyId',
  'allowedTypes',
  'global',
])

/** An item on the request's branch: main sees only its own items, a package also those of main. */
function itemFor(making: Making): KnownItem | undefined {
  const { operation, pool } = making
  const wantsPackage = operation.id.endsWith('InPackage') || operation.id.startsWith('packages.')
  for (let attempt = 0; attempt < 8; attempt++) {
    const item = anyItemFor(making)
    if (item && (wantsPackage ? item.repositoryId === pool.magazine : !item.isInPackage)) return item
  }
  return undefined
}

function anyItemFor({ operation, random, pool }: Making): KnownItem | undefined {
  if (operation.id.startsWith('items.undelete')) return pool.deleted.pick(random)
  if (operation.id.startsWith('renditions.remove')) return pool.made.pick(random)
  if (!/^(assets|renditions|published\.(asset|embed|oembed))/.test(operation.id))
    return pool.items.pick(random)
  const changes = operation.method === 'PUT'
  return (changes ? pool.assets.pickExpendable(random) : undefined) ?? pool.assets.pick(random)
}

function presetFor({ operation: { method }, random, pool }: Making): KnownPreset | undefined {
  return method === 'GET' ? pool.presets.pick(random) : pool.presets.pickExpendable(random)
}

/**
 * A folder, taxonomy or category on the request's branch. Prepared ones are used only by requests
 * that do not delete or move them.
 */
function locationFor<T extends KnownFolder>(
  { operation: { id, method }, random }: Making,
  known: Known<T>,
): T | undefined {
  const isStored = method === 'GET' || method === 'PATCH' || /\.create/.test(id)
  const location = isStored ? known.pick(random) : known.pickExpendable(random)
  return location?.isInPackage && !id.endsWith('InPackage') ? undefined : location
}

const common: Hints = {
  limit: ({ random }) => random.pick([1, 2, 5, 10, 25]),
  offset: ({ random }) => random.below(20),
  cursor: ({ random, pool }) => (random.chance(0.5) ? cursorText(random, pool) : undefined),
  displayName: ({ random }) => `Display ${random.below(1000)}`,
  description: ({ random }) => random.pick(['', 'About ink', 'x'.repeat(300)]),
  dryRun: ({ random }) => random.chance(0.2),
}

const types: Hints = {
  id: ({ operation, random, pool }) => refFor(operation, { random, known: pool.typeRefs }) ?? 'article',
  name: ({ random }) => `type-${random.below(300)}`,
  apiName: ({ random }) => (random.chance(0.5) ? `Type${random.below(300)}` : undefined),
  slugFrom: ({ random }) => random.pick([null, 'title', 'nope']),
  titleField: ({ random }) => random.pick([null, 'title']),
  cardTemplate: ({ random }) =>
    random.pick([
      null,
      '<b>{{ item.name }}</b>',
      '{{ item.fields.title | upcase }}',
      '{% if %}',
      '{{ item',
      '{{ 1 | x }}',
    ]),
  pattern: ({ random }) => random.pick(['[a-z]+', '(a+)+$', '\\d{1,3}', '(', '.*']),
  schema: ({ random }) =>
    random.pick<unknown>([
      null,
      { type: 'object' },
      { type: 'string', maxLength: 3 },
      { type: 7 },
      { $ref: '#/x' },
    ]),
  taxonomyId: () => null,
}

const repositories: Hints = {
  id: ({ operation, random, pool }) => refFor(operation, { random, known: pool.repositories }),
  name: ({ random }) => `repo-${random.below(300)}`,
  allowedTypes: ({ random }) => (random.chance(0.9) ? [] : ['article']),
}

const roles: Hints = {
  id: ({ operation, random, pool }) => refFor(operation, { random, known: pool.roles }),
  bundles: ({ random }) => random.pick([[], ['bundle.viewer'], ['bundle.editor'], ['bundle.nope']]),
  groups: () => [],
  users: () => [],
  global: ({ random }) => random.pick([[], ['items.read'], ['nope']]),
}

const serviceAccounts: Hints = {
  id: ({ operation, random, pool, secret }) =>
    operation.path.includes('{secretId}')
      ? secret?.account
      : refFor(operation, { random, known: pool.accounts }),
  secretId: ({ secret }) => secret?.id,
  roles: ({ random, pool }) => random.pick([[], [pool.roles.pick(random) ?? 'ROLE_1']]),
  groups: () => [],
}

const auth: Hints = {
  explain: () => 'items.read',
}

const autoPackageRules: Hints = {
  // An active rule keeps saves from main, so rules are for the repository that receives few saves.
  repositoryId: ({ pool }) => pool.rule.repositoryId,
  id: ({ operation, random, pool }) => refFor(operation, { random, known: pool.rules }),
  name: ({ random }) => `rule ${random.below(400)}`,
  types: () => ['author'],
  folders: () => [],
  statuses: ({ random }) => random.pick([[], ['published']]),
  enabled: () => false,
  packageNameTemplate: ({ random }) => random.pick([null, '{{ item.name }}', '{% if %}', '{{ x | y }}']),
}

const published: Hints = {
  ...assetHints,
  version: ({ random }) => random.pick([undefined, 'latest', 'latestpublished', '1']),
  url: ({ pool }, item) => `${pool.address}/api/embed/${item?.repositoryId}/${item?.id}`,
  maxwidth: ({ random }) => random.below(3000),
  maxheight: ({ random }) => random.below(3000),
}

const byGroup: Readonly<Record<string, Hints>> = {
  items: itemHints,
  translations: translationHints,
  assets: assetHints,
  renditions: renditionHints,
  renditionPresets: presetHints,
  uploads: uploadHints,
  types,
  packages: packageHints,
  autoPackage: autoPackageHints,
  autoPackageRules,
  repositories,
  roles,
  bundles: bundleHints,
  users: userHints,
  groups: groupHints,
  security: infoHints,
  serviceAccounts,
  published,
  auth,
  folders: folderHints,
  taxonomies: taxonomyHints,
  categories: categoryHints,
  sites: siteHints,
  sections: sectionHints,
  pages: pageHints,
  references: referenceHints,
  dependencies: referenceHints,
  activity: activityHints,
  events: eventHints,
  queries: queryHints,
  graphql: graphHints,
  queue: queueHints,
  webhooks: webhookHints,
  workflow: workflowHints,
  workflowConnections: connectionHints,
  workflowDefinitions: definitionHints,
  access: accessHints,
  ai: aiHints,
  integrations: integrationHints,
  savedQueries: savedQueryHints,
  admin: adminHints,
}

interface Choice {
  readonly random: Random
  readonly known: {
    pick(random: Random): string | undefined
    pickExpendable(random: Random): string | undefined
  }
}

/** Reads may use any entity. Updates and deletes use only expendable ones. */
function refFor({ method }: FuzzOperation, { random, known }: Choice): string | undefined {
  return method === 'GET' ? known.pick(random) : (known.pickExpendable(random) ?? 'nothing-yet')
}
