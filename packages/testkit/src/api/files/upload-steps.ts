import type { Api } from '@quire/contract'
import type { Bench } from '../host.ts'

type Metadata = Readonly<Record<string, string>>

/** Begins an upload of `length` bytes into the magazine. */
export function begin(api: Api, length: number, metadata: Metadata = {}) {
  return api.uploads.create({
    length,
    metadata: { repositoryId: 'magazine', filename: 'file.txt', ...metadata },
  })
}

/** Uploads a complete file in two requests. */
export async function uploadWhole(api: Api, file: File, metadata: Metadata = {}) {
  const { id: uploadId } = await begin(api, file.size, { filename: file.name, ...metadata })
  const half = Math.floor(file.size / 2)
  await api.uploads.append({ uploadId, offset: 0, file: file.slice(0, half) })
  return api.uploads.append({ uploadId, offset: half, file: file.slice(half) })
}

/** A file that pauses after each of its parts until it is told to continue. */
export function heldFile(...parts: string[]) {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      yield new TextEncoder().encode(part)
      begun.resolve()
      await goOn.promise
    }
  }
  return { file: { stream }, begun: begun.promise, letGo: goOn.resolve }
}

/** The SHA-1 or SHA-256 of a text, as an upload's checksum. */
export async function checksumOf(text: string, algorithm: 'sha1' | 'sha256') {
  const name = algorithm === 'sha1' ? 'SHA-1' : 'SHA-256'
  const digest = new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(text)))
  return { algorithm, digest: btoa(String.fromCharCode(...digest)) }
}

/** The number of items in the magazine. */
export async function countOfItems({ system }: Bench): Promise<number> {
  return (await system.items.list({ configId: 'magazine', limit: 1, archived: true })).count ?? Number.NaN
}
