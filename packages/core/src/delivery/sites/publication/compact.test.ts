import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packsToCompact, partsByEtag } from './compact.ts'
import type { BlobPart, Manifest, PublishedFile } from './manifest.ts'

type Files = Manifest['files']

const hashOf = (name: number) => name.toString(16).padStart(64, '0')

/** A page in a pack, identified by its start. */
function aPage(
  pack: number,
  { start, size, blobSize }: Pick<BlobPart, 'start' | 'size' | 'blobSize'>,
): PublishedFile {
  const etag = hashOf(pack * 1_000_000 + start)
  return {
    blob: hashOf(pack),
    blobSize,
    start,
    size,
    etag,
    mimeType: 'text/html',
    page: { id: 'PAGE_1', uses: [] },
  }
}

/** For each size, a page that fills its pack. */
function packsOf(sizes: readonly number[]): Files {
  return new Map(
    sizes.map((size, pack) => [`page-${pack}`, aPage(pack, { start: 0, size, blobSize: size })] as const),
  )
}

describe('packs are compacted', () => {
  it('never while they are few and more than half of each is used', () => {
    expect(packsToCompact(new Map())).toEqual(new Set())
    expect(packsToCompact(packsOf(Array.from({ length: 19 }, () => 10)))).toEqual(new Set())
  })

  it('except the ten largest, when there would be more than twenty with the next one', () => {
    const packs = packsToCompact(packsOf(Array.from({ length: 20 }, (_, index) => 100 - index)))
    expect(packs).toEqual(new Set(Array.from({ length: 10 }, (_, index) => hashOf(index + 10))))
  })

  it('when less than half of one is used, counting bytes that two pages share once', () => {
    const shared = aPage(1, { start: 0, size: 40, blobSize: 100 })
    const files = new Map([
      ['a', shared],
      ['b', shared],
      ['c', aPage(2, { start: 0, size: 50, blobSize: 100 })],
    ])
    expect(packsToCompact(files)).toEqual(new Set([hashOf(1)]))
  })

  it('never if they are not packs: a picture, however small its part', () => {
    const { page: _, ...file } = aPage(1, { start: 0, size: 1, blobSize: 100 })
    expect(packsToCompact(new Map([['assets/a.png', file]]))).toEqual(new Set())
  })

  it('until at most twenty are left with the new one, and at least half of their bytes are used', () => {
    const somePage = fc.record({ pack: fc.nat(40), start: fc.nat(99), size: fc.nat(30) })
    fc.assert(
      fc.property(fc.array(somePage, { maxLength: 200 }), (pages) => {
        const files = new Map(
          pages.map(({ pack, start, size }, index) => [
            `p${index}`,
            aPage(pack, { start, size, blobSize: 100 }),
          ]),
        )
        const compacted = packsToCompact(files)
        const left = new Map([...files].filter(([, { blob }]) => !compacted.has(blob)))
        expect(new Set([...left.values()].map(({ blob }) => blob)).size).toBeLessThan(20)
        expect(packsToCompact(left)).toEqual(new Set())
      }),
    )
  })

  it('so rarely that a page is copied only a few times in a thousand publications of one page', () => {
    let files: Files = packsOf([100_000])
    let copied = 0
    for (let time = 1; time <= 1_000; time += 1) {
      const packs = packsToCompact(files)
      const moved = [...files].filter(([, { blob }]) => packs.has(blob))
      const blobSize = 10 * (moved.length + 1)
      const packed = [...moved.map(([address]) => address), `new-${time}`].map(
        (address, index) => [address, aPage(time, { start: index * 10, size: 10, blobSize })] as const,
      )
      copied += moved.length
      files = new Map([...files, ...packed])
    }
    expect(copied / 1_000).toBeLessThan(50)
    expect(files.get('page-0')?.blob).toBe(hashOf(0))
  })
})

it('stored files are found by etag, without those about to be copied', () => {
  const files = packsOf([10, 20])
  expect([...partsByEtag(files, new Set()).values()]).toEqual([...files.values()])
  expect([...partsByEtag(files, new Set([hashOf(0)])).keys()]).toEqual([hashOf(1_000_000)])
})
