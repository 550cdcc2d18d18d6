import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createByteReader } from './compact.ts'

async function* inChunks(chunks: readonly Uint8Array[]) {
  yield* chunks
}

it('reads any chunks by count, and nothing beyond the end', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 5 }))
  const steps = fc.array(fc.record({ isTake: fc.boolean(), count: fc.nat(7) }))
  await fc.assert(
    fc.asyncProperty(chunks, steps, async (given, moves) => {
      const all = given.flatMap((chunk) => Array.from(chunk))
      const reader = createByteReader(inChunks(given))
      let position = 0
      for (const { isTake, count } of moves) {
        const end = position + count
        const there = end > all.length ? null : all.slice(position, end)
        const bytes = isTake ? await reader.take(count) : await reader.skip(count)
        expect(bytes && Array.from(bytes)).toEqual(isTake ? there : undefined)
        position = Math.min(end, all.length)
      }
      await reader.close()
    }),
  )
})
