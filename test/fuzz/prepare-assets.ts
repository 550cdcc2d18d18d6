import type { Api, ContentType } from '@quire/contract'
import { fileLabelled, type SentFile } from './files.ts'
import type { KnownItem } from './pool.ts'

/** A rendition preset of the prepared repository that the fuzz never deletes. */
export const preparedPreset = 'hero'

/** The origin from which the prepared repository may fetch files. Its name does not exist. */
export const preparedOrigin = 'http://fuzz.invalid'

const pictureType = 'picture'
const attachmentType = 'attachment'

/** The content type for a file. */
export function assetTypeOf(file: SentFile | undefined): string {
  return file?.isPicture === false ? attachmentType : pictureType
}

/** The assets that exist before the fuzz starts. */
export interface PreparedAssets {
  readonly type: ContentType
  readonly assets: readonly KnownItem[]
}

/**
 * Creates a content type for pictures, one for other files, a preset, and an asset for each way of
 * serving one.
 */
export async function prepareAssets(api: Api, repositoryId: string): Promise<PreparedAssets> {
  const type = await api.types.create({
    name: pictureType,
    fields: [{ name: 'alt', kind: 'text' }],
    settings: { isAsset: true, mimeTypes: ['image/*'] },
  })
  await api.types.create({
    name: attachmentType,
    fields: [{ name: 'alt', kind: 'text' }],
    settings: { isAsset: true, mimeTypes: ['application/*', 'text/*', 'video/*'], maxBytes: 1_000_000 },
  })
  await api.renditionPresets.create({
    configId: repositoryId,
    name: preparedPreset,
    width: 90,
    height: 30,
    fit: 'cover',
  })
  const assets = { fetchOrigins: [preparedOrigin] }
  await api.repositories.update({ id: repositoryId, settings: { assets } })
  const labels = [
    'quarters.png',
    'turned.jpg',
    'animated.gif',
    'deep-alpha.png',
    'drawing.svg',
    'page.html',
    'film.mp4',
  ]
  const prepared: KnownItem[] = []
  for (const label of labels) prepared.push(await prepareAsset(api, repositoryId, label))
  return { type, assets: prepared }
}

async function prepareAsset(api: Api, configId: string, label: string): Promise<KnownItem> {
  const sent = fileLabelled(label)
  const file = new File([new Uint8Array(sent?.bytes ?? [])], label)
  const { id, slug, repositoryId } = await api.assets.create({ configId, type: assetTypeOf(sent), file })
  await api.items.publish({ configId, id })
  return { repositoryId, isInPackage: false, id, slug, version: 1, made: [] }
}
