// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { UserRef } from './items.ts'
import type { LongListOf } from './lists.ts'

/** The operations of `pages`. Sites with their sections and pages: publishing, previews and rollback. */
export interface PagesApi {
  /**
   * List the pages of a site, ordered by name.
   *
   * `GET /api/sites/{configId}/{siteId}/pages`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.sectionId - Only pages directly in this section.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: PagesListInput, options?: CallOptions) => Promise<LongListOf<Page>>

  /**
   * Read a page.
   *
   * `GET /api/sites/{configId}/{siteId}/pages/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages/{id}`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The page.
   * @param input.at - The page as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: PagesGetInput, options?: CallOptions) => Promise<Page>

  /**
   * Create a page.
   *
   * `POST /api/sites/{configId}/{siteId}/pages`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.sectionId - The section that the page is in.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - Its path segment in addresses, unique among its siblings. Default: made from
   *   the name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.itemId - The item that the page shows; null: none, the page is only its template.
   * @param input.template - The template that shows the item.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @param input.visible - Whether the page is included when the site is published.
   * @param input.meta - Plain values that templates read as `page.meta`.
   * @param input.locales - By the code of a locale, other than the default one: what differs there.
   *   What a locale lacks is that of its fallback.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: PagesCreateInput, options?: CallOptions) => Promise<Page>

  /**
   * Change a page.
   *
   * `PATCH /api/sites/{configId}/{siteId}/pages/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages/{id}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The page.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - Its path segment in addresses, unique among its siblings. Default: made from
   *   the name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.itemId - The item that the page shows; null: none, the page is only its template.
   * @param input.template - The template that shows the item.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @param input.visible - Whether the page is included when the site is published.
   * @param input.meta - Plain values that templates read as `page.meta`.
   * @param input.locales - By the code of a locale, other than the default one: what differs there.
   *   What a locale lacks is that of its fallback.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: PagesUpdateInput, options?: CallOptions) => Promise<Page>

  /**
   * Move a page to a section of its site.
   *
   * Once the site is published again, the old address redirects to the new one.
   *
   * `POST /api/sites/{configId}/{siteId}/pages/{id}/move`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages/{id}/move`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The page.
   * @param input.sectionId - The section that the page is in.
   * @param input.slug - Its path segment in addresses, unique among its siblings. Default: made from
   *   the name.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly move: (input: PagesMoveInput, options?: CallOptions) => Promise<Page>

  /**
   * Delete a page.
   *
   * The item that it shows is not deleted.
   *
   * `DELETE /api/sites/{configId}/{siteId}/pages/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/pages/{id}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The page.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: PagesDeleteInput, options?: CallOptions) => Promise<PagesDeleteOutput | undefined>
}

/** A page of a site: an item, shown through a template */
export interface Page {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** An id, as answered by the operation that created it */
  siteId: string
  /** The section that the page is in */
  sectionId: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug: string
  /** Free text, at most 10 000 characters */
  description: string
  /** The item that the page shows; null: none, the page is only its template */
  itemId: string | null
  /** The template that shows the item */
  template: string
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order: number
  /** Whether the page is included when the site is published */
  visible: boolean
  /** Plain values that templates read as `page.meta` */
  meta: TemplateValues
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, PageTranslation> | undefined
  /** The package that this version belongs to; null on main */
  packageName: string | null
  /** The newest version on its branch */
  currentVersion: number
  /** Unix milliseconds */
  createdDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  /** The sections that the page is in, the topmost first */
  path: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
  }[]
}

export interface TemplateValues {
  [name: string]: string | number | boolean | null
}

export interface PageTranslation {
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Its path segment in this locale */
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** Values besides those of the page, or instead of them */
  meta?: TemplateValues | undefined
}

/** The input of `pages.list` */
export interface PagesListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** Only pages directly in this section */
  sectionId?: string | undefined
  /** Words in the name or description; each matches as a prefix */
  text?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
}

/** The input of `pages.get` */
export interface PagesGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The page */
  id: string
  /** The page as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `pages.create` */
export interface PagesCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The section that the page is in */
  sectionId: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug?: string | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /**
   * The item that the page shows; null: none, the page is only its template
   * @default null
   */
  itemId?: string | null | undefined
  /**
   * The template that shows the item
   * @default 'page'
   */
  template?: string | undefined
  /**
   * Position among its siblings, the smallest first; siblings with the same number are ordered by name
   * @default 0
   */
  order?: number | undefined
  /**
   * Whether the page is included when the site is published
   * @default true
   */
  visible?: boolean | undefined
  /**
   * Plain values that templates read as `page.meta`
   * @default {}
   */
  meta?: TemplateValues | undefined
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, PageTranslation> | undefined
}

/** The input of `pages.update` */
export interface PagesUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The page */
  id: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** The item that the page shows; null: none, the page is only its template */
  itemId?: string | null | undefined
  /** The template that shows the item */
  template?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
  /** Whether the page is included when the site is published */
  visible?: boolean | undefined
  /** Plain values that templates read as `page.meta` */
  meta?: TemplateValues | undefined
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, PageTranslation> | undefined
}

/** The input of `pages.move` */
export interface PagesMoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The page */
  id: string
  /** The section that the page is in */
  sectionId: string
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
}

/** The input of `pages.delete` */
export interface PagesDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The page */
  id: string
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `pages.delete` */
export interface PagesDeleteOutput {
  /** A page of a site: an item, shown through a template */
  deleted: Page
}
