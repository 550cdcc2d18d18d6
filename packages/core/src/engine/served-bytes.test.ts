import { Readable } from 'node:stream'
import type { BinarySource } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { systemIdentity } from './access/identity.ts'
import { createMemoryStore, memoryBlobs } from '../memory/index.ts'
import { BlobCorrupt, type Blobs, type Bytes } from '../ports/index.ts'
import { createQuire } from '../quire.ts'
import { collect } from './paging.ts'
import { ServedBytes } from './served-bytes.ts'

const about = {
  mimeType: 'text/plain',
  fileName: 'a.txt',
  size: null,
  etag: null,
  disposition: 'inline',
  isImmutable: false,
  isNegotiated: false,
} as const

function served(open: BinarySource['open']): ServedBytes {
  return new ServedBytes({ ...about, open })
}

/** Bytes that never end, and a count of how often they were released. */
function endless() {
  let left = 0
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => ({ done: false, value: new Uint8Array(1) }),
    async return() {
      left++
      return { done: true, value: undefined }
    },
  }
  const bytes: Bytes = { [Symbol.asyncIterator]: () => iterator }
  return { bytes, left: () => left }
}

describe('a stream of served bytes', () => {
  it('releases its source when it is cancelled', async () => {
    const { bytes, left } = endless()
    const reader = served(async () => bytes)
      .stream()
      .getReader()
    await reader.read()
    await reader.cancel()
    expect(left()).toBe(1)
  })

  it('releases its source also when it is cancelled while opening', async () => {
    const { bytes, left } = endless()
    const opening = Promise.withResolvers<Bytes>()
    const asked = Promise.withResolvers<void>()
    const open = () => {
      asked.resolve()
      return opening.promise
    }
    const reader = served(open).stream().getReader()
    const reading = reader.read()
    await asked.promise
    await reader.cancel()
    opening.resolve(bytes)
    expect((await reading).done).toBe(true)
    await expect.poll(left).toBe(1)
  })
})

describe('an archive', () => {
  it('that is opened and never read takes no slot', async () => {
    const { api, id } = await oneAsset(memoryBlobs())
    for (let count = 0; count < 10; count++) {
      const archive = await api.assets.zip({ configId: 'r', ids: [id] })
      if (!(archive instanceof ServedBytes)) throw new TypeError('not as an engine answers')
      await archive.source.open()
    }
    const { byteLength } = await (await api.assets.zip({ configId: 'r', ids: [id] })).bytes()
    expect(byteLength).toBeGreaterThan(0)
  })
})

describe('damage that is found while bytes are read', () => {
  it('is reported for a Node stream too, which stays a stream', async () => {
    const reported: unknown[] = []
    const stream = Readable.from(breaking('x'))
    const report = (error: unknown) => {
      reported.push(error)
      return new TypeError('reported')
    }
    const bytes = await served(async () => stream)
      .reporting(report)
      .source.open()
    expect(bytes).toBe(stream)
    await expect(collect(bytes)).rejects.toThrow(BlobCorrupt)
    expect(reported).toEqual([expect.any(BlobCorrupt)])
  })

  it('is reported once, with the request', async () => {
    const branches: [level: string, event: string, members: unknown][] = []
    const blobs = memoryBlobs()
    const read: Blobs['read'] = async (hash) => (isDamaged ? breaking(hash) : blobs.read(hash))
    let isDamaged = false
    const { api, id } = await oneAsset({ ...blobs, read }, (level, event, members) =>
      branches.push([level, event, members]),
    )
    isDamaged = true
    const binary = await api.assets.get({ configId: 'r', assetId: id, rendition: 'original' })
    await expect(binary.bytes()).rejects.toMatchObject({ code: 'internal' })
    expect(branches).toMatchObject([['error', 'blob.corrupt', { requestId: expect.any(String) }]])
    expect(JSON.stringify(branches)).toContain('is damaged')
  })
})

async function* breaking(hash: string): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1)
  throw new BlobCorrupt(hash)
}

async function oneAsset(
  blobs: Blobs,
  write: (level: string, event: string, members?: object) => void = () => {},
) {
  const api = createQuire({ store: createMemoryStore(), blobs, log: { write } }).as(systemIdentity('test'))
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await api.repositories.create({ name: 'r' })
  const { id } = await api.assets.create({ configId: 'r', file: new File(['bytes'], 'a.txt') })
  return { api, id }
}
