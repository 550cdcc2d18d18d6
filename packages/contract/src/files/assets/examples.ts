import { exampleDraft } from '../../content/items/examples.ts'
import type { Item } from '../../content/items/shapes.ts'

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const path = `/api/assets/${exampleDraft.repositoryId}/CONT_01JB2QD6F8H0K2M4P6R8T0V2X4`

/** A picture, as the examples of the reference show it. */
export const exampleAsset: Item = {
  ...exampleDraft,
  id: 'CONT_01JB2QD6F8H0K2M4P6R8T0V2X4',
  name: 'Oak galls',
  type: 'picture',
  slug: 'oak-galls',
  slugSearch: 'oak galls',
  description: '',
  fields: { alt: 'Three oak galls on a table' },
  currentVersion: 1,
  latestVersion: 1,
  fileExtension: 'jpg',
  originalFileName: 'Oak galls.jpg',
  storage: { objectName: hash, storageVersionId: null, objectStorageName: 'files' },
  asset: {
    mimeType: 'image/jpeg',
    size: 431_274,
    hash,
    width: 1600,
    height: 1200,
    pages: 1,
    focalPoint: { x: 0.4, y: 0.5 },
  },
  renditions: [
    {
      name: 'original',
      type: 'original',
      format: 'jpg',
      url: `${path}/original`,
      mimeType: 'image/jpeg',
      size: 431_274,
      fileName: 'Oak galls.jpg',
    },
    {
      name: 'thumbnail',
      type: 'preset',
      format: 'auto',
      url: `${path}/thumbnail`,
      mimeType: 'image/jpeg',
      fileName: 'Oak galls.jpg',
    },
  ],
  versionHistory: exampleDraft.versionHistory.slice(1),
}

/** The path of the example asset. */
export const exampleAssetPath = { configId: 'magazine', assetId: exampleAsset.id }

/** A file to send in the examples. */
export const exampleFile = new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47)], 'oak-galls.png', {
  type: 'image/png',
})
