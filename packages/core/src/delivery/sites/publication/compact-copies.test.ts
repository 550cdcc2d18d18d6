import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect } from '../../../engine/paging.ts'
import { memoryBlobs } from '../../../memory/blobs.ts'
import { BlobCorrupt, type Blobs } from '../../../ports/index.ts'
import { compact } from './compact.ts'
import type { PublishedFile } from './manifest.ts'
import { createPack, partInPack, readPart } from './pack.ts'

type Files = ReadonlyMap<string, PublishedFile>

/** Publishes texts as pages. Returns the files by address, and their packs. */
async function publish(blobs: Blobs, texts: readonly string[], name = 'page'): Promise<Files> {
  const pack = createPack(blobs)
  const packed = await Promise.all(texts.map((text) => pack.add(new TextEncoder().encode(text))))
  const stored = await pack.finish()
  const page = { id: 'PAGE_1', uses: [] }
  return new Map(
    packed.map((bytes, index) => [
      `${name}-${index}`,
      { ...partInPack(bytes, stored), mimeType: 'text/html', page },
    ]),
  )
}

const packsIn = (files: Files) => new Set([...files.values()].map(({ blob }) => blob))

async function textAt(blobs: Blobs, part: Parameters<typeof readPart>[1]): Promise<string> {
  return new TextDecoder().decode(await collect((await readPart(blobs, part))!))
}

async function copiedTexts(blobs: Blobs, files: Files, packs = packsIn(files)) {
  const pack = createPack(blobs)
  const copied = await compact(blobs, { files, packs, pack })
  const stored = await pack.finish()
  const texts = new Map<string, string>()
  for (const [address, packed] of copied) texts.set(address, await textAt(blobs, partInPack(packed, stored)))
  return { texts, stored }
}

describe('compacting', () => {
  it('copies each file to one new pack, without bytes that are no longer used', async () => {
    const somePacks = fc.array(fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(somePacks, fc.infiniteStream(fc.boolean()), async (packs, isInUse) => {
        const blobs = memoryBlobs()
        const expected = new Map<string, string>()
        const files = new Map<string, PublishedFile>()
        for (const [index, texts] of packs.entries())
          for (const [address, file] of await publish(blobs, texts, `pack-${index}`)) {
            if (isInUse.next().value !== true) continue
            files.set(address, file)
            expected.set(address, await textAt(blobs, file))
          }
        const { texts, stored } = await copiedTexts(blobs, files)
        expect(texts).toEqual(expected)
        const size = new TextEncoder().encode([...new Set(expected.values())].join('')).length
        expect(stored?.size ?? 0).toBe(size)
      }),
    )
  })

  it('does not touch other packs', async () => {
    const blobs = memoryBlobs()
    const first = await publish(blobs, ['a', 'b'], 'first')
    const second = await publish(blobs, ['c'], 'second')
    const { texts } = await copiedTexts(blobs, new Map([...first, ...second]), packsIn(second))
    expect([...texts]).toEqual([['second-0', 'c']])
  })

  it('continues without a missing pack', async () => {
    const blobs = memoryBlobs()
    const lost = await publish(blobs, ['a', 'b'], 'lost')
    const stored = await publish(blobs, ['c'], 'kept')
    for (const hash of packsIn(lost)) await blobs.delete(hash)
    const { texts } = await copiedTexts(blobs, new Map([...lost, ...stored]))
    expect([...texts]).toEqual([['kept-0', 'c']])
  })

  it('leaves out a page whose bytes are damaged', async () => {
    const blobs = memoryBlobs()
    const files = await publish(blobs, ['aa', 'bb', 'cc'])
    const damaged: Blobs = {
      ...blobs,
      async read(hash, range) {
        const bytes = await blobs.read(hash, range)
        return bytes && flipped(bytes)
      },
    }
    const pack = createPack(blobs)
    const copied = await compact(damaged, { files, packs: packsIn(files), pack })
    expect([...copied.keys()]).toEqual(['page-0', 'page-2'])
    await pack.abort(new Error('enough'))
  })

  it.for([
    ['at once', 0],
    ['in the middle', 1],
  ] as const)('has what came before where a pack was cut %s', async ([, whole]) => {
    const blobs = memoryBlobs()
    const files = await publish(blobs, ['aa', 'bb', 'cc'])
    const cut: Blobs = {
      ...blobs,
      async read(hash, range) {
        if (whole === 0) throw new RangeError('beyond the end')
        const bytes = await blobs.read(hash, range)
        return bytes && cutBytes(bytes, hash)
      },
    }
    const pack = createPack(blobs)
    const copied = await compact(cut, { files, packs: packsIn(files), pack })
    expect([...copied.keys()]).toEqual(['page-0'].slice(0, whole))
    await pack.abort(new Error('enough'))
  })

  it('fails with the storage, and closes its readers', async () => {
    const blobs = memoryBlobs()
    const files = await publish(blobs, ['aa', 'bb'])
    const pack = createPack(blobs)
    let isReleased = false
    async function* releasing(bytes: AsyncIterable<Uint8Array>) {
      try {
        yield* bytes
      } finally {
        isReleased = true
      }
    }
    const watched: Blobs = {
      ...blobs,
      async read(hash, range) {
        const bytes = await blobs.read(hash, range)
        return bytes && releasing(bytes)
      },
    }
    const reason = new Error('The job was cancelled.')
    await pack.abort(reason)
    await expect(compact(watched, { files, packs: packsIn(files), pack })).rejects.toBe(reason)
    expect(isReleased).toBe(true)
  })
})

/** Flips one bit of the third byte. */
async function* flipped(bytes: AsyncIterable<Uint8Array>) {
  const all = await collect(bytes)
  all[2] = (all[2] ?? 0) ^ 1
  yield all
}

async function* cutBytes(bytes: AsyncIterable<Uint8Array>, hash: string) {
  yield (await collect(bytes)).slice(0, 3)
  throw new BlobCorrupt(hash)
}
