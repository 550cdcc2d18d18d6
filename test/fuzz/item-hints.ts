import { fieldValues } from './field-values.ts'
import type { Hints, Making } from './hinting.ts'
import { selectList, sortText } from './list-queries.ts'
import { preparedPackage } from './prepare.ts'

export const itemHints: Hints = {
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
  folderId: (making) => (making.random.chance(0.7) ? null : folderId(making)),
  categories: (making) => (making.random.chance(0.7) ? [] : [categoryId(making)]),
  readPerm: roleIds,
  writePerm: roleIds,
  deletePerm: roleIds,
  categoryId,
  baseVersion: ({ random }, item) => 1 + random.below(item?.version ?? 1),
  version: ({ operation, random }, item) =>
    operation.method === 'POST'
      ? 1 + random.below(item?.version ?? 1)
      : random.pick(['latest', 'latestpublished', '1', String(item?.version ?? 1)]),
  from: ({ random }, item) => String(1 + random.below(item?.version ?? 1)),
  to: ({ random }) => random.pick(['latest', '1', 'latestpublished']),
  at: ({ random }) => (random.chance(0.4) ? Date.now() + random.pick([-30_000, 0, 3_600_000]) : undefined),
  ids: ({ random, pool }, item) => [item?.id ?? 'CONT_1', pool.items.pick(random)?.id ?? 'CONT_2'],
  input: bulkInput,
  sort: ({ random, pool }) => sortText(random, pool),
  select: ({ random, pool }) => selectList(random, pool),
  include: ({ random }) => random.pick([['author'], ['related'], ['author', 'related'], ['title']]),
  text: ({ random }) => random.pick(['ink', 'oak gall', 'ö', '墨', 'x y z', '"', "' OR", 'a*']),
}

function folderId({ random, pool }: Making): string | undefined {
  return pool.folders.pick(random)?.id
}

function categoryId({ random, pool }: Making): string | undefined {
  return pool.categories.pick(random)?.id
}

function roleIds({ random, pool }: Making): string[] {
  const role = random.chance(0.1) ? pool.roles.pick(random) : undefined
  return role === undefined ? [] : [role]
}

function bulkInput(making: Making): unknown {
  const { random, pool } = making
  return random.pick<unknown>([
    {},
    { name: `Bulk ${random.below(100)}` },
    { folderId: null },
    { categoryId: categoryId(making) },
    { fields: fieldValues(pool.types.pick(random)?.fields ?? [], random, pool) },
  ])
}
