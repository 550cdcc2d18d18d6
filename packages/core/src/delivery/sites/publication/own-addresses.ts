import { QuireError, type Issue } from '@quire/contract'
import { type PageAddress, type PagesOf, visiblePages } from './changed-pages.ts'

/** A visible page whose address is in use, by another page or by a reserved name. */
export interface AddressConflict {
  readonly address: string
  readonly page: PageAddress
  /**
   * The page that comes first in the order of the site, or the reserved first segment of the
   * address.
   */
  readonly other: PageAddress | string
}

/** First segments that pages cannot use: files of every publication, and the preview. */
const reservedParts: ReadonlySet<string> = new Set(['assets', 'preview', 'robots.txt', 'sitemap.xml'])

/** Finds the visible pages whose address is in use already, in the order of the map. */
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

/**
 * Errors: `invalid_state` when visible pages share an address or use a reserved one. The issues
 * name both sides.
 */
export function requireOwnAddresses(map: PagesOf<PageAddress>): void {
  const conflicts = addressConflicts(map)
  const [first] = conflicts
  if (!first) return
  throw new QuireError('invalid_state', `${messageOf(first)}: change a slug, or hide a page.`, {
    issues: conflicts.map(issueOf),
  })
}

function issueOf(conflict: AddressConflict): Issue {
  return { path: conflict.page.page.id, message: messageOf(conflict) }
}

function messageOf({ address, page, other }: AddressConflict): string {
  const where = address === '' ? 'the address of the home page' : `the address "${address}"`
  if (typeof other === 'string')
    return `The page ${describe(page)} is at ${where}, where every site has its own "${other}"`
  return `The pages ${describe(other)} and ${describe(page)} are both at ${where}`
}

function describe({ page }: PageAddress): string {
  return `"${page.name}" (${page.id})`
}
