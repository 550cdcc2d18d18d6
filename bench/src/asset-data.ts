import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import type { Api, BytesIn } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import type { Blobs, Media } from '@quire/core/ports'
import { sharpMedia } from '@quire/media-sharp'
import { openSqliteStore } from '@quire/store-sqlite'
import { fill } from './articles.ts'

/** The number of articles that are read by slug during uploads and downloads. */
export const readArticles = 1000

/** Ports that replace the service's own in a measurement. */
interface Ports {
  readonly blobs?: (blobs: Blobs) => Blobs
  readonly media?: Media
}

/**
 * Opens the engine with its blobs on a data folder, configured as in the service. No server may be
 * using the folder.
 */
export async function openWithFiles(data: string, ports: Ports = {}): Promise<Quire> {
  const { blobs: change = (blobs: Blobs) => blobs, media = sharpMedia() } = ports
  return createQuire({
    store: await openSqliteStore({ file: join(data, 'quire.db') }),
    blobs: change(await openFileBlobs({ folder: join(data, 'blobs') })),
    media,
  })
}

/** Creates a data folder with articles to read and a content type for files. */
export async function fillForFiles(folder: string, name: string): Promise<string> {
  const data = join(folder, name)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
  const quire = await openWithFiles(data)
  const api = quire.as(systemIdentity('bench'))
  await fill(api, readArticles)
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await quire.close()
  return data
}

function fileOf(name: string, bytes: Uint8Array): BytesIn {
  return {
    name,
    size: bytes.length,
    async *stream() {
      yield bytes
    },
  }
}

/** Creates an asset with these bytes. Returns its id. */
export async function addAsset(api: Api, name: string, bytes: Uint8Array): Promise<string> {
  const { id } = await api.assets.create({ configId: 'bench', type: 'file', file: fileOf(name, bytes) })
  return id
}

// Disk space that always stays free, because the service rejects uploads below 1 GiB.
const spareBytes = 2 * 1024 ** 3

/** The number of bytes that a measurement may write to a folder. */
export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.max(0, bavail * bsize - spareBytes)
}
