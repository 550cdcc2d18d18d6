import { QuireError, type Site } from '@quire/contract'
import type { VisibleNode } from './site-map.ts'

/** The template of what a site shows where there is no page. */
const template = 'not-found'

/** Its file in a publication. Hosts of static files take it for what is not there; no page can stand at that address. */
export const notFoundFile = '404.html'

/** Stands for where the site is in what is published: that is known where it is served or downloaded. No host has such a name (RFC 6761 §6.4). */
const someRoot = 'https://site-root.invalid/'

/**
 * What a site shows where there is no page; null when it has no template for that. It is shown at any address, so that its links begin with
 * where the site is. `root`: with a slash at its end; absent: `atRoot` tells it later.
 */
export function notFoundNode({ templates }: Pick<Site, 'templates'>, root = someRoot): VisibleNode | null {
  if (!Object.hasOwn(templates, template)) return null
  const names = { id: '', name: 'Not found', slug: template, description: '' }
  const page = { ...names, itemId: null, template, meta: {}, order: 0, visible: true }
  return { page, section: null, path: notFoundFile, isRoot: false, root }
}

/** Its HTML with links to where the site is. `root`: with a slash at its end. */
export function atRoot(html: string, root: string): string {
  return html.replaceAll(someRoot, root)
}

/** `not_found` on a site that has a page for that, for a caller who may see the site and takes HTML. */
export class PageNotFound extends QuireError {
  readonly html: string
  /** What the page may load and do (Content-Security-Policy). */
  readonly policy: string

  constructor(message: string, { html, policy }: { readonly html: string; readonly policy: string }) {
    super('not_found', message)
    this.html = html
    this.policy = policy
  }
}
