import { BlobAbsent, StoreConflict } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, listed, partialId, readAll, uploadId } from './fixture.ts'
import {
  brokenOff,
  connectionReset,
  hashOf,
  inChunks,
  inOneBuffer,
  isSame,
  KiB,
  sampleBytes,
} from './samples.ts'

export function appendLaws(test: BlobTest): void {
  describe('appending', () => {
    test('continues where the last append ended', async ({ blobs }) => {
      const { partials } = blobs
      const bytes = sampleBytes(300 * KiB)
      await partials.begin(uploadId, bytes.length)
      let offset = 0
      for (const end of [1, 100, 65_536, 65_536, 200_001, bytes.length]) {
        const part = bytes.subarray(offset, end)
        expect(await partials.append(uploadId, { offset, bytes: inChunks(part, 10_000) })).toBe(end)
        offset = end
      }
      const blob = await partials.finish(uploadId, bytes.length)
      expect(blob).toEqual({ hash: await hashOf(bytes), size: bytes.length })
      expect(isSame(await readAll(blobs, blob.hash), bytes)).toBe(true)
    })

    test('at an earlier offset discards the bytes after it', async ({ blobs: { partials } }) => {
      const bytes = sampleBytes(100 * KiB)
      await partials.begin(uploadId, bytes.length)
      await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 50_000)) })
      await partials.append(uploadId, { offset: 50_000, bytes: inChunks(sampleBytes(80_000, 9)) })
      expect(await partials.append(uploadId, { offset: 50_000, bytes: inChunks(new Uint8Array(0)) })).toBe(
        50_000,
      )
      await expect(partials.finish(uploadId, 50_001)).rejects.toThrow(BlobAbsent)
      await partials.append(uploadId, { offset: 20_000, bytes: inChunks(bytes.subarray(20_000)) })
      expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('starts over at offset 0', async ({ blobs: { partials } }) => {
      const bytes = sampleBytes(10_000)
      await partials.begin(uploadId, bytes.length)
      await partials.append(uploadId, { offset: 0, bytes: inChunks(sampleBytes(20_000, 5)) })
      await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes) })
      expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('is refused beyond the end, without writing anything', async ({ blobs: { partials } }) => {
      await partials.begin(uploadId, 100)
      await partials.append(uploadId, { offset: 0, bytes: inChunks(sampleBytes(10)) })
      const gap = { offset: 11, bytes: inChunks(sampleBytes(10)) }
      await expect(partials.append(uploadId, gap)).rejects.toThrow(BlobAbsent)
      expect(await listed(partials.list())).toMatchObject([{ id: uploadId, size: 10 }])
    })

    test('is refused for an upload that was never begun or was discarded', async ({
      blobs: { partials },
    }) => {
      const append = () => ({ offset: 0, bytes: inChunks(sampleBytes(10)) })
      await expect(partials.append(uploadId, append())).rejects.toThrow(BlobAbsent)
      await partials.begin(uploadId, 10)
      await expect(partials.append(partialId('2'), append())).rejects.toThrow(BlobAbsent)
      await partials.append(uploadId, append())
      await partials.discard(uploadId)
      await expect(partials.append(uploadId, append())).rejects.toThrow(BlobAbsent)
      await expect(partials.finish(uploadId, 0)).rejects.toThrow(BlobAbsent)
      expect(await partials.discard(uploadId)).toBeUndefined()
      expect(await listed(partials.list())).toEqual([])
    })

    test('keeps and reports the bytes that came before its source failed, and rethrows the error', async ({
      blobs,
    }) => {
      const { partials } = blobs
      const bytes = sampleBytes(200_000)
      await partials.begin(uploadId, bytes.length)
      const reported: number[] = []
      const onDurable = async (end: number) => void reported.push(end)
      const error = connectionReset()
      const cut = { offset: 0, bytes: brokenOff(bytes.subarray(0, 77_777), error), onDurable }
      await expect(partials.append(uploadId, cut)).rejects.toBe(error)
      expect(reported).toEqual([77_777])
      await partials.append(uploadId, { offset: 77_777, bytes: inChunks(bytes.subarray(77_777)), onDurable })
      expect(reported).toEqual([77_777, 200_000])
      expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('accepts a source that reuses its buffer', async ({ blobs: { partials } }) => {
      const bytes = sampleBytes(700_000)
      await partials.begin(uploadId, bytes.length)
      await partials.append(uploadId, { offset: 0, bytes: inOneBuffer(bytes, 9_999) })
      expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('to several uploads at the same time does not mix them', async ({ blobs: { partials } }) => {
      const work = ['A', 'B', 'C', 'D', 'E', 'F'].map(async (digit, index) => {
        const bytes = sampleBytes(500_000, index)
        await partials.begin(partialId(digit), bytes.length)
        await partials.append(partialId(digit), { offset: 0, bytes: inChunks(bytes) })
        const { hash } = await partials.finish(partialId(digit), bytes.length)
        return hash === (await hashOf(bytes))
      })
      expect(await Promise.all(work)).toEqual(Array(6).fill(true))
    })

    test('that takes over ends the running one, which then changes nothing', async ({ blobs }) => {
      const { partials } = blobs
      const bytes = sampleBytes(100_000)
      await partials.begin(uploadId, bytes.length)
      await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 100)) })
      const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      async function* stale(): AsyncGenerator<Uint8Array> {
        yield sampleBytes(50_000, 7)
        begun.resolve()
        await goOn.promise
        yield sampleBytes(50_000, 8)
      }
      const other = partials.append(uploadId, { offset: 100, bytes: stale() })
      await begun.promise
      const rest = { offset: 100, bytes: inChunks(bytes.subarray(100)), takesOver: true }
      expect(await partials.append(uploadId, rest)).toBe(bytes.length)
      const { hash } = await partials.finish(uploadId, bytes.length)
      goOn.resolve()
      await expect(other).rejects.toThrow(StoreConflict)
      expect(hash).toBe(await hashOf(bytes))
      expect(await blobs.verify(hash)).toBe('sound')
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
    })

    test('in a later slot continues from the given slot', async ({ blobs: { partials } }) => {
      const bytes = sampleBytes(30_000)
      await partials.begin(uploadId, bytes.length)
      const ends = [
        { end: 10_000, slot: 0, after: 0 },
        { end: 10_000, slot: 1, after: 0 },
        { end: 20_000, slot: 3, after: 1 },
        { end: 30_000, slot: 12, after: 3 },
      ]
      let offset = 0
      for (const { end, ...slot } of ends) {
        const part = { offset, bytes: inChunks(bytes.subarray(offset, end)), takesOver: true, ...slot }
        offset = await partials.append(uploadId, part)
      }
      expect(await listed(partials.list())).toMatchObject([{ id: uploadId, size: bytes.length }])
      expect((await partials.finish(uploadId, bytes.length, 12)).hash).toBe(await hashOf(bytes))
      await partials.discard(uploadId)
      expect(await listed(partials.list())).toEqual([])
    })

    test('that was taken over truncates nothing, and rethrows the error of its source', async ({ blobs }) => {
      const { partials } = blobs
      const bytes = sampleBytes(700_000)
      const locked = new Error('The upload now belongs to another request.')
      const ends = [
        { next: () => inChunks(sampleBytes(500_000, 8)), fails: StoreConflict },
        { next: () => brokenOff(new Uint8Array(0), locked), fails: locked.message },
      ]
      for (const { next, fails } of ends) {
        await partials.begin(uploadId, bytes.length)
        const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        async function* stale(): AsyncGenerator<Uint8Array> {
          yield sampleBytes(300_000, 7)
          begun.resolve()
          await goOn.promise
          yield* next()
        }
        const other = partials.append(uploadId, { offset: 0, bytes: stale() })
        await begun.promise
        await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes), takesOver: true })
        goOn.resolve()
        await expect(other).rejects.toThrow(fails)
        expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      }
    })

    test('is listed with size and age', async ({ blobs: { partials } }) => {
      await partials.begin(uploadId, 10)
      await partials.begin(partialId('2'), 10)
      await partials.append(uploadId, { offset: 0, bytes: inChunks(sampleBytes(7)) })
      const found = await listed(partials.list())
      expect(found).toHaveLength(2)
      expect(found).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: uploadId, size: 7 }),
          expect.objectContaining({ id: partialId('2'), size: 0 }),
        ]),
      )
      for (const { writtenDate } of found) expect(Math.abs(Date.now() - writtenDate)).toBeLessThan(10_000)
    })
  })
}
