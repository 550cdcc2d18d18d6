import { type Item, limits } from '@quire/contract'
import type { Emitter } from 'liquidjs'
import type { PageNode, SectionNode, RenderableNode, SiteMap } from '../site-map.ts'
import { relativeFileLink, relativeLink, type SiteLinks, upFrom } from './site-links.ts'
import type { RenderSource } from './template-fault.ts'

/** What all pages of a renderer share. */
interface RunParts {
  readonly map: SiteMap
  /** The maps of the site in all its locales. */
  readonly maps: readonly SiteMap[]
  readonly links: SiteLinks
  readonly source: RenderSource
}

/** One render of one page. It records what the page uses, and creates its links. */
export class PageRun {
  readonly node: RenderableNode
  readonly parts: RunParts
  readonly uses: Set<string>
  /** Errors of the source, which are not faults of a template. */
  readonly failures: unknown[] = []
  /** The template or layout that is being rendered. */
  template: string | null = null

  constructor(node: RenderableNode, parts: RunParts) {
    this.node = node
    this.parts = parts
    this.uses = new Set([
      node.page.id,
      ...upFrom(node.section).map(({ section }) => section.id),
      parts.map.site.id,
    ])
    if (node.page.itemId !== null) this.uses.add(node.page.itemId)
  }

  /** Records that the page shows the site's sections or pages. */
  usesTree(): void {
    this.uses.add('tree')
  }

  /**
   * Finds an item; null when it does not exist or is not visible. The page uses it either way, so
   * that it is rendered again when the item appears.
   */
  async item(id: string): Promise<Item | null> {
    this.uses.add(id)
    return this.#fromSource(this.parts.source.item(id))
  }

  /** The link to a file of an item; empty when there is none. */
  async fileLink(item: Item, rendition: string): Promise<string> {
    this.uses.add(item.id)
    const file = await this.#fromSource(this.parts.source.file(item, rendition))
    if (file === null) return ''
    if (absolute.test(file)) return file
    const { root, path } = this.node
    return root === undefined ? relativeFileLink(path, file) : `${root}${relativeFileLink('', file)}`
  }

  /**
   * The link to a page, a section, the site, or the page of an item, by id; empty when there is no
   * visible page for it.
   */
  linkTo(id: string): string {
    const { map } = this.parts
    if (id === map.site.id) return this.homeLink()
    const section = map.sections.get(id)
    if (section !== undefined) return this.sectionLink(section)
    return this.pageLink(map.pages.get(id) ?? this.#pageOfItem(id))
  }

  /** The link to the home page. */
  homeLink(): string {
    return this.#linkTo(this.parts.map.locale?.prefix ?? '')
  }

  /** The page in all locales in which it is visible, its own included. Empty without locales. */
  alternates(): Alternate[] {
    return this.parts.maps.flatMap(({ locale, pages }): Alternate[] => {
      const node = pages.get(this.node.page.id)
      if (!locale || !node?.page.visible) return []
      const { code, name, direction } = locale
      const isCurrent = code === this.node.locale?.code
      return [{ code, name, direction, isCurrent, path: node.path, url: this.#linkTo(node.path) }]
    })
  }

  /** The link to the root page of a section; empty when it has none. */
  sectionLink(section: SectionNode): string {
    this.#usesSections(section)
    const root = this.parts.links.rootOf(section)
    // The page is rendered again when the section gets a root page.
    if (root === null) this.usesTree()
    return this.pageLink(root)
  }

  /** The link to a page; empty for a hidden one, except from the page to itself. */
  pageLink(target: RenderableNode | null): string {
    // A page that is shown at any path has no address of its own.
    if (target === null || target.root !== undefined) return ''
    this.uses.add(target.page.id)
    this.#usesSections(target.section)
    const isLinked = target.page.visible || target.page.id === this.node.page.id
    return isLinked ? this.#linkTo(target.path) : ''
  }

  #linkTo(to: string): string {
    const { root, path } = this.node
    if (root === undefined) return relativeLink(path, to)
    return to === '' ? root : `${root}${relativeLink('', to)}`
  }

  /** The address of a page depends on its sections. */
  #usesSections(section: SectionNode | null): void {
    for (const node of upFrom(section)) this.uses.add(node.section.id)
  }

  #pageOfItem(itemId: string): PageNode | null {
    this.usesTree()
    return this.parts.links.pageOfItem(itemId)
  }

  async #fromSource<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.failures.push(error)
      throw error
    }
  }
}

/** A page in one of the locales of its site, as visible to templates. */
interface Alternate {
  readonly code: string
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly isCurrent: boolean
  readonly path: string
  readonly url: string
}

const absolute = /^(?:https?:|data:)/i

/**
 * Collects the output of templates, up to the size of a page. Errors: beyond that, before memory is
 * allocated.
 */
export class PageEmitter implements Emitter {
  buffer = ''
  readonly #within: Emitter | undefined

  /** Output is also written to `within`. */
  constructor(within?: Emitter) {
    this.#within = within
  }

  write(value: unknown): void {
    const text = writtenText(value)
    if (this.buffer.length + text.length > limits.pageBytes) throw new Error(tooLarge)
    this.buffer += text
    this.#within?.write(text)
  }
}

/** The message for a page with too many bytes. */
export const tooLarge = `it produces more than ${limits.pageBytes} bytes`

/** A value as text. Values that are not data, such as functions, are empty. */
export function writtenText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(writtenText).join('')
  return typeof value === 'object' && value !== null ? objectText(value) : ''
}

/** Plain objects are empty. Objects of the engine and safe HTML have a text. */
function objectText(value: object): string {
  if (Reflect.getPrototypeOf(value) === Object.prototype) return ''
  const own: unknown = value.valueOf()
  return typeof own === 'object' ? '' : writtenText(own)
}

/** Whether a page is larger than one may be. */
export function isTooLarge(html: string): boolean {
  // One UTF-16 unit takes at most three bytes in UTF-8.
  if (html.length * 3 <= limits.pageBytes) return false
  return new TextEncoder().encode(html).length > limits.pageBytes
}
