import type { Manifest, PublishedFile } from './publication/manifest.ts'
import { visiblePages, type PagesOf } from './publication/changed-pages.ts'
import type { PageNode } from './site-map.ts'

/** The pages of a publication that the next one reuses without rendering them. */
export function reusedPages(
  { map, before }: { map: PagesOf<PageNode>; before: Manifest | null },
  due: readonly PageNode[],
): Map<string, PublishedFile> {
  const rendered = new Set(due)
  const stay = visiblePages(map).filter((node) => !rendered.has(node))
  return new Map(
    stay.flatMap(({ path }) => {
      const file = before?.files.get(path)
      return file ? [[path, file] as const] : []
    }),
  )
}

/** The files of items that reused pages show. */
export function reusedAssets(
  before: Manifest | null,
  pages: ReadonlyMap<string, PublishedFile>,
): [string, PublishedFile][] {
  const used = new Set([...pages.values()].flatMap(({ page }) => page?.uses ?? []))
  return [...(before?.files ?? [])].filter(([address]) => used.has(itemOf(address)))
}

const folder = 'assets/'

/**
 * The address of an item's file in a publication. `version` changes with the bytes; `extension`
 * includes the dot.
 */
export function assetAddress(
  itemId: string,
  rendition: string,
  file: { version: string; extension: string },
): string {
  return `${folder}${itemId.toLowerCase()}-${rendition}-${file.version}${file.extension}`
}

/** The id of the item whose file is at an address. Ids contain no dash. */
function itemOf(address: string): string {
  if (!address.startsWith(folder)) return ''
  return address.slice(folder.length).split('-', 1)[0]?.toUpperCase() ?? ''
}
