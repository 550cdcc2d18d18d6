import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Manifest, PublishedFile } from './manifest.ts'
import { redirectsNow } from './redirects.ts'

type Before = Pick<Manifest, 'files' | 'redirects'>

/** Where each page was, by id. */
type Addresses = ReadonlyMap<string, string>

function fileOf(id: string): PublishedFile {
  const part = { blob: '', blobSize: 0, start: 0, size: 0, etag: '' }
  return { ...part, mimeType: 'text/html', page: { id, uses: [] } }
}

function published(addresses: Addresses, redirects: Manifest['redirects']): Before {
  const { page: _, ...robots } = fileOf('')
  const pages = [...addresses].map(([id, address]) => [address, fileOf(id)] as const)
  return { files: new Map([...pages, ['robots.txt', robots]]), redirects }
}

/** Redirects after one publication after the other. */
function redirectsAfter(history: readonly Addresses[]): Map<string, string> {
  let before = published(new Map(), new Map())
  let redirects = new Map<string, string>()
  for (const addresses of history) {
    redirects = redirectsNow(before, addresses)
    before = published(addresses, redirects)
  }
  return redirects
}

/** The same from the whole history: for each address the page that had it last, if that page was never gone since. */
function expectedAfter(history: readonly Addresses[]): Map<string, string> {
  const now = history.at(-1) ?? new Map<string, string>()
  const all = new Set(history.flatMap((addresses) => [...addresses.values()]))
  const expected = new Map<string, string>()
  for (const address of all) {
    const last = history.findLastIndex((addresses) => [...addresses.values()].includes(address))
    const [holder = ''] = [...(history[last] ?? [])].find(([, at]) => at === address) ?? []
    const to = now.get(holder)
    const isInUse = last === history.length - 1
    const stayed = history.slice(last).every((addresses) => addresses.has(holder))
    if (!isInUse && stayed && to !== undefined) expected.set(address, to)
  }
  return expected
}

const pages = ['PAGE_1', 'PAGE_2', 'PAGE_3', 'PAGE_4']

/** No two pages at one address. */
const someAddresses: fc.Arbitrary<Addresses> = fc
  .tuple(fc.subarray(pages), fc.shuffledSubarray(['', 'a', 'b', 'c', 'd', 'e'], { minLength: 4 }))
  .map(([ids, addresses]) => new Map(ids.map((id, index) => [id, addresses[index] ?? ''])))

const at = (addresses: Record<string, string>): Addresses => new Map(Object.entries(addresses))

describe('an address where a page was', () => {
  it('leads to where the page is, in one step after several moves', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({ P: '' })])).toEqual(
      new Map([
        ['a', ''],
        ['b', ''],
      ]),
    )
  })

  it('leads nowhere once the page is gone, also when it comes back', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({})])).toEqual(new Map())
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({}), at({ P: 'b' })])).toEqual(new Map())
  })

  it('is its own again when the page comes back to it', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({ P: 'a' })])).toEqual(new Map([['b', 'a']]))
  })

  it('belongs to the page that had it last', () => {
    const history = [at({ P: 'a' }), at({ P: 'b', Q: 'a' }), at({ P: 'b', Q: 'c' })]
    expect(redirectsAfter(history)).toEqual(new Map([['a', 'c']]))
  })

  it('is no redirect when two pages change places', () => {
    expect(redirectsAfter([at({ P: 'a', Q: 'b' }), at({ P: 'b', Q: 'a' })])).toEqual(new Map())
  })

  it('leads where brute force over the whole history finds it, and always to an address in use', () => {
    fc.assert(
      fc.property(fc.array(someAddresses, { maxLength: 8 }), (history) => {
        const redirects = redirectsAfter(history)
        expect(redirects).toEqual(expectedAfter(history))
        const inUse = new Set(history.at(-1)?.values())
        for (const [from, to] of redirects) {
          expect(inUse.has(from)).toBe(false)
          expect(inUse.has(to)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
