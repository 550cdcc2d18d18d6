import { describe, expect, it } from 'vitest'
import { once } from '../../../files/assets/stored-bytes.ts'
import { collect } from '../../../engine/paging.ts'
import { digestOf } from '../../../engine/digest.ts'
import { memoryBlobs } from '../../../memory/blobs.ts'
import { BlobCorrupt, type ByteRange } from '../../../ports/index.ts'
import type { BlobPart } from './manifest.ts'
import { readPart } from './pack.ts'

const all = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

async function openBlobs() {
  const blobs = memoryBlobs()
  const { hash, size } = await blobs.put(once(all))
  const aPart = async (start: number, end: number): Promise<BlobPart> => ({
    blob: hash,
    blobSize: size,
    start,
    size: end - start,
    etag: await digestOf(all.slice(start, end)),
  })
  const read = async (part: BlobPart, range?: ByteRange) => {
    const bytes = await readPart(blobs, part, { range })
    return bytes && [...(await collect(bytes))]
  }
  return { blobs, hash, aPart, read }
}

describe('a part of a blob', () => {
  it.for([
    [0, 10],
    [3, 6],
    [10, 10],
    [4, 4],
  ])('returns its bytes from %i to before %i', async ([start = 0, end = 0]) => {
    const { aPart, read } = await openBlobs()
    expect(await read(await aPart(start, end))).toEqual(Array.from(all.slice(start, end)))
  })

  it('returns a range within it', async () => {
    const { aPart, read } = await openBlobs()
    expect(await read(await aPart(3, 9), { start: 1, end: 2 })).toEqual([4, 5])
  })

  it('is null when its blob is absent', async () => {
    const { blobs, hash, aPart, read } = await openBlobs()
    await blobs.delete(hash)
    expect(await read(await aPart(3, 6))).toBeNull()
    expect(await read(await aPart(3, 3))).toBeNull()
    expect(await read(await aPart(0, 10))).toBeNull()
  })

  it('that is damaged or beyond the end is never returned', async () => {
    const { aPart, read } = await openBlobs()
    const part = await aPart(3, 6)
    await expect(read({ ...part, start: 4 })).rejects.toBeInstanceOf(BlobCorrupt)
    await expect(read({ ...part, start: 9 })).rejects.toBeInstanceOf(BlobCorrupt)
  })
})
