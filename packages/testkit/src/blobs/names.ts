import type { Blobs, DerivedName } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, listed, uploadId } from './fixture.ts'
import { inChunks, sampleBytes } from './samples.ts'

const hash = 'a'.repeat(64)
const paths = ['', '.', '..', '/etc/passwd', '../../escaped', '..\\..\\escaped', 'a/b', 'a\0b', 'C:\\x']
const wrongHashes = [...paths, hash.toUpperCase(), hash.slice(1), `${hash}a`, `${hash}\n`, `../${hash}`]
const wrongIds = [
  ...paths,
  'UPLD_',
  uploadId.toLowerCase(),
  `${uploadId}/..`,
  `${uploadId}\n`,
  uploadId.replace('1', 'I'),
]
const wrongRecipes = [...paths, '1a', '.a', '-a', 'A', 'a b', 'a'.repeat(201), 'a\n', 'ä']

/** Names that the engine would never use. */
export function nameLaws(test: BlobTest): void {
  describe('malformed names', () => {
    test('are refused for blobs', async ({ blobs }) => {
      for (const wrong of wrongHashes) {
        await refused(wrong, [
          () => blobs.stat(wrong),
          () => blobs.read(wrong),
          () => blobs.verify(wrong),
          () => blobs.delete(wrong),
          () => blobs.derived.forget(wrong),
          ...namedCalls(blobs, { source: wrong, recipe: 'small' }),
        ])
      }
      await nothingStored(blobs)
    })

    test('are refused for recipes', async ({ blobs }) => {
      for (const wrong of wrongRecipes) {
        await refused(wrong, namedCalls(blobs, { source: hash, recipe: wrong }))
      }
      await nothingStored(blobs)
    })

    test('are refused for partial blobs', async ({ blobs }) => {
      for (const wrong of wrongIds) {
        await refused(wrong, [
          () => blobs.partials.begin(wrong, 1),
          () => blobs.partials.append(wrong, { offset: 0, bytes: inChunks(sampleBytes(1)) }),
          () => blobs.partials.finish(wrong, 0),
          () => blobs.partials.discard(wrong),
        ])
      }
      await nothingStored(blobs)
    })

    test('are refused as numbers, too', async ({ blobs }) => {
      const { partials } = blobs
      await partials.begin(uploadId, 10)
      for (const wrong of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) {
        await refused(String(wrong), [
          () => partials.begin(uploadId, wrong),
          () => partials.append(uploadId, { offset: wrong, bytes: inChunks(sampleBytes(1)) }),
          () => partials.finish(uploadId, wrong),
        ])
      }
    })
  })
}

/** Every operation on a derived file. */
function namedCalls({ derived }: Blobs, name: DerivedName): readonly (() => Promise<unknown>)[] {
  return [
    () => derived.find(name),
    () => derived.retain(name, sampleBytes(1)),
    () => derived.read({ ...name, hash }),
    () => derived.verify(name),
    () => derived.use(name),
    () => derived.remove(name),
  ]
}

async function refused(wrong: string, calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    await expect(call(), `${JSON.stringify(wrong)}, call ${index}`).rejects.toThrow(TypeError)
  }
}

async function nothingStored(blobs: Blobs): Promise<void> {
  expect(await hashesIn(blobs)).toEqual([])
  expect(await listed(blobs.derived.list())).toEqual([])
  expect(await listed(blobs.partials.list())).toEqual([])
}
