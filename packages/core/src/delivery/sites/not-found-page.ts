import { QuireError } from '@quire/contract'
import type { RenderableNode, SiteMap } from './site-map.ts'

/** The template of a site's not-found page. */
const template = 'not-found'

/**
 * The not-found page's file in a publication. Static hosts serve the one at the root for unknown paths;
 * no page can have such an address.
 */
const fileName = '404.html'

/** The files of not-found pages for a path, the nearest one first. */
export function notFoundFilesFor(path: string): readonly string[] {
  const [prefix = ''] = path.split('/', 1)
  return [`${prefix}/${fileName}`, fileName]
}

/** Whether an address is that of a not-found page, in whatever locale. */
export function isNotFoundFile(address: string): boolean {
  return address.split('/').at(-1) === fileName
}

/**
 * Placeholder for the site's root in a published not-found page, replaced when the page is served
 * or exported. No host can have this name (RFC 6761 §6.4).
 */
const rootPlaceholder = 'https://site-root.invalid/'

/**
 * The not-found page of a site; null when the site has no template for it. It is shown at any path,
 * so its links start with `root`, the path or URL of the site with a trailing slash. Without
 * `root`, `atRoot` inserts it later.
 */
export function notFoundNode(
  { site: { templates }, locale }: Pick<SiteMap, 'site' | 'locale'>,
  root = rootPlaceholder,
): RenderableNode | null {
  if (!Object.hasOwn(templates, template)) return null
  const names = { id: '', name: 'Not found', slug: template, description: '' }
  const page = { ...names, itemId: null, template, meta: {}, order: 0, visible: true }
  const path = [locale?.prefix, fileName].filter(Boolean).join('/')
  return { page, section: null, path, isRoot: false, root, locale }
}

/**
 * Replaces the placeholder in the HTML of a not-found page. `root` is the path or URL of
 * the site with a trailing slash.
 */
export function atRoot(html: string, root: string): string {
  return html.replaceAll(rootPlaceholder, root)
}

/**
 * A `not_found` error with the site's not-found page, for a caller who may see the site and accepts
 * HTML.
 */
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
