import { QuireError, type Issue } from '@quire/contract'
import { type PageAddress, type PagesOf, visiblePages } from './changed-pages.ts'

/** Two that stand at one address: a visible page, and another or what every site has there. */
export interface AddressClash {
  readonly address: string
  readonly page: PageAddress
  /** The page that was there first in the order of the site; a word: what every site has at addresses that begin with it. */
  readonly other: PageAddress | string
}

/** First parts of addresses that are no page's: files of every publication, and the preview. */
const reservedParts: ReadonlySet<string> = new Set(['assets', 'preview', 'robots.txt', 'sitemap.xml'])

/** Every visible page that is not alone at its address, in the order of the map. */
export function addressClashes(map: PagesOf<PageAddress>): AddressClash[] {
  const taken = new Map<string, PageAddress>()
  return visiblePages(map).flatMap((page) => {
    const address = page.path
    const [part = ''] = address.split('/', 1)
    const other = taken.get(address) ?? (reservedParts.has(part) ? part : undefined)
    if (!taken.has(address)) taken.set(address, page)
    return other === undefined ? [] : { address, page, other }
  })
}

/** Errors: `invalid_state` when visible pages have no address of their own, with both of each such pair. */
export function requireOwnAddresses(map: PagesOf<PageAddress>): void {
  const clashes = addressClashes(map)
  const [first] = clashes
  if (!first) return
  throw new QuireError('invalid_state', `${told(first)}: change a slug, or hide a page.`, {
    issues: clashes.map(issueOf),
  })
}

function issueOf(clash: AddressClash): Issue {
  return { path: clash.page.page.id, message: told(clash) }
}

function told({ address, page, other }: AddressClash): string {
  const place = address === '' ? 'the home page' : `the address "${address}"`
  if (typeof other === 'string')
    return `The page ${named(page)} stands at ${place}, where every site has its own "${other}"`
  return `The pages ${named(other)} and ${named(page)} both stand at ${place}`
}

function named({ page }: PageAddress): string {
  return `"${page.name}" (${page.id})`
}
