import { BlobAbsent, durableEvery } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, uploadId } from './fixture.ts'
import { hashOf, inChunks, MiB, sampleBytes, watched } from './samples.ts'

/** The progress that an append reports as durable. */
export function durableLaws(test: BlobTest): void {
  describe('the durable progress of an append', () => {
    for (const chunk of [60_007, 3 * MiB, 21 * MiB]) {
      test(`grows by at most ${durableEvery} bytes up to the end, with chunks of ${chunk}`, async ({
        blobs,
      }) => {
        const { partials } = blobs
        const bytes = sampleBytes(21 * MiB)
        await partials.begin(uploadId, bytes.length)
        await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 1_000)) })
        const reported = [1_000]
        const onDurable = async (end: number) => void reported.push(end)
        const rest = inChunks(bytes.subarray(1_000), chunk)
        expect(await partials.append(uploadId, { offset: 1_000, bytes: rest, onDurable })).toBe(bytes.length)
        expect(reported.at(-1)).toBe(bytes.length)
        for (const [index, end] of reported.slice(1).entries()) {
          expect(end).toBeGreaterThan(reported[index] ?? Infinity)
          expect(end - (reported[index] ?? 0)).toBeLessThanOrEqual(durableEvery)
        }
        expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      })
    }

    test('is reported before the append continues', async ({ blobs: { partials } }) => {
      const bytes = sampleBytes(20 * MiB)
      await partials.begin(uploadId, bytes.length)
      let inside = 0
      let most = 0
      let ended = false
      const onDurable = async () => {
        most = Math.max(most, (inside += 1))
        await new Promise((resolve) => setTimeout(resolve, 20))
        expect(ended).toBe(false)
        inside -= 1
      }
      await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes), onDurable })
      ended = true
      expect({ inside, most }).toEqual({ inside: 0, most: 1 })
    })

    test('can end the append by throwing: the error is rethrown and the source released', async ({
      blobs,
    }) => {
      const { partials } = blobs
      const bytes = sampleBytes(20 * MiB)
      await partials.begin(uploadId, bytes.length)
      const lost = new Error('The upload now belongs to another server.')
      const reported: number[] = []
      const source = watched(inChunks(bytes))
      const onDurable = async (end: number) => {
        reported.push(end)
        throw lost
      }
      await expect(partials.append(uploadId, { offset: 0, bytes: source.bytes, onDurable })).rejects.toBe(
        lost,
      )
      expect(reported).toHaveLength(1)
      expect(source.isReleased()).toBe(true)
      const offset = reported[0] ?? 0
      await partials.append(uploadId, { offset, bytes: inChunks(bytes.subarray(offset)) })
      expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
    })

    test('is not reported when no bytes came', async ({ blobs: { partials } }) => {
      await partials.begin(uploadId, 0)
      const onDurable = () => Promise.reject(new Error('reported'))
      const nothing = { offset: 0, bytes: inChunks(new Uint8Array(0)), onDurable }
      expect(await partials.append(uploadId, nothing)).toBe(0)
      await expect(partials.finish(uploadId, 1)).rejects.toThrow(BlobAbsent)
      expect((await partials.finish(uploadId, 0)).size).toBe(0)
    })
  })
}
