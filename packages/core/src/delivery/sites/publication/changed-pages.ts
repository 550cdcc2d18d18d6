import type { Page } from '@quire/contract'
import type { PageNode } from '../site-map.ts'
import { pageKey, type Manifest, type PublishedFile } from './manifest.ts'

/** The part of a page in its site that decides where it is published. */
export interface PageAddress extends Pick<PageNode, 'path'> {
  readonly locale?: { readonly code: string } | null
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
    return !file?.page || pageKey(file.page) !== keyOf(node) || usesAny(file, changed)
  })
}

/** The key of a page: see `pageKey`. */
export function keyOf({ page: { id }, locale }: PageAddress): string {
  return pageKey({ id, ...(locale && { locale: locale.code }) })
}

/** The pages of several maps of a site, by their keys. */
export function allPages<Node extends PageAddress>(maps: readonly PagesOf<Node>[]): PagesOf<Node> {
  return {
    pages: new Map(maps.flatMap(({ pages }) => [...pages.values()].map((node) => [keyOf(node), node]))),
  }
}

/** The pages that the site does not hide, in its order. */
export function visiblePages<Node extends PageAddress>({ pages }: PagesOf<Node>): Node[] {
  return [...pages.values()].filter(({ page }) => page.visible)
}

function usesAny({ page }: PublishedFile, changed: ReadonlySet<string> | 'all'): boolean {
  return changed === 'all' || page?.uses.some((id) => changed.has(id)) === true
}
