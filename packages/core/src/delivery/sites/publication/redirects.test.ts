import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Manifest, PublishedFile } from './manifest.ts'
import { type KnownAddresses, redirectsNow } from './redirects.ts'

type Moved = Pick<Manifest, 'redirects' | 'away'>

const noneMoved: Moved = { redirects: new Map(), away: new Map() }

/** Addresses of pages, by page id. */
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

/**
 * A site at the time of a publication: the addresses of visible pages, and the ids of hidden ones.
 */
interface PublishedState {
  readonly visible: Addresses
  readonly hidden: readonly string[]
}

const hasPage = ({ visible, hidden }: PublishedState, id: string) => visible.has(id) || hidden.includes(id)

/** The redirects after a series of publications. */
function movedAfter(history: readonly PublishedState[]): Moved {
  let moved = noneMoved
  let before = published(new Map())
  for (const site of history) {
    moved = redirectsNow([before], { addresses: site.visible, isThere: (id) => hasPage(site, id) })
    before = published(site.visible, moved)
  }
  return moved
}

/**
 * The same computed from the whole history: each address belongs to the page that had it last, if
 * the site has had that page ever since.
 */
function expectedAfter(history: readonly PublishedState[]): Moved {
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

/** Addresses without duplicates. */
const someAddresses: fc.Arbitrary<Addresses> = fc
  .tuple(fc.subarray(pages), fc.shuffledSubarray(['', 'a', 'b', 'c', 'd', 'e'], { minLength: 4 }))
  .map(([ids, addresses]) => new Map(ids.map((id, index) => [id, addresses[index] ?? ''])))

const someSite: fc.Arbitrary<PublishedState> = fc.record({
  visible: someAddresses,
  hidden: fc.subarray(pages),
})

const at = (addresses: Record<string, string>, hidden: readonly string[] = []): PublishedState => ({
  visible: new Map(Object.entries(addresses)),
  hidden,
})

const redirectsAfter = (history: readonly PublishedState[]) => movedAfter(history).redirects

describe('a former address of a page', () => {
  it('redirects to the current address in one step after several moves', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({ P: '' })])).toEqual(
      new Map([
        ['a', ''],
        ['b', ''],
      ]),
    )
  })

  it('has no redirect once the page is deleted, even when it comes back', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({})])).toEqual(new Map())
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({}), at({ P: 'b' })])).toEqual(new Map())
  })

  it('has no redirect while the page is hidden, and one when it is visible again', () => {
    const hidden = [at({ P: 'a' }), at({ P: 'b' }), at({}, ['P']), at({}, ['P'])]
    expect(redirectsAfter(hidden)).toEqual(new Map())
    expect(redirectsAfter([...hidden, at({ P: 'c' })])).toEqual(
      new Map([
        ['a', 'c'],
        ['b', 'c'],
      ]),
    )
  })

  it('belongs to another page that took it while the page was hidden', () => {
    const history = [at({ P: 'a' }), at({ Q: 'a' }, ['P']), at({ P: 'b', Q: 'c' })]
    expect(redirectsAfter(history)).toEqual(new Map([['a', 'c']]))
  })

  it('is known after a rollback, for the page that is served there', () => {
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

  it('is dropped first when it is older and there are too many', () => {
    const before = published(at({ P: 'b' }).visible, {
      redirects: new Map([['a', 'b']]),
      away: new Map([['z', 'Q']]),
    })
    const now = { addresses: at({ P: 'c' }).visible, isThere: () => true }
    expect(redirectsNow([before], now, 1)).toEqual({ redirects: new Map([['b', 'c']]), away: new Map() })
    expect(redirectsNow([before], now, 2).redirects.size).toBe(2)
    expect(redirectsNow([before], now, 3).away).toEqual(new Map([['z', 'Q']]))
  })

  it('has no redirect when the page moves back to it', () => {
    expect(redirectsAfter([at({ P: 'a' }), at({ P: 'b' }), at({ P: 'a' })])).toEqual(new Map([['b', 'a']]))
  })

  it('belongs to the page that had it last', () => {
    const history = [at({ P: 'a' }), at({ P: 'b', Q: 'a' }), at({ P: 'b', Q: 'c' })]
    expect(redirectsAfter(history)).toEqual(new Map([['a', 'c']]))
  })

  it('has no redirect when two pages swap addresses', () => {
    expect(redirectsAfter([at({ P: 'a', Q: 'b' }), at({ P: 'b', Q: 'a' })])).toEqual(new Map())
  })

  it('redirects as brute force over the whole history finds, and always to an address in use', () => {
    fc.assert(
      fc.property(fc.array(someSite, { maxLength: 8 }), (history) => {
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
