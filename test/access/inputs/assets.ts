import { pixel, type Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about files. */
export const assets: InputMakers<'assets'> = {
  get: async (at) => ({ ...(await onPicture(at)), rendition: 'thumbnail' }),
  zip: async (at) => {
    const { assetId, ...place } = await onPicture(at)
    return { ...place, ids: [assetId] }
  },
  create: ({ configId, line, word }) => ({ configId, ...line, name: word('new'), file: pixel() }),
  replace: async (at) => ({ ...(await onPicture(at)), file: pixel() }),
}

/** Requests about what is made of files. */
export const renditions: InputMakers<'renditions'> = {
  list: onPicture,
  upload: async (at) => ({ ...(await onPicture(at)), rendition: 'poster', file: pixel() }),
  remove: async (at) => {
    const poster = { ...(await onPicture(at)), rendition: 'poster' }
    await at.system.renditions.upload({ ...poster, file: pixel() })
    return poster
  },
}

/** Requests about the ways to make renditions. */
export const renditionPresets: InputMakers<'renditionPresets'> = {
  list: ({ configId }) => ({ configId }),
  get: onPreset,
  create: ({ configId, word }) => ({ configId, name: word('new'), width: 8 }),
  update: async (at) => ({ ...(await onPreset(at)), quality: 70 }),
  delete: onPreset,
}

/** Requests of resumable uploads: of the caller's own where it may begin one, else of another's. */
export const uploads: InputMakers<'uploads'> = {
  capabilities: () => ({}),
  create: newUpload,
  get: async (at) => ({ uploadId: await ownUpload(at) }),
  append: async (at) => ({ uploadId: await ownUpload(at), offset: 0, file: pixel() }),
  terminate: async (at) => ({ uploadId: await ownUpload(at) }),
}

/** The same for an upload that the system began. */
export const uploadsOfAnother = {
  get: async (at) => ({ uploadId: await uploadOfAnother(at) }),
  append: async (at) => ({ uploadId: await uploadOfAnother(at), offset: 0, file: pixel() }),
  terminate: async (at) => ({ uploadId: await uploadOfAnother(at) }),
} satisfies Partial<InputMakers<'uploads'>>

/** The original, which takes another key than what is made of it. */
export async function original(at: Targets) {
  return { ...(await onPicture(at)), rendition: 'original' }
}

async function onPicture(at: Targets) {
  const { id } = await at.picture()
  return { configId: at.configId, ...at.line, assetId: id }
}

async function onPreset(at: Targets) {
  const { name } = await at.preset()
  return { configId: at.configId, name }
}

function newUpload({ configId, word }: Targets) {
  return { length: pixel().size, metadata: { repositoryId: configId, filename: 'pixel.png', name: word('new') } }
}

async function ownUpload(at: Targets): Promise<string> {
  const own = await at.caller.uploads.create(newUpload(at)).catch(() => undefined)
  return own ? noted(at, own.id) : uploadOfAnother(at)
}

async function uploadOfAnother(at: Targets): Promise<string> {
  return noted(at, (await at.system.uploads.create(newUpload(at))).id)
}

function noted({ made }: Targets, id: string): string {
  made.add(id)
  return id
}
