import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Manifest, PublishedFile } from './manifest.ts'
import { type KnownAddresses, redirectsNow } from './redirects.ts'

type Moved = Pick<Manifest, 'redirects' | 'away'>

const noneMoved: Moved = { redirects: new Map(), away: new Map() }

/** Where each page was, by id. */
type Addresses = ReadonlyMap<string, string>

function fileOf(id: string): PublishedFile {
  const part = { blob: '', blobSize: 0, start: 0, size: 0, etag: '' }
  return { ...part, mimeType: 'text/html', page: { id, uses: [] } }
}

function published(addresses: Addresses, moved: Moved = noneMoved): KnownAddresses {
  const { page: _, ...robots } = fileOf('')
  const pages = [...addresses].map(([id, address]) => [address, fileOf(id)] as const)
  return { files: new Map([...pages, ['robots.txt', robots]]), ...moved }
}

/** A site when it was published: where pages were shown, and those that it had beside. */
interface SiteThen {
  readonly visible: Addresses
  readonly hidden: readonly string[]
}

const hasPage = ({ visible, hidden }: SiteThen, id: string) => visible.has(id) || hidden.includes(id)

/** What is known after one publication after the other. */
function movedAfter(history: readonly SiteThen[]): Moved {
  let moved = noneMoved
  let before = published(new Map())
  for (const site of history) {
    moved = redirectsNow([before], { addresses: site.visible, isThere: (id) => hasPage(site, id) })
    before = published(site.visible, moved)
  }
  return moved
}

/** The same from the whole history: for each address the page that had it last, if the site always had that page since. */
function expectedAfter(history: readonly SiteThen[]): Moved {
  const now = history.at(-1)?.visible ?? new Map<string, string>()
  const all = new Set(history.flatMap(({ visible }) => [...visible.values()]))
  const expected = { redirects: new Map<string, string>(), away: new Map<string, string>() }
  for (const address of all) {
    const last = history.findLastIndex(({ visible }) => [...visible.values()].includes(address))
    const [holder = ''] = [...(history[last]?.visible ?? [])].find(([, at]) => at === address) ?? []
    if (last === history.length - 1 || !history.slice(last).every((site) => hasPage(site, holder))) continue
    const to = now.get(holder)
    if (to === undefined) expected.away.set(address, holder)
    else expected.redirects.set(address, to)
  }
  return expected
}

const pages = ['PAGE_1', 'PAGE_2', 'PAGE_3', 'PAGE_4']

/** No two pages at one address. */
const someAddresses: fc.Arbitrary<Addresses> = fc
  .tuple(fc.subarray(pages), fc.shuffledSubarray(['', 'a', 'b', 'c', 'd', 'e'], { minLength: 4 }))
  .map(([ids, addresses]) => new Map(ids.map((id, index) => [id, addresses[index] ?? ''])))

const aSite: fc.Arbitrary<SiteThen> = fc.record({ visible: someAddresses, hidden: fc.subarray(pages) })

const at = (addresses: Record<string, string>, hidden: readonly string[] = []): SiteThen => ({
  visible: new Map(Object.entries(addresses)),
  hidden,
})

const redirectsAfter = (history: readonly SiteThen[]) => movedAfter(history).redirects

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

  it('leads nowhere while the page is not shown, and to where it is when it is again', () => {
    const hidden = [at({ P: 'a' }), at({ P: 'b' }), at({}, ['P']), at({}, ['P'])]
    expect(redirectsAfter(hidden)).toEqual(new Map())
    expect(redirectsAfter([...hidden, at({ P: 'c' })])).toEqual(
      new Map([
        ['a', 'c'],
        ['b', 'c'],
      ]),
    )
  })

  it('that another took while the page was not shown is of that one', () => {
    const history = [at({ P: 'a' }), at({ Q: 'a' }, ['P']), at({ P: 'b', Q: 'c' })]
    expect(redirectsAfter(history)).toEqual(new Map([['a', 'c']]))
  })

  it('is known again after a rollback, of the page that is served there', () => {
    const [first, second] = [
      published(at({ P: 'a', Q: 'x' }).visible),
      published(at({ P: 'b', R: 'x' }).visible),
    ]
    const now = { addresses: at({ P: 'c', Q: 'q', R: 'r' }).visible, isThere: () => true }
    expect(redirectsNow([first, second], now).redirects).toEqual(
      new Map([
        ['a', 'c'],
        ['x', 'q'],
        ['b', 'c'],
      ]),
    )
  })

  it('is forgotten first where it is the older of too many', () => {
    const before = published(at({ P: 'b' }).visible, {
      redirects: new Map([['a', 'b']]),
      away: new Map([['z', 'Q']]),
    })
    const now = { addresses: at({ P: 'c' }).visible, isThere: () => true }
    expect(redirectsNow([before], now, 1)).toEqual({ redirects: new Map([['b', 'c']]), away: new Map() })
    expect(redirectsNow([before], now, 2).redirects.size).toBe(2)
    expect(redirectsNow([before], now, 3).away).toEqual(new Map([['z', 'Q']]))
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
      fc.property(fc.array(aSite, { maxLength: 8 }), (history) => {
        const { redirects, away } = movedAfter(history)
        expect({ redirects, away }).toEqual(expectedAfter(history))
        const inUse = new Set(history.at(-1)?.visible.values())
        for (const from of away.keys()) expect(inUse.has(from)).toBe(false)
        for (const [from, to] of redirects) {
          expect(inUse.has(from)).toBe(false)
          expect(inUse.has(to)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
