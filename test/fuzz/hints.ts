import { fieldValues } from './field-values.ts'
import { cursorText, selectList, sortText } from './list-queries.ts'
import type { FuzzOperation } from './operations.ts'
import type { KnownItem, KnownSecret, KnownType, Pool } from './pool.ts'
import type { Random } from './random.ts'
import { preparedCategory, preparedFolder } from './prepare-entities.ts'
import { preparedPackage } from './prepare.ts'

/** What a request is made from. */
export interface Making {
  readonly operation: FuzzOperation
  readonly random: Random
  readonly pool: Pool
}

/** Values that mean something for the members of one request: ids that are there, names that fit together. */
export function hintsFor(making: Making): (name: string, depth: number) => unknown {
  const item = itemFor(making)
  const type = making.pool.types.pick(making.random)
  const secret = making.pool.secrets.pick(making.random)
  const group = making.operation.id.split('.')[0] ?? ''
  const own = byGroup[group]
  return (name, depth) => {
    const hint = own?.[name] ?? common[name]
    return depth === 1 || anyDepth.has(name) ? hint?.({ ...making, type, secret }, item) : undefined
  }
}

// Members that mean the same wherever they stand.
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

/** An item on the line that the request works on: main sees only its own, a package main's too. */
function itemFor({ operation, random, pool }: Making): KnownItem | undefined {
  const wantsPackage = operation.id.endsWith('InPackage') || operation.id.startsWith('packages.')
  const known = operation.id.startsWith('items.undelete') ? pool.deleted : pool.items
  for (let attempt = 0; attempt < 8; attempt++) {
    const item = known.pick(random)
    if (item && (wantsPackage ? item.repositoryId === pool.magazine : !item.isInPackage)) return item
  }
  return undefined
}

/** What hints share: the same type for every member of a request. */
interface Hinting extends Making {
  readonly type: KnownType | undefined
  readonly secret: KnownSecret | undefined
}

type Hint = (making: Hinting, item: KnownItem | undefined) => unknown
type Hints = Readonly<Record<string, Hint>>

const common: Hints = {
  limit: ({ random }) => random.pick([1, 2, 5, 10, 25]),
  offset: ({ random }) => random.below(20),
  cursor: ({ random, pool }) => (random.chance(0.5) ? cursorText(random, pool) : undefined),
  displayName: ({ random }) => `Display ${random.below(1000)}`,
  description: ({ random }) => random.pick(['', 'About ink', 'x'.repeat(300)]),
  dryRun: ({ random }) => random.chance(0.2),
}

const items: Hints = {
  configId: ({ operation, random, pool }, item) =>
    operation.id.endsWith('InPackage')
      ? pool.magazine
      : (item?.repositoryId ?? pool.repositories.pick(random)),
  repositoryId: ({ random, pool }) => (random.chance(0.6) ? pool.magazine : pool.repositories.pick(random)),
  packageName: () => preparedPackage,
  id: (_, item) => item?.id,
  slug: ({ operation, random }, item) =>
    operation.path.includes('{slug}')
      ? item?.slug
      : random.chance(0.3)
        ? `slug-${random.below(200)}`
        : undefined,
  type: ({ type }) => type?.name,
  fields: ({ random, pool, type }) => fieldValues(type?.fields ?? [], random, pool),
  folderId: ({ random }) => (random.chance(0.7) ? null : preparedFolder),
  categories: ({ random }) => (random.chance(0.7) ? [] : [preparedCategory]),
  readPerm: roleIds,
  writePerm: roleIds,
  deletePerm: roleIds,
  categoryId: () => preparedCategory,
  baseVersion: ({ random }, item) => 1 + random.below(item?.version ?? 1),
  version: ({ operation, random }, item) =>
    operation.method === 'POST'
      ? 1 + random.below(item?.version ?? 1)
      : random.pick(['latest', 'latestpublished', '1', String(item?.version ?? 1)]),
  from: ({ random }, item) => String(1 + random.below(item?.version ?? 1)),
  to: ({ random }) => random.pick(['latest', '1', 'latestpublished']),
  at: ({ random }) => (random.chance(0.3) ? Date.now() - random.below(30_000) : undefined),
  ids: ({ random, pool }, item) => [item?.id ?? 'CONT_1', pool.items.pick(random)?.id ?? 'CONT_2'],
  input: bulkInput,
  sort: ({ random, pool }) => sortText(random, pool),
  select: ({ random, pool }) => selectList(random, pool),
  include: ({ random }) => random.pick([['author'], ['related'], ['author', 'related'], ['title']]),
  text: ({ random }) => random.pick(['ink', 'oak gall', 'ö', '墨', 'x y z', '"', "' OR", 'a*']),
}

