import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { sharpMedia } from '@quire/media-sharp'
import { createServer } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'

/** A service that stores everything in one folder, with an account that works on pictures. */
export interface PictureService {
  readonly baseUrl: string
  readonly auth: { readonly clientId: string; readonly clientSecret: string }
  /** Stops the server and the engine. The folder remains. */
  close(): Promise<void>
}

/**
 * Serves an engine on a free port. Its rows are in SQLite, its blobs in files, and its renditions
 * are made by sharp.
 */
export async function openService({ folder }: { folder: string }): Promise<PictureService> {
  const issuer = 'http://pictures.example'
  const quire = createQuire({
    store: await openSqliteStore({ file: join(folder, 'quire.db') }),
    blobs: await openFileBlobs({ folder: join(folder, 'blobs') }),
    media: sharpMedia(),
    baseUrl: issuer,
  })
  const app = createServer({ quire, baseUrl: issuer })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const auth = await prepare(quire)
  const close = async () => {
    await app.close()
    await quire.close()
  }
  return { baseUrl, auth, close }
}

async function prepare(quire: Quire): Promise<PictureService['auth']> {
  const setup = quire.as(systemIdentity('setup'))
  await setup.repositories.create({ name: 'magazine' })
  await preparePictures(setup)
  const role = await setup.roles.create({ name: 'Picture desk', bundles: ['bundle.contributor'] })
  const { id, secret } = await setup.serviceAccounts.create({ name: 'Picture desk', roles: [role.id] })
  return { clientId: id, clientSecret: secret }
}

/**
 * Creates a content type that accepts only pictures, and two presets in addition to the built-in
 * ones.
 */
async function preparePictures({ types, renditionPresets }: Api): Promise<void> {
  await types.create({
    name: 'picture',
    settings: { isAsset: true, mimeTypes: ['image/*'], maxBytes: 50_000_000 },
    fields: [{ name: 'alt', kind: 'text', required: true }],
  })
  const preset = { configId: 'magazine', fit: 'cover' } as const
  await renditionPresets.create({ ...preset, name: 'hero', width: 1200, height: 400 })
  await renditionPresets.create({ ...preset, name: 'square', width: 256, height: 256, format: 'webp' })
}
