import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect } from '../../../engine/paging.ts'
import { digestOf } from '../../../engine/digest.ts'
import { memoryBlobs } from '../../../memory/blobs.ts'
import { type Blobs, BlobsUnavailable } from '../../../ports/index.ts'
import type { BlobPart } from './manifest.ts'
import { createPack, partInPack, readPart } from './pack.ts'

/** Texts that often repeat. */
const someBytes = fc
  .oneof(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 2, max: 1 }))
  .map((bytes) => Uint8Array.from(bytes))

async function hashesIn(blobs: Blobs): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of blobs.list()) hashes.push(hash)
  return hashes
}

async function bytesAt(blobs: Blobs, part: BlobPart): Promise<Uint8Array | null> {
  const bytes = await readPart(blobs, part)
  return bytes && collect(bytes)
}

/** Blobs that count the bytes in memory: added, but not written yet. */
function slowBlobs() {
  const stored = memoryBlobs()
  const state = { read: 0 }
  const blobs: Blobs = {
    ...stored,
    put: (bytes) => stored.put(slowly(bytes)),
  }
  async function* slowly(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      await new Promise((resolve) => setTimeout(resolve))
      state.read += chunk.length
      yield chunk
    }
  }
  return { blobs, state }
}

describe('a pack', () => {
  it('stores added bytes in one blob, and equal bytes once', async () => {
    const property = fc.asyncProperty(fc.array(someBytes, { maxLength: 30 }), async (files) => {
      const blobs = memoryBlobs()
      const pack = createPack(blobs)
      const packed = await Promise.all(files.map((bytes) => pack.add(bytes)))
      const stored = await pack.finish()
      for (const [index, bytes] of files.entries()) {
        const part = partInPack(packed[index]!, stored)
        expect(await bytesAt(blobs, part)).toEqual(bytes)
        expect(part.etag).toBe(await digestOf(bytes))
      }
      const different = new Map(packed.map(({ etag, start, size }) => [etag, { start, size }]))
      const size = [...different.values()].reduce((sum, scope) => sum + scope.size, 0)
      expect(stored?.size ?? 0).toBe(size)
      expect(await hashesIn(blobs)).toEqual(stored ? [stored.hash] : [])
    })
    await fc.assert(property)
  })

  it('keeps the order of adds, whichever digest is ready first', async () => {
    const blobs = memoryBlobs()
    const files = Array.from({ length: 50 }, (_, index) =>
      new Uint8Array(index === 0 ? 3_000_000 : 10).fill(index),
    )
    const pack = createPack(blobs)
    const packed = await Promise.all(files.map((bytes) => pack.add(bytes)))
    expect(packed.map(({ start }) => start)).toEqual(
      files.map((_, index) => (index === 0 ? 0 : 2_999_990 + index * 10)),
    )
    await pack.finish()
  })

  it('is null when nothing was added', async () => {
    const blobs = memoryBlobs()
    expect(await createPack(blobs).finish()).toBeNull()
    expect(await hashesIn(blobs)).toEqual([])
  })

  it('does not contain bytes that are stored already', async () => {
    const blobs = memoryBlobs()
    const first = createPack(blobs)
    const packed = await first.add(Uint8Array.of(1, 2, 3))
    const part = partInPack(packed, await first.finish())
    const second = createPack(blobs, new Map([[part.etag, part]]))
    const again = await second.add(Uint8Array.of(1, 2, 3))
    expect(partInPack(again, null)).toEqual(part)
    expect(await second.finish()).toBeNull()
  })

  it('makes writers wait, so that few bytes are in memory', async () => {
    const { blobs, state } = slowBlobs()
    const pack = createPack(blobs)
    let added = 0
    let most = 0
    for (let index = 0; index < 40; index += 1) {
      await pack.add(new Uint8Array(500_000).fill(index))
      added += 500_000
      most = Math.max(most, added - state.read)
    }
    await pack.finish()
    expect(most).toBeLessThan(6_000_000)
    expect(state.read).toBe(added)
  })

  it.for(['before', 'while', 'after'])(
    'leaves nothing behind when it is aborted %s bytes are written',
    async (when) => {
      const blobs = memoryBlobs()
      const pack = createPack(blobs)
      const reason = new Error('The job was cancelled.')
      if (when !== 'before') await pack.add(Uint8Array.of(1))
      const adding = when === 'while' ? [pack.add(new Uint8Array(10_000_000))] : []
      const outcomes = Promise.allSettled(adding)
      await pack.abort(reason)
      for (const outcome of await outcomes) expect(outcome).toEqual({ status: 'rejected', reason })
      await expect(pack.add(Uint8Array.of(2))).rejects.toBe(reason)
      await expect(pack.finish()).rejects.toBe(reason)
      expect(await hashesIn(blobs)).toEqual([])
    },
  )

  it('that is finished stays when it is aborted afterwards', async () => {
    const blobs = memoryBlobs()
    const pack = createPack(blobs)
    await pack.add(Uint8Array.of(1))
    const stored = await pack.finish()
    await pack.abort(new Error('too late'))
    expect(await hashesIn(blobs)).toEqual([stored?.hash])
    await expect(pack.add(Uint8Array.of(2))).rejects.toThrow('too late')
  })

  it.for(['at once', 'later'])(
    'rejects all adds when the storage is full %s, and nobody waits forever',
    async (when) => {
      const full = new BlobsUnavailable('full', 'No room is left.')
      const blobs: Blobs = {
        ...memoryBlobs(),
        async put(bytes) {
          if (when === 'later') for await (const _ of bytes) break
          throw full
        },
      }
      const pack = createPack(blobs)
      const adding = Array.from({ length: 20 }, (_, index) => pack.add(new Uint8Array(1_000_000).fill(index)))
      const outcomes = await Promise.allSettled(adding)
      expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason: full })
      await expect(pack.finish()).rejects.toBe(full)
    },
  )
})
