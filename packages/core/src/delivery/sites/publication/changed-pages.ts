import type { Page } from '@quire/contract'
import type { PageNode } from '../site-map.ts'
import type { Manifest, PublishedFile } from './manifest.ts'

/** What of a page in its site says where it is published. */
export interface PageAddress extends Pick<PageNode, 'path'> {
  readonly page: Pick<Page, 'id' | 'name' | 'visible'>
}

/** The pages of a site, as a site map has them. */
export interface PagesOf<Node extends PageAddress> {
  readonly pages: ReadonlyMap<string, Node>
}

/** What is known when a publication begins. */
export interface Changes<Node extends PageAddress> {
  readonly map: PagesOf<Node>
  /** The publication that is active; null: none. */
  readonly before: Manifest | null
  /** Ids of what changed since, and `tree` when a section or page did. */
  readonly changed: ReadonlySet<string> | 'all'
}

/**
 * The visible pages that are to be rendered, in the order of the map: those that have no file at their address yet, and those that use
 * what changed. Any other visible page keeps the file that it has. Cost: a look-up for each thing that a page uses.
 */
export function pagesToRender<Node extends PageAddress>({ map, before, changed }: Changes<Node>): Node[] {
  return visiblePages(map).filter((node) => {
    const file = before?.files.get(node.path)
    return file?.page?.id !== node.page.id || usesAny(file, changed)
  })
}

/** The pages that are published as far as the site has a say, in its order. */
export function visiblePages<Node extends PageAddress>({ pages }: PagesOf<Node>): Node[] {
  return [...pages.values()].filter(({ page }) => page.visible)
}

function usesAny({ page }: PublishedFile, changed: ReadonlySet<string> | 'all'): boolean {
  return changed === 'all' || page?.uses.some((id) => changed.has(id)) === true
}
