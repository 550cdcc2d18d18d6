import type { Page, Section, Site } from '@quire/contract'

/** A site as one line shows it: its sections and pages with their addresses. */
export interface SiteMap {
  readonly site: Site
  /** Sections at the top, in order. */
  readonly top: readonly SectionNode[]
  readonly sections: ReadonlyMap<string, SectionNode>
  readonly pages: ReadonlyMap<string, PageNode>
}

/** A section in its site. */
export interface SectionNode {
  readonly section: Section
  readonly parent: SectionNode | null
  /** Its address within the site, without slashes around; empty for the home section. */
  readonly path: string
  /** Sections in it, in order. */
  readonly sections: readonly SectionNode[]
  /** Pages in it, in order, hidden ones too. */
  readonly pages: readonly PageNode[]
}

/** A page in its site. */
export interface PageNode {
  readonly page: Page
  readonly section: SectionNode
  /** Its address within the site, without slashes around; empty for the home page. */
  readonly path: string
  /** Whether it is the root page of its section. */
  readonly isRoot: boolean
}
