import { QuireError, type Issue } from '@quire/contract'
import { type PageAddress, type PagesOf, visiblePages } from './changed-pages.ts'

/** Two that stand at one address: a visible page, and another or what every site has there. */
export interface AddressConflict {
  readonly address: string
  readonly page: PageAddress
  /** The page that was there first in the order of the site; a word: what every site has at addresses that begin with it. */
  readonly other: PageAddress | string
}

/** First parts of addresses that are no page's: files of every publication, and the preview. */
const reservedParts: ReadonlySet<string> = new Set(['assets', 'preview', 'robots.txt', 'sitemap.xml'])

/** Every visible page that is not alone at its address, in the order of the map. */
export function addressConflicts(map: PagesOf<PageAddress>): AddressConflict[] {
  const inUse = new Map<string, PageAddress>()
  return visiblePages(map).flatMap((page) => {
    const address = page.path
    const [part = ''] = address.split('/', 1)
    const other = inUse.get(address) ?? (reservedParts.has(part) ? part : undefined)
    if (!inUse.has(address)) inUse.set(address, page)
    return other === undefined ? [] : { address, page, other }
  })
}

/** Errors: `invalid_state` when visible pages have no address of their own, with both of each such pair. */
export function requireOwnAddresses(map: PagesOf<PageAddress>): void {
  const conflicts = addressConflicts(map)
  const [first] = conflicts
  if (!first) return
  throw new QuireError('invalid_state', `${reported(first)}: change a slug, or hide a page.`, {
    issues: conflicts.map(issueOf),
  })
}

function issueOf(conflict: AddressConflict): Issue {
  return { path: conflict.page.page.id, message: reported(conflict) }
}

function reported({ address, page, other }: AddressConflict): string {
  const scope = address === '' ? 'the home page' : `the address "${address}"`
  if (typeof other === 'string')
    return `The page ${named(page)} stands at ${scope}, where every site has its own "${other}"`
  return `The pages ${named(other)} and ${named(page)} both stand at ${scope}`
}

function named({ page }: PageAddress): string {
  return `"${page.name}" (${page.id})`
}
