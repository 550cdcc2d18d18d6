import { ChecksumMismatch } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, listed, uploadId } from './fixture.ts'
import { brokenOff, checksumOf, connectionReset, hashOf, inChunks, MiB, sampleBytes } from './samples.ts'

export function checksumLaws(test: BlobTest): void {
  for (const algorithm of ['sha1', 'sha256'] as const) {
    describe(`an append with a checksum by ${algorithm}`, () => {
      const never = () => Promise.reject(new Error('told'))

      test('counts when it matches, and is not reported before', async ({ blobs: { partials } }) => {
        const bytes = sampleBytes(20 * MiB)
        await partials.begin(uploadId, bytes.length)
        let offset = 0
        for (const end of [10, 9 * MiB, 20 * MiB]) {
          const part = bytes.slice(offset, end)
          const checksum = await checksumOf(algorithm, part)
          const append = { offset, bytes: inChunks(part), checksum, onDurable: never }
          expect(await partials.append(uploadId, append)).toBe(end)
          offset = end
        }
        expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      })

      test('does not count when it does not match', async ({ blobs: { partials } }) => {
        const bytes = sampleBytes(10 * MiB)
        await partials.begin(uploadId, bytes.length)
        await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 1_000)) })
        const part = bytes.slice(1_000)
        const checksum = await checksumOf(algorithm, part)
        const wrong = {
          offset: 1_000,
          bytes: inChunks(sampleBytes(part.length, 3)),
          checksum,
          onDurable: never,
        }
        await expect(partials.append(uploadId, wrong)).rejects.toThrow(ChecksumMismatch)
        expect(await listed(partials.list())).toMatchObject([{ size: 1_000 }])
        const right = { offset: 1_000, bytes: inChunks(part), checksum }
        expect(await partials.append(uploadId, right)).toBe(bytes.length)
        expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      })

      test('does not count when its source fails', async ({ blobs: { partials } }) => {
        const bytes = sampleBytes(10_000)
        await partials.begin(uploadId, bytes.length)
        await partials.append(uploadId, { offset: 0, bytes: inChunks(bytes.subarray(0, 1_000)) })
        const error = connectionReset()
        const part = bytes.slice(1_000, 5_000)
        const checksum = await checksumOf(algorithm, part)
        const cut = { offset: 1_000, bytes: brokenOff(part, error), checksum, onDurable: never }
        await expect(partials.append(uploadId, cut)).rejects.toBe(error)
        expect(await listed(partials.list())).toMatchObject([{ size: 1_000 }])
        await partials.append(uploadId, { offset: 1_000, bytes: inChunks(bytes.subarray(1_000)) })
        expect((await partials.finish(uploadId, bytes.length)).hash).toBe(await hashOf(bytes))
      })
    })
  }
}
