import type { Page, Section, Site } from '@quire/contract'

/** A site as one branch shows it: its sections and pages with their addresses. */
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

/** What is rendered as a page: one of the site, or what it shows where there is none. */
export interface VisibleNode {
  readonly page: Pick<
    Page,
    'id' | 'name' | 'slug' | 'description' | 'itemId' | 'template' | 'meta' | 'order' | 'visible'
  >
  /** Null: it stands in none. */
  readonly section: SectionNode | null
  readonly path: string
  readonly isRoot: boolean
  /** Of what is shown at any address: where the site is, with a slash at its end. Absent: links are relative to the page. */
  readonly root?: string
}

/** A page in its site. */
export interface PageNode extends VisibleNode {
  readonly page: Page
  readonly section: SectionNode
  /** Its address within the site, without slashes around; empty for the home page. */
  readonly path: string
  /** Whether it is the root page of its section. */
  readonly isRoot: boolean
}
