import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import type { Item } from '@quire/contract'
import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { sharpMedia } from '@quire/media-sharp'
import { serve, type Serving } from './serving.ts'

/**
 * A server that stores binaries in files, with a type `file` that accepts any, and a repository
 * `archive` in addition to the magazine.
 */
export interface AssetServing extends Serving {
  /** The folder of the binaries. */
  readonly folder: string
  /** Uploads a new asset of the magazine as a form. */
  upload(bytes: Uint8Array, about?: { name?: string; type?: string }): Promise<Item>
  /** Downloads an asset; `path` is a rendition, with an optional query string. */
  get(asset: Pick<Item, 'id'>, path?: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** Serves from a folder of its own, which `close` removes. */
export async function serveAssets(): Promise<AssetServing> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-assets-'))
  const blobs = await openFileBlobs({ folder })
  const baseUrl = 'http://quire.test'
  const quire = createQuire({ store: createMemoryStore(), blobs, media: sharpMedia(), baseUrl })
  const server = await serve({ quire })
  await server.api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await server.api.repositories.create({ name: 'archive' })
  return {
    ...server,
    folder,
    upload: (bytes, about = {}) => upload(server, bytes, about),
    get: (asset, path = 'original', init = {}) =>
      server.fetch(`/api/assets/magazine/${asset.id}/${path}`, init),
    async close() {
      await server.app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function upload(
  server: Serving,
  bytes: Uint8Array,
  { name = 'file.bin', type = '' }: { name?: string; type?: string },
): Promise<Item> {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(bytes)], name, { type }))
  const response = await server.fetch('/api/assets/magazine', { method: 'POST', body })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`the upload of ${name} is ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Bytes without nearby repetitions, so that a part that is shifted by one byte differs. */
export function someBytes(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size)
  let state = seed * 2_654_435_761
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

/** The bytes of a response. */
export async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}
