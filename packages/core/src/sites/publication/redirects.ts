import type { Manifest } from './manifest.ts'

/**
 * From each address where a page was and none is now to the one where that page is now, in one step. What a publication knows is
 * the one before it: an address leads to the page that had it last, for as long as that page is in every publication and no
 * other takes the address. Never from an address in use, never to one that is not.
 */
export function redirectsNow(
  before: Pick<Manifest, 'files' | 'redirects'>,
  now: ReadonlyMap<string, string>,
): Map<string, string> {
  const inUse = new Set(now.values())
  const redirects = new Map<string, string>()
  const lead = (from: string, pageId: string | undefined) => {
    const to = pageId === undefined ? undefined : now.get(pageId)
    if (to !== undefined && !inUse.has(from)) redirects.set(from, to)
  }
  const pageAt = (address: string) => before.files.get(address)?.page?.id
  for (const [from, to] of before.redirects) lead(from, pageAt(to))
  for (const address of before.files.keys()) lead(address, pageAt(address))
  return redirects
}
