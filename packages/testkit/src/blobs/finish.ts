import { BlobAbsent, type Blobs } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, listed, readAll, uploadId } from './fixture.ts'
import { hashOf, inChunks, isSame, MiB, sampleBytes } from './samples.ts'

/** Turning a partial blob into a blob. */
export function finishLaws(test: BlobTest): void {
  describe('finishing', () => {
    test('returns the same blob again until the upload is discarded, which keeps the blob', async ({
      blobs,
    }) => {
      const bytes = sampleBytes(MiB)
      await upload(blobs, bytes)
      const blob = await blobs.partials.finish(uploadId, bytes.length)
      expect(await blobs.partials.finish(uploadId, bytes.length)).toEqual(blob)
      await blobs.partials.discard(uploadId)
      await expect(blobs.partials.finish(uploadId, bytes.length)).rejects.toThrow(BlobAbsent)
      expect(isSame(await readAll(blobs, blob.hash), bytes)).toBe(true)
      expect(await blobs.verify(blob.hash)).toBe('sound')
      expect(await hashesIn(blobs)).toEqual([blob.hash])
    })

    test('is refused while bytes are missing', async ({ blobs }) => {
      await upload(blobs, sampleBytes(100))
      await expect(blobs.partials.finish(uploadId, 101)).rejects.toThrow(BlobAbsent)
      expect(await hashesIn(blobs)).toEqual([])
      expect(await listed(blobs.partials.list())).toMatchObject([{ size: 100 }])
    })

    test('takes the given number of bytes, and none beyond', async ({ blobs }) => {
      const bytes = sampleBytes(10_000)
      await upload(blobs, bytes)
      const first = await blobs.partials.finish(uploadId, 4_000)
      expect(first.hash).toBe(await hashOf(bytes.slice(0, 4_000)))
      const all = await blobs.partials.finish(uploadId, 10_000)
      expect(all.hash).toBe(await hashOf(bytes))
      expect(isSame(await readAll(blobs, first.hash), bytes.subarray(0, 4_000))).toBe(true)
    })

    test('without bytes returns the empty blob', async ({ blobs }) => {
      await blobs.partials.begin(uploadId, 0)
      const blob = await blobs.partials.finish(uploadId, 0)
      expect(blob).toEqual({ hash: await hashOf(new Uint8Array(0)), size: 0 })
      expect(isSame(await readAll(blobs, blob.hash), new Uint8Array(0))).toBe(true)
    })

    test('with the bytes of an existing blob returns that blob, as if it were new', async ({ blobs }) => {
      const bytes = sampleBytes(100_000)
      const blob = await blobs.put(inChunks(bytes))
      await upload(blobs, bytes)
      expect(await blobs.partials.finish(uploadId, bytes.length)).toEqual(blob)
      await blobs.partials.discard(uploadId)
      expect(isSame(await readAll(blobs, blob.hash), bytes)).toBe(true)
    })

    test('sets the date of the blob, not the last append', async ({ blobs }) => {
      const bytes = sampleBytes(1_000)
      await upload(blobs, bytes)
      await new Promise((resolve) => setTimeout(resolve, 50))
      const before = Date.now()
      await blobs.partials.finish(uploadId, bytes.length)
      const [stored] = await listed(blobs.list())
      expect(stored?.writtenDate).toBeGreaterThanOrEqual(before - 10)
    })

    test('makes a blob that is not changed by later appends or a new start', async ({ blobs }) => {
      const { partials } = blobs
      const bytes = sampleBytes(50_000)
      await upload(blobs, bytes)
      const { hash } = await partials.finish(uploadId, bytes.length)
      await partials.append(uploadId, { offset: 10_000, bytes: inChunks(sampleBytes(5_000, 4)) })
      expect(await blobs.verify(hash)).toBe('sound')
      const changed = new Uint8Array([...bytes.subarray(0, 10_000), ...sampleBytes(5_000, 4)])
      expect((await partials.finish(uploadId, 15_000)).hash).toBe(await hashOf(changed))
      await partials.begin(uploadId, 10)
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
      await expect(partials.finish(uploadId, 1)).rejects.toThrow(BlobAbsent)
    })

    test('makes a blob that remains when the upload is begun again', async ({ blobs }) => {
      const bytes = sampleBytes(50_000)
      await upload(blobs, bytes)
      const { hash } = await blobs.partials.finish(uploadId, bytes.length)
      await upload(blobs, sampleBytes(60_000, 2))
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
    })

    test('can be repeated after the blob was deleted', async ({ blobs }) => {
      const bytes = sampleBytes(50_000)
      await upload(blobs, bytes)
      const { hash } = await blobs.partials.finish(uploadId, bytes.length)
      await blobs.delete(hash)
      await blobs.partials.finish(uploadId, bytes.length)
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
    })
  })
}

async function upload({ partials }: Blobs, bytes: Uint8Array): Promise<void> {
  await partials.begin(uploadId, bytes.length)
  await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes) })
}
