import { fileName } from './files.ts'
import type { Hinting, Hints } from './hinting.ts'
import { itemHints } from './item-hints.ts'
import type { KnownItem } from './pool.ts'
import { assetTypeOf, preparedOrigin, preparedPreset } from './prepare-assets.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

// No file server answers. The repository names only the first origin.
const urls = [
  `${preparedOrigin}/galls.png`,
  `${preparedOrigin}/a%2Fb?q=1#top`,
  'http://127.0.0.1:1/',
  'https://ada:secret@fuzz.invalid/',
  'https://other.invalid/galls.png',
  'file:///etc/passwd',
  'galls.png',
]

// The default limit of a repository, and the limit of the contract.
const permittedSide = 4000
const longestSide = 6000

export const assetHints: Hints = {
  ...itemHints,
  configId: (making, item) =>
    making.operation.id.startsWith('assets.create') && making.random.chance(0.7)
      ? making.pool.magazine
      : itemHints['configId']?.(making, item),
  assetId: (_, item) => item?.id,
  rendition: ({ random }, item) =>
    random.pick(['original', 'original', 'thumbnail', 'small', 'card', preparedPreset, anyOf(item, random)]),
  type: ({ sending }) => assetTypeOf(sending.file),
  fields: ({ random }) => random.pick([{}, { alt: wordOf(random) }]),
  fileName: ({ random }) => fileName(random).slice(0, 500),
  url: ({ random }) => random.pick(urls),
  width: side,
  height: side,
  quality: ({ random }) => random.pick([1, 50, 80, 100]),
  download: ({ random }) => random.pick(['', 'true', 'false', '1']),
  ids: ({ random, pool }, item) => zipIds(item, random.chance(0.6) ? pool.assets.pick(random) : item, random),
}

// All of one repository, so that the only thing to reject is the length of the list.
const mostIds = 5000

function zipIds(item: KnownItem | undefined, other: KnownItem | undefined, random: Random): string[] {
  const id = item?.id ?? 'CONT_1'
  if (random.chance(0.05)) return Array.from({ length: mostIds + random.below(2) }, () => id)
  return other?.repositoryId === item?.repositoryId ? [id, other?.id ?? id, id] : [id]
}

function anyOf(item: KnownItem | undefined, random: Random): string {
  return random.pick(item?.made ?? []) ?? 'poster'
}

function side({ random }: Hinting): number {
  if (random.chance(0.9)) return random.pick([1, 2, 7, 33, 64, 119, 120, 320, permittedSide])
  return random.pick([permittedSide + 1, longestSide])
}

export const renditionHints: Hints = {
  ...assetHints,
  rendition: ({ operation, random }, item) =>
    operation.method === 'DELETE'
      ? anyOf(item, random)
      : random.pick(['poster', 'banner', 'card', preparedPreset, `made-${random.below(80)}`]),
}

export const presetHints: Hints = {
  configId: ({ operation, pool, random, preset }) =>
    operation.path.includes('{name}')
      ? preset?.repositoryId
      : random.chance(0.7)
        ? pool.magazine
        : pool.repositories.pick(random),
  name: ({ operation, random, preset }) =>
    operation.path.includes('{name}') ? (preset?.name ?? 'none-yet') : `preset-${random.below(300)}`,
  width: ({ random }) => random.pick([1, 64, 1200, longestSide]),
  height: ({ random }) => random.pick([1, 48, 900, longestSide]),
}

/** Hints for resumable uploads. Most of their input is in headers. */
export const uploadHints: Hints = {
  uploadId: ({ sending }) => sending.upload?.id ?? 'UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6',
}
