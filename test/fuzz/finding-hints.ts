import { hostileText } from './hostile.ts'
import type { Hinting, Hints } from './hinting.ts'
import { itemHints } from './item-hints.ts'
import { queryFilter, queryName } from './list-queries.ts'
import { preparedQuery } from './prepare-structure.ts'
import { preparedPackage, translatedRepository } from './prepare.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

/** Hints for references to an item, and for its activity. */
export const referenceHints: Hints = {
  ...itemHints,
  itemId: (_, item) => item?.id,
  assetId: (_, item) => item?.id,
  depth: ({ random }) => 1 + random.below(10),
}

/** Hints for translations. */
export const translationHints: Hints = {
  configId: () => translatedRepository,
  packageName: () => preparedPackage,
  locale: ({ random }) => (random.chance(0.9) ? 'de' : random.pick(['en', 'fr', hostileText(random)])),
  itemId: (_, item) => item?.id,
}

/** Hints for the activity of a repository. */
export const activityHints: Hints = {
  ...referenceHints,
  packageName: () => preparedPackage,
  entityId: (_, item) => item?.id,
  user: ({ random, pool }) => random.pick([pool.accounts.pick(random), 'system:fuzz', 'nobody@example.org']),
  event: ({ random }) => random.pick(['ITEM_CREATED', 'ITEM_UPDATED', 'PACKAGE_MERGED', 'FOLDER_CREATED']),
  since: someTime,
  until: someTime,
}

/** Hints for event streams. */
export const eventHints: Hints = {
  repositories: ({ random, pool }) => [
    random.chance(0.9) ? pool.repositories.pick(random) : hostileText(random).slice(0, 200),
  ],
  events: ({ random }) => [random.pick(['ITEM_CREATED', 'ITEM_UPDATED', 'PACKAGE_MERGED', 'FOLDER_CREATED'])],
  lastEventId: ({ random, pool }) => pool.events.pick(random) ?? (random.chance(0.1) ? '17' : undefined),
}

function someTime({ random }: Hinting): number {
  return random.chance(0.2) ? random.pick([0, 8_640_000_000_000_000]) : Date.now() - random.below(60_000)
}

export const queueHints: Hints = {
  jobId: ({ random, pool }) => pool.jobs.pick(random),
  repositoryId: ({ random, pool }) => (random.chance(0.3) ? pool.repositories.pick(random) : undefined),
  kind: ({ random }) => random.pick([undefined, 'webhook.deliver', 'docs.sync', 'nothing']),
}

/** Hints for queries, both inline and saved. */
export const queryHints: Hints = {
  ...itemHints,
  configId: ({ operation, random, pool }) =>
    /InPackage|runSaved/.test(operation.id) || random.chance(0.7)
      ? pool.magazine
      : pool.repositories.pick(random),
  packageName: () => preparedPackage,
  name: ({ random, pool }) => pool.queries.pick(random) ?? preparedQuery,
  text: ({ random }) => searchText(random),
  type: ({ random, type }) => (random.chance(0.3) ? type?.name : undefined),
  filter: ({ random, pool }) => queryFilter(random, pool),
  facets: ({ random, pool }) => facetList({ random, pool }),
  facetLimit: ({ random }) => 1 + random.below(30),
  limit: ({ random }) => random.pick([1, 2, 10, 100]),
  include: ({ random }) => random.pick([undefined, ['author'], ['related'], ['title']]),
}

/** Words, phrases, and syntax of various search engines. */
function searchText(random: Random): string {
  if (random.chance(0.3)) return hostileText(random).slice(0, 500)
  const word = wordOf(random)
  return random.pick([word, `"${word}"`, word.slice(0, 2), `${word} made`, '墨', 'Über', 'ink ink'])
}

function facetList({ random, pool }: Pick<Hinting, 'random' | 'pool'>): string[] {
  const members = ['type', 'status', 'folderId', 'categories'] as const
  const count = 1 + random.below(4)
  return Array.from({ length: count }, () =>
    random.chance(0.7) ? random.pick(members) : queryName(random, pool),
  )
}

export const savedQueryHints: Hints = {
  configId: ({ pool }) => pool.magazine,
  name: ({ operation, random, pool }) => {
    if (operation.id === 'savedQueries.create') return `query-${random.below(300)}`
    if (operation.method === 'GET') return pool.queries.pick(random)
    return pool.queries.pickExpendable(random) ?? 'none-yet'
  },
  query: ({ random, pool }) => ({
    text: random.pick<unknown>([searchText(random), { $param: 'words' }]),
    filter: queryFilter(random, pool),
    limit: random.pick<unknown>([5, { $param: 'most' }]),
  }),
  parameters: () => [
    { name: 'words', kind: 'text', default: 'oak' },
    { name: 'most', kind: 'number', default: 7 },
    { name: 'least', kind: 'number', default: null },
  ],
}

/** The parameters of a saved query in the form of a query string: pairs of name and text. */
export function parameterPairs(random: Random): [string, string][] {
  const pairs: [string, string][] = [
    ['parameters[words]', searchText(random)],
    ['parameters[least]', random.chance(0.9) ? String(random.below(100)) : hostileText(random).slice(0, 500)],
    ['parameters[types]', random.pick(['article', 'article,author', '', 'a\\,b'])],
    ['parameters[most]', String(1 + random.below(20))],
  ]
  return pairs.filter(() => random.chance(0.4))
}
