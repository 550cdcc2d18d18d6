import { type Item, limits } from '@quire/contract'
import type { Emitter } from 'liquidjs'
import type { PageNode, SectionNode, VisibleNode, SiteMap } from '../site-map.ts'
import { relativeFileLink, relativeLink, type SiteLinks, upFrom } from './site-links.ts'
import type { RenderSource } from './template-fault.ts'

/** What every page of a renderer has in common. */
interface RunParts {
  readonly map: SiteMap
  readonly links: SiteLinks
  readonly source: RenderSource
}

/** One render of one page: what it has used so far, and its links. */
export class PageRun {
  readonly node: VisibleNode
  readonly parts: RunParts
  readonly uses: Set<string>
  /** What the source failed with: no fault of a template. */
  readonly failures: unknown[] = []
  /** The template that is rendered now, of those around one another. */
  template: string | null = null

  constructor(node: VisibleNode, parts: RunParts) {
    this.node = node
    this.parts = parts
    this.uses = new Set([
      node.page.id,
      ...upFrom(node.section).map(({ section }) => section.id),
      parts.map.site.id,
    ])
    if (node.page.itemId !== null) this.uses.add(node.page.itemId)
  }

  /** Says that the page shows what stands in the site. */
  usesTree(): void {
    this.uses.add('tree')
  }

  /** The item as the site shows it; null when there is none. The page uses it either way, so that its coming is noticed. */
  async item(id: string): Promise<Item | null> {
    this.uses.add(id)
    return this.#asked(this.parts.source.item(id))
  }

  /** The link to a file of an item; empty when there is none. */
  async fileLink(item: Item, rendition: string): Promise<string> {
    this.uses.add(item.id)
    const file = await this.#asked(this.parts.source.file(item, rendition))
    if (file === null) return ''
    if (absolute.test(file)) return file
    const { root, path } = this.node
    return root === undefined ? relativeFileLink(path, file) : `${root}${relativeFileLink('', file)}`
  }

  /** The link to a page, section, the site itself, or the page of an item, by id; empty when no page is shown for it. */
  linkTo(id: string): string {
    const { map } = this.parts
    if (id === map.site.id) return this.homeLink()
    const section = map.sections.get(id)
    if (section !== undefined) return this.sectionLink(section)
    return this.pageLink(map.pages.get(id) ?? this.#pageOfItem(id))
  }

  /** The link to the home page. */
  homeLink(): string {
    return this.#linkTo('')
  }

  /** The link to what is shown at the address of a section. */
  sectionLink(section: SectionNode): string {
    this.#usesSections(section)
    const root = this.parts.links.rootOf(section)
    // One that comes is noticed by what stands in the site.
    if (root === null) this.usesTree()
    return this.pageLink(root)
  }

  /** The link to a page; empty for one that is not shown. */
  pageLink(target: VisibleNode | null): string {
    // What is shown at any address has none of its own.
    if (target === null || target.root !== undefined) return ''
    this.uses.add(target.page.id)
    this.#usesSections(target.section)
    const isThere = target.page.visible || target.page.id === this.node.page.id
    return isThere ? this.#linkTo(target.path) : ''
  }

  #linkTo(to: string): string {
    const { root, path } = this.node
    if (root === undefined) return relativeLink(path, to)
    return to === '' ? root : `${root}${relativeLink('', to)}`
  }

  /** Sections make the addresses of what stands in them. */
  #usesSections(section: SectionNode | null): void {
    for (const node of upFrom(section)) this.uses.add(node.section.id)
  }

  #pageOfItem(itemId: string): PageNode | null {
    this.usesTree()
    return this.parts.links.pageOfItem(itemId)
  }

  async #asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.failures.push(error)
      throw error
    }
  }
}

const absolute = /^(?:https?:|data:)/i

/** Collects what templates write, up to the bytes of a page. Errors: past that, before memory is taken for it. */
export class PageEmitter implements Emitter {
  buffer = ''
  readonly #within: Emitter | undefined

  /** `within`: what is written goes there too. */
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

/** What is said of a page with too many bytes. */
export const tooLarge = `it gives more than ${limits.pageBytes} bytes`

/** A value as text. What is not data (a member that is made when a template reads it) is none. */
export function writtenText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(writtenText).join('')
  return typeof value === 'object' && value !== null ? objectText(value) : ''
}

/** Objects of data have no text of their own; those of the engine and safe HTML do. */
function objectText(value: object): string {
  if (Reflect.getPrototypeOf(value) === Object.prototype) return ''
  const own: unknown = value.valueOf()
  return typeof own === 'object' ? '' : writtenText(own)
}

/** Whether a page is larger than one may be. */
export function isTooLarge(html: string): boolean {
  // No character of UTF-16 takes more than three bytes of UTF-8.
  if (html.length * 3 <= limits.pageBytes) return false
  return new TextEncoder().encode(html).length > limits.pageBytes
}
