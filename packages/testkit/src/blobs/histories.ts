import { type Blobs, type Bytes, ChecksumMismatch } from '@quire/core/ports'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type BlobTest, partialId } from './fixture.ts'
import { brokenOff, checksumOf, hashOf, inChunks, sampleBytes } from './samples.ts'

/**
 * A step of an upload: how many bytes it goes back, how many it sends, and what happens to it
 * (`unseen`: it sends bytes that do not count).
 */
interface Step {
  readonly back: number
  readonly length: number
  readonly chunk: number
  readonly how: 'whole' | 'cut' | 'proved' | 'disproved' | 'unseen'
}

const step: fc.Arbitrary<Step> = fc.record({
  back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(40_000)),
  length: fc.nat(300_000),
  chunk: fc.integer({ min: 1_000, max: 400_000 }),
  how: fc.constantFrom('whole', 'cut', 'proved', 'disproved', 'unseen'),
})

const cut = new Error('cut')

/** Interrupted uploads, in random steps. */
export function historyLaws(test: BlobTest): void {
  describe('an upload in any number of steps', () => {
    test('results in the bytes that were sent, however often it was interrupted', async ({ blobs }) => {
      let runs = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.nat(), async (steps, seed) => {
          const id = partialId('3').slice(0, -4) + String((runs += 1)).padStart(4, '0')
          const bytes = sampleBytes(700_000, seed)
          await blobs.partials.begin(id, bytes.length)
          const upload = { blobs, id, bytes }
          let counted = 0
          for (const next of steps) counted = await take(upload, next, counted)
          const rest = { offset: counted, bytes: inChunks(bytes.subarray(counted)) }
          expect(await blobs.partials.append(id, rest)).toBe(bytes.length)
          const { hash } = await blobs.partials.finish(id, bytes.length)
          expect(hash).toBe(await hashOf(bytes))
          expect(await blobs.verify(hash)).toBe('sound')
          await blobs.delete(hash)
          await blobs.partials.discard(id)
        }),
        { numRuns: 40 },
      )
    }, 180_000)
  })
}

interface Upload {
  readonly blobs: Blobs
  readonly id: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Runs a step and returns how many bytes count after it. */
async function take({ blobs, id, bytes }: Upload, step: Step, counted: number): Promise<number> {
  const offset = Math.max(0, counted - step.back)
  const part = bytes.slice(offset, offset + step.length)
  const end = offset + part.length
  const send = (sent: Bytes) => blobs.partials.append(id, { offset, bytes: sent })
  const prove = async (sent: Bytes) =>
    blobs.partials.append(id, { offset, bytes: sent, checksum: await checksumOf('sha1', part) })
  if (step.how === 'disproved') {
    await expect(prove(inChunks(sampleBytes(part.length + 1, 99)))).rejects.toThrow(ChecksumMismatch)
    return offset
  }
  if (step.how === 'unseen') {
    await send(inChunks(sampleBytes(part.length, 77), step.chunk))
    return offset
  }
  if (step.how === 'cut') await expect(send(brokenOff(part, cut))).rejects.toBe(cut)
  else await (step.how === 'proved' ? prove : send)(inChunks(part, step.chunk))
  return end
}
