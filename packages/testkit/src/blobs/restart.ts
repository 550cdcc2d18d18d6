import type { Blobs } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, listed, type OpenedBlobs, readAll, type Skip, uploadId } from './fixture.ts'
import { hashOf, inChunks, isSame, MiB, sampleBytes } from './samples.ts'

export function restartLaws(test: BlobTest): void {
  describe('after a restart', () => {
    test('everything is still there', async ({ opened, blobs, skip }) => {
      const reopen = reopenOf(opened, skip)
      const [small, large] = [sampleBytes(10), sampleBytes(9 * MiB)]
      const blob = await blobs.put(inChunks(small))
      const big = await blobs.put(inChunks(large))
      const made = { source: big.hash, recipe: 'small' }
      await blobs.derived.retain(made, small)
      const before = await listed(blobs.list())
      const again = await reopen()
      expect(await listed(again.list())).toEqual(before)
      expect(isSame(await readAll(again, blob.hash), small)).toBe(true)
      expect(isSame(await readAll(again, big.hash), large)).toBe(true)
      expect(await again.derived.find(made)).toMatchObject({ ...made, ...blob })
      expect(await again.derived.verify(made)).toBe('sound')
    })

    test('an upload continues', async ({ opened, blobs, skip }) => {
      const reopen = reopenOf(opened, skip)
      const bytes = sampleBytes(MiB)
      await blobs.partials.begin(uploadId, bytes.length)
      await blobs.partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 400_000)) })
      const again = await reopen()
      expect(await listed(again.partials.list())).toMatchObject([{ id: uploadId, size: 400_000 }])
      const rest = { offset: 400_000, bytes: inChunks(bytes.subarray(400_000)) }
      expect(await again.partials.append(uploadId, rest)).toBe(bytes.length)
      expect((await again.partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('a finished upload can be finished again', async ({ opened, blobs, skip }) => {
      const reopen = reopenOf(opened, skip)
      const bytes = sampleBytes(MiB)
      await blobs.partials.begin(uploadId, bytes.length)
      await blobs.partials.append(uploadId, { offset: 0, bytes: inChunks(bytes) })
      const blob = await blobs.partials.finish(uploadId, bytes.length)
      const again = await reopen()
      expect(await again.partials.finish(uploadId, bytes.length)).toEqual(blob)
      expect(await again.verify(blob.hash)).toBe('sound')
    })

    test('the blob is named after the bytes that another process wrote last', async ({
      opened,
      blobs,
      skip,
    }) => {
      const other = await reopenOf(opened, skip)()
      const bytes = sampleBytes(300_000)
      await blobs.partials.begin(uploadId, bytes.length)
      await blobs.partials.append(uploadId, { offset: 0, bytes: inChunks(sampleBytes(300_000, 5)) })
      await other.partials.append(uploadId, { offset: 0, bytes: inChunks(bytes) })
      const { hash } = await blobs.partials.finish(uploadId, bytes.length)
      expect(hash).toBe(await hashOf(bytes))
      expect(await blobs.verify(hash)).toBe('sound')
    })

    test('the blob is named after the bytes that two processes wrote alternately', async ({
      opened,
      blobs,
      skip,
    }) => {
      const other = await reopenOf(opened, skip)()
      const bytes = sampleBytes(300_000)
      await blobs.partials.begin(uploadId, bytes.length)
      await blobs.partials.append(uploadId, { offset: 0, bytes: inChunks(sampleBytes(300_000, 5)) })
      await other.partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 200_000)) })
      await blobs.partials.append(uploadId, { offset: 200_000, bytes: inChunks(bytes.subarray(200_000)) })
      expect((await blobs.partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      expect((await other.partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })
  })
}

function reopenOf({ reopen }: OpenedBlobs, skip: Skip): () => Promise<Blobs> {
  return reopen ?? skip('These blobs do not outlive their process.')
}