function roleIds({ random, pool }: Making): string[] {
  const role = random.chance(0.1) ? pool.roles.pick(random) : undefined
  return role === undefined ? [] : [role]
}

function bulkInput({ random, pool }: Making): unknown {
  return random.pick<unknown>([
    {},
    { name: `Bulk ${random.below(100)}` },
    { folderId: null },
    { categoryId: preparedCategory },
    { fields: fieldValues(pool.types.pick(random)?.fields ?? [], random, pool) },
  ])
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

const packages: Hints = {
  repo: ({ pool }) => pool.magazine,
  packageName: ({ operation, random, pool }) =>
    isHarmless(operation) ? preparedPackage : (pool.packages.pickExpendable(random) ?? 'nothing-yet'),
  name: ({ random }) => `package ${random.below(400)}`,
  state: ({ random }) => random.pick([undefined, 'open', 'merged', 'deleted']),
  id: (_, item) => item?.id,
  entityId: (_, item) => item?.id,
  resolutions: ({ random }, item) =>
    random.chance(0.8)
      ? []
      : [{ id: item?.id ?? 'CONT_1', path: random.pick(['', 'name', 'slug']), use: 'ours' }],
  planId: () => undefined,
}

/** What leaves a package open and in its place. */
function isHarmless({ id }: FuzzOperation): boolean {
  return !['packages.merge', 'packages.delete', 'packages.revert'].includes(id)
}

const autoPackage: Hints = {
  repositoryId: ({ pool }) => pool.rule.repositoryId,
  ruleId: ({ pool }) => pool.rule.id,
  packageAction: ({ random }) => random.pick(['createNew', 'createNew', 'addToExisting']),
  packageName: () => preparedPackage,
  newPackageName: ({ random }) => `new ${random.below(400)}`,
  item: ({ random }) => ({ type: random.pick(['author', 'author', 'article']), name: 'Ada' }),
}

const autoPackageRules: Hints = {
  repositoryId: ({ pool }) => pool.magazine,
  id: ({ operation, random, pool }) => refFor(operation, { random, known: pool.rules }),
  name: ({ random }) => `rule ${random.below(400)}`,
  types: () => ['author'],
  folders: () => [],
  statuses: ({ random }) => random.pick([[], ['published']]),
  // One that holds would keep most saves from main.
  enabled: () => false,
  packageNameTemplate: ({ random }) => random.pick([null, '{{ item.name }}', '{% if %}', '{{ x | y }}']),
}

const byGroup: Readonly<Record<string, Hints>> = {
  items,
  types,
  packages,
  autoPackage,
  autoPackageRules,
  repositories,
  roles,
  serviceAccounts,
  auth,
}

interface Choice {
  readonly random: Random
  readonly known: {
    pick(random: Random): string | undefined
    pickExpendable(random: Random): string | undefined
  }
}

/** Reads may look at anything; what changes or deletes keeps its hands off what was prepared. */
function refFor({ method }: FuzzOperation, { random, known }: Choice): string | undefined {
  return method === 'GET' ? known.pick(random) : (known.pickExpendable(random) ?? 'nothing-yet')
}
