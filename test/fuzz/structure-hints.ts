import type { Hinting, Hints } from './hinting.ts'
import { itemHints } from './item-hints.ts'
import type { Known, KnownCategory, KnownFolder } from './pool.ts'
import { preparedPackage } from './prepare.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

const onBranch: Hints = {
  configId: ({ pool }) => pool.magazine,
  packageName: () => preparedPackage,
  at: ({ random }) => (random.chance(0.3) ? Date.now() - random.below(30_000) : undefined),
  depth: ({ random }) => random.pick([1, 2, 50]),
  text: itemHints['text'] ?? (() => undefined),
  recursive: ({ random }) => random.chance(0.5),
}

export const folderHints: Hints = {
  ...onBranch,
  name: ({ random }) => nameOf(random, 'Folder'),
  id: ({ folder }) => folder?.id ?? 'FOLD_none-yet',
  parentId: (making) => parentOf(making, making.pool.folders)?.id ?? null,
}

export const taxonomyHints: Hints = {
  ...onBranch,
  name: ({ random }) => nameOf(random, 'Taxonomy'),
  id: ({ taxonomy }) => taxonomy?.id ?? 'TAXO_none-yet',
}

/** Hints for categories. The taxonomy is that of the category, if one is named. */
export const categoryHints: Hints = {
  ...onBranch,
  name: ({ random }) => nameOf(random, 'Category'),
  id: ({ category }) => category?.id ?? 'CATG_none-yet',
  taxonomyId: ({ category, taxonomy }) => category?.taxonomyId ?? taxonomy?.id ?? 'TAXO_none-yet',
  parentId: (making) => {
    const parent = parentOf(making, making.pool.categories)
    return parent?.taxonomyId === making.category?.taxonomyId ? (parent?.id ?? null) : null
  },
  order: ({ random }) => random.below(20) - 10,
}

function nameOf(random: Random, kind: string): string {
  return random.chance(0.2) ? wordOf(random) : `${kind} ${random.below(2000)}`
}

/** A possible parent. Half of the time there is none, so that trees stay shallow. */
function parentOf<T extends KnownFolder | KnownCategory>(
  { operation, random }: Hinting,
  known: Known<T>,
): T | undefined {
  if (!operation.path.endsWith('/tree') && random.chance(0.5)) return undefined
  const parent = known.pick(random)
  return parent && parent.isInPackage && !operation.id.endsWith('InPackage') ? undefined : parent
}
