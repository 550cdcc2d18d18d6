import type { Making } from './hinting.ts'
import { assetTypeOf } from './prepare-assets.ts'
import { preparedPackage } from './prepare.ts'
import { wordOf } from './schema-values.ts'

/**
 * Upload-Metadata for the file of a request: a new asset of the magazine, or a new version of one,
 * on main or in the package.
 */
export function uploadMetadata(making: Making): string {
  const { random, pool, sending } = making
  const { label, name, type } = sending.file ?? noFile
  const sometimes = (share: number, members: Metadata) => (random.chance(share) ? members : {})
  return metadataText({
    // A custom member. It is returned later, and identifies the file of which more parts are to be
    // sent.
    specimen: label,
    ...target(making),
    ...sometimes(0.8, { filename: name }),
    ...sometimes(0.5, { filetype: type.slice(0, 100) }),
    ...sometimes(0.3, { name: wordOf(random) }),
    ...sometimes(0.2, { folderId: pool.folders.pick(random)?.id ?? '' }),
    ...sometimes(0.3, { fields: JSON.stringify({ alt: wordOf(random) }) }),
  })
}

type Metadata = Readonly<Record<string, string>>

const noFile = { label: '', name: '', type: '' }

/** The target of the upload. */
function target({ random, pool, sending: { file } }: Making): Metadata {
  const asset = random.chance(0.25) ? pool.assets.pickExpendable(random) : undefined
  if (!asset) {
    const branch = random.chance(0.3) ? { packageName: preparedPackage } : {}
    const type = random.chance(0.9) ? { type: assetTypeOf(file) } : {}
    return { repositoryId: pool.magazine, ...branch, ...type }
  }
  const { repositoryId, isInPackage, id } = asset
  return { repositoryId, itemId: id, ...(isInPackage && { packageName: preparedPackage }) }
}

/** Comma-separated pairs of a key and its base64 value. Keys are written unchanged. */
export function metadataText(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`.trimEnd())
    .join(',')
}

/** The value of a key in such a text; undefined if it is missing. */
export function metadataValue(text: string, key: string): string | undefined {
  const pair = text.split(',').find((each) => each.startsWith(`${key} `))
  return pair && Buffer.from(pair.slice(key.length + 1), 'base64').toString()
}
