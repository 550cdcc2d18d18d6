import type { Page } from '@quire/contract'
import type { PageNode } from '../site-map.ts'
import type { Manifest, PublishedFile } from './manifest.ts'

/** The part of a page in its site that decides where it is published. */
export interface PageAddress extends Pick<PageNode, 'path'> {
  readonly page: Pick<Page, 'id' | 'name' | 'visible'>
}

/** The pages of a site by id, as in a site map. */
export interface PagesOf<Node extends PageAddress> {
  readonly pages: ReadonlyMap<string, Node>
}

/** What decides which pages a publication renders. */
export interface Changes<Node extends PageAddress> {
  readonly map: PagesOf<Node>
  /** The active publication; null when there is none. */
  readonly before: Manifest | null
  /** Ids of what has changed since, plus `tree` when a section or page changed. */
  readonly changed: ReadonlySet<string> | 'all'
}

/**
 * The visible pages to render, in the order of the map: pages without a file at their address, and
 * pages that use something that changed. Other visible pages keep their file. Cost: one lookup per
 * id that a page uses.
 */
export function pagesToRender<Node extends PageAddress>({ map, before, changed }: Changes<Node>): Node[] {
  return visiblePages(map).filter((node) => {
    const file = before?.files.get(node.path)
    return file?.page?.id !== node.page.id || usesAny(file, changed)
  })
}

/** The pages that the site does not hide, in its order. */
export function visiblePages<Node extends PageAddress>({ pages }: PagesOf<Node>): Node[] {
  return [...pages.values()].filter(({ page }) => page.visible)
}

function usesAny({ page }: PublishedFile, changed: ReadonlySet<string> | 'all'): boolean {
  return changed === 'all' || page?.uses.some((id) => changed.has(id)) === true
}
