import { fileServer } from '../site.ts'
import type { Targets } from '../targets.ts'
import {
  createOwnUpload,
  createPicture,
  createPreset,
  createUploadOfAnother,
  newUpload,
  pixel,
} from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about files. */
export const assets: InputMakers<'assets'> = {
  get: async (at) => ({ ...(await onPicture(at)), rendition: 'thumbnail' }),
  zip: async (at) => {
    const { assetId, ...scope } = await onPicture(at)
    return { ...scope, ids: [assetId] }
  },
  create: ({ configId, branch, word }) => ({ configId, ...branch, name: word('new'), file: pixel() }),
  createFromUrl: ({ configId, branch, word }) => ({
    configId,
    ...branch,
    name: word('new'),
    url: `${fileServer}/pixel.png`,
  }),
  replace: async (at) => ({ ...(await onPicture(at)), file: pixel() }),
}

/** Requests about renditions. */
export const renditions: InputMakers<'renditions'> = {
  list: onPicture,
  upload: async (at) => ({ ...(await onPicture(at)), rendition: 'poster', file: pixel() }),
  remove: async (at) => {
    const poster = { ...(await onPicture(at)), rendition: 'poster' }
    await at.system.renditions.upload({ ...poster, file: pixel() })
    return poster
  },
}

/** Requests about rendition presets. */
export const renditionPresets: InputMakers<'renditionPresets'> = {
  list: ({ configId }) => ({ configId }),
  get: createPreset,
  create: ({ configId, word }) => ({ configId, name: word('new'), width: 8 }),
  update: async (at) => ({ ...(await createPreset(at)), quality: 70 }),
  delete: createPreset,
}

/**
 * Requests about resumable uploads: the caller's own if it may start one, otherwise another
 * caller's.
 */
export const uploads: InputMakers<'uploads'> = {
  capabilities: () => ({}),
  create: newUpload,
  get: createOwnUpload,
  append: async (at) => ({ ...(await createOwnUpload(at)), offset: 0, file: pixel() }),
  terminate: createOwnUpload,
}

/** The same for an upload that the system started. */
export const uploadsOfAnother = {
  get: createUploadOfAnother,
  append: async (at: Targets) => ({ ...(await createUploadOfAnother(at)), offset: 0, file: pixel() }),
  terminate: createUploadOfAnother,
}

/** The original file, which requires another permission than renditions. */
export async function original(at: Targets) {
  return { ...(await onPicture(at)), rendition: 'original' }
}

async function onPicture(at: Targets) {
  const { id } = await createPicture(at)
  return { configId: at.configId, ...at.branch, assetId: id }
}
