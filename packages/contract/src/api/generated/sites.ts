// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { Named } from './folders.ts'
import type { UserRef } from './items.ts'
import type { LongListOf } from './lists.ts'
import type { Job } from './schema.ts'

/** The operations of `sites`. Sites with their sections and pages: publishing, previews and rollback. */
export interface SitesApi {
  /**
   * List the sites of a repository, ordered by name.
   *
   * Only sites that you may see.
   *
   * `GET /api/sites/{configId}`, with `packageName` `/api/sites/{configId}/_package/{packageName}`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: SitesListInput, options?: CallOptions) => Promise<LongListOf<Site>>

  /**
   * Read a site.
   *
   * `GET /api/sites/{configId}/{siteId}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.at - The site as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: SitesGetInput, options?: CallOptions) => Promise<Site>

  /**
   * Create a site.
   *
   * Without templates it gets a plain layout and a plain page, so that it can be published at once.
   *
   * `POST /api/sites/{configId}`, with `packageName` `/api/sites/{configId}/_package/{packageName}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - A unique kebab-case name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.baseUrl - Public address of the site without a trailing slash, for the sitemap and
   *   canonical links; empty: the address at which this service serves it.
   * @param input.templates - Templates by name; they replace all existing ones. Default for a new
   *   site: a plain layout and page.
   * @param input.layoutTemplate - The template around every page. Default: `layout`, if there is one.
   * @param input.settings - Plain values and lists of texts that templates read as `site.settings`.
   *   `locales`: the codes of the locales in which the site is published; the default locale without a
   *   prefix, the others under `/<code>/`. Default: the default locale alone.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: SitesCreateInput, options?: CallOptions) => Promise<Site>

  /**
   * Change a site.
   *
   * The published site stays as it is until it is published again.
   *
   * `PATCH /api/sites/{configId}/{siteId}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - A unique kebab-case name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.baseUrl - Public address of the site without a trailing slash, for the sitemap and
   *   canonical links; empty: the address at which this service serves it.
   * @param input.templates - Templates by name; they replace all existing ones. Default for a new
   *   site: a plain layout and page.
   * @param input.layoutTemplate - The template around every page; null: none.
   * @param input.homeSectionId - The section whose root page is the home page. Its slug is left out of
   *   addresses; null: none.
   * @param input.settings - Plain values and lists of texts that templates read as `site.settings`.
   *   `locales`: the codes of the locales in which the site is published; the default locale without a
   *   prefix, the others under `/<code>/`. Default: the default locale alone.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: SitesUpdateInput, options?: CallOptions) => Promise<Site>

  /**
   * Delete a site.
   *
   * A site with sections needs `recursive`. Its sections and pages are then deleted too, at most 1000.
   * A site that is deleted on main is no longer served.
   *
   * `DELETE /api/sites/{configId}/{siteId}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.recursive - Also delete everything in it.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: SitesDeleteInput, options?: CallOptions) => Promise<SitesDeleteOutput | undefined>

  /**
   * Read the tree of a site: its sections and pages with their paths.
   *
   * Each section is followed by its pages, then by the sections in it; siblings are ordered by
   * `order`, then by name. At most 10000 entries.
   *
   * `GET /api/sites/{configId}/{siteId}/tree`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/tree`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.at - The tree as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly tree: (input: SitesTreeInput, options?: CallOptions) => Promise<SitesTreeOutput>

  /**
   * Publish a site.
   *
   * Queues a job and returns it. The new publication contains every visible page whose item is
   * published, and replaces the previous one atomically. Pages that would not change are not rendered
   * again. If a template fails or an item is missing, the job fails with the page, template and line,
   * and the site stays as it was.
   *
   * `POST /api/sites/{configId}/{siteId}/publish`.
   * Permission: `sites.publish`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.siteId - The site.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @param input.full - Render every page again.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly publish: (input: SitesPublishInput, options?: CallOptions) => Promise<Job>

  /**
   * List the publications of a site, newest first.
   *
   * The active publication and the 20 newest are kept.
   *
   * `GET /api/sites/{configId}/{siteId}/publications`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.siteId - The site.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly publications: (input: SitesPublicationsInput, options?: CallOptions) => Promise<SitesPublicationsOutput>

  /**
   * Serve an earlier publication again.
   *
   * It is served at the current address of the site, even if the slug of the site has changed since.
   *
   * `POST /api/sites/{configId}/{siteId}/publications/{id}/activate`.
   * Permission: `sites.publish`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.siteId - The site.
   * @param input.id - The publication.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly rollback: (input: SitesRollbackInput, options?: CallOptions) => Promise<Publication>

  /**
   * Download a publication as static files.
   *
   * A ZIP archive that any static host can serve as it is. The old address of a moved page is a page
   * that redirects.
   *
   * `GET /api/sites/{configId}/{siteId}/publications/{id}/zip`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.siteId - The site.
   * @param input.id - The publication.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable` - As
   *   every operation of its kind.
   */
  readonly export: (input: SitesExportInput, options?: CallOptions) => Promise<Binary>

  /**
   * Preview a page on main or in a package as it would be published.
   *
   * HTML, rendered on request from the newest versions, drafts included, as far as you may read them.
   * Scripts and forms are blocked, so that the page cannot act on behalf of its viewer.
   *
   * `GET /api/sites/{configId}/{siteId}/preview/{path*}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/preview/{path*}`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.path - Path within the site; empty: the home page.
   * @param input.at - The page at this time, Unix milliseconds: as it was, or as it will be after what
   *   is scheduled for its items, and after the packages that merge until then.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `version_forgotten` - The version of that time is not kept any more.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly preview: (input: SitesPreviewInput, options?: CallOptions) => Promise<Binary>

  /**
   * Fetch a page or a file of a published site.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `sites.view`. A
   * caller that prefers `text/html` gets a 404 as a page: from the template `not-found`, or a plain
   * one.
   *
   * `GET /sites/{siteSlug}/{path*}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.siteSlug - A unique kebab-case name.
   * @param input.path - Path within the site; empty: the home page.
   * @throws `not_found` - Not found.
   * @throws `range_not_satisfiable` - The range is outside the file.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly serve: (input: SitesServeInput, options?: CallOptions) => Promise<Binary>
}

/** A site: sections with pages, published together */
export interface Site {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /** The path segment of the site: `/sites/<slug>/`. Unique among published sites */
  slug: string
  /** Free text, at most 10 000 characters */
  description: string
  /**
   * Public address of the site without a trailing slash, for the sitemap and canonical links; empty:
   * the address at which this service serves it
   */
  baseUrl: string
  /**
   * Liquid templates by name. Each page names its template, layouts wrap the result, `not-found` is
   * shown if there is no page; other templates can be used with `{% render %}`
   */
  templates: Templates
  /** The template around every page; null: none */
  layoutTemplate: string | null
  /** The section whose root page is the home page. Its slug is left out of addresses; null: none */
  homeSectionId: string | null
  /**
   * Plain values and lists of texts that templates read as `site.settings`. `locales`: the codes of
   * the locales in which the site is published; the default locale without a prefix, the others under
   * `/<code>/`. Default: the default locale alone
   */
  settings: SiteSettings
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
}

/**
 * Liquid templates by name. Each page names its template, layouts wrap the result, `not-found` is
 * shown if there is no page; other templates can be used with `{% render %}`
 */
export interface Templates {
  [name: string]: string
}

/**
 * Plain values and lists of texts that templates read as `site.settings`. `locales`: the codes of the
 * locales in which the site is published; the default locale without a prefix, the others under
 * `/<code>/`. Default: the default locale alone
 */
export interface SiteSettings {
  [name: string]: string | number | boolean | null | string[]
}

/** A section or page in the tree of a site */
export interface SiteNode {
  kind: 'section' | 'page'
  /** An id, as answered by the operation that created it */
  id: string
  name: string
  slug: string
  /** The parent section; null at the top level */
  parentId: string | null
  /** 1 at the top level */
  depth: number
  /** Path within the site, without leading and trailing slashes; empty: the home page */
  path: string
  /** For a page: whether it is the root page of its section */
  isRoot: boolean
  /** For a page: the item that it shows */
  itemId: string | null
  /** For a page: whether it is included when the site is published */
  visible: boolean
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order: number
}

/** One immutable published state of a site */
export interface Publication {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** An id, as answered by the operation that created it */
  siteId: string
  /** 1, 2, 3… for each site */
  number: number
  /** Whether it is the publication that is served */
  isActive: boolean
  /** Number of pages */
  pages: number
  /** Number of pages that were rendered for it; the others were reused from the previous publication */
  rendered: number
  /** Number of files: pages, pictures, sitemap and robots.txt */
  files: number
  /** Size of all files in bytes */
  bytes: number
  /** Number of redirects from old addresses of moved pages */
  redirects: number
  /** Comment of the publish */
  comment: string
  /** Unix milliseconds */
  createdDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
}

/** The input of `sites.list` */
export interface SitesListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
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

/** The input of `sites.get` */
export interface SitesGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The site as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `sites.create` */
export interface SitesCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /** A unique kebab-case name */
  slug: string
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /**
   * Public address of the site without a trailing slash, for the sitemap and canonical links; empty:
   * the address at which this service serves it
   * @default ''
   */
  baseUrl?: string | undefined
  /** Templates by name; they replace all existing ones. Default for a new site: a plain layout and page */
  templates?: Templates | undefined
  /** The template around every page. Default: `layout`, if there is one */
  layoutTemplate?: string | null | undefined
  /**
   * Plain values and lists of texts that templates read as `site.settings`. `locales`: the codes of
   * the locales in which the site is published; the default locale without a prefix, the others under
   * `/<code>/`. Default: the default locale alone
   * @default {}
   */
  settings?: SiteSettings | undefined
}

/** The input of `sites.update` */
export interface SitesUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** A unique kebab-case name */
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /**
   * Public address of the site without a trailing slash, for the sitemap and canonical links; empty:
   * the address at which this service serves it
   */
  baseUrl?: string | undefined
  /** Templates by name; they replace all existing ones. Default for a new site: a plain layout and page */
  templates?: Templates | undefined
  /** The template around every page; null: none */
  layoutTemplate?: string | null | undefined
  /** The section whose root page is the home page. Its slug is left out of addresses; null: none */
  homeSectionId?: string | null | undefined
  /**
   * Plain values and lists of texts that templates read as `site.settings`. `locales`: the codes of
   * the locales in which the site is published; the default locale without a prefix, the others under
   * `/<code>/`. Default: the default locale alone
   */
  settings?: SiteSettings | undefined
}

/** The input of `sites.delete` */
export interface SitesDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** Also delete everything in it */
  recursive?: boolean | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `sites.delete` */
export interface SitesDeleteOutput {
  /** A site: sections with pages, published together */
  deleted: Site
  /** Sections that are deleted with it */
  sections: Named[]
  /** Pages that are deleted with it */
  pages: Named[]
}

/** The input of `sites.tree` */
export interface SitesTreeInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The tree as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The result of `sites.tree` */
export interface SitesTreeOutput {
  /** Entries in the response */
  count: number
  items: SiteNode[]
}

/** The input of `sites.publish` */
export interface SitesPublishInput {
  /** A repository's id or name */
  configId: string
  /** The site */
  siteId: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
  /**
   * Render every page again
   * @default false
   */
  full?: boolean | undefined
}

/** The input of `sites.publications` */
export interface SitesPublicationsInput {
  /** A repository's id or name */
  configId: string
  /** The site */
  siteId: string
}

/** The result of `sites.publications` */
export interface SitesPublicationsOutput {
  count: number
  items: Publication[]
}

/** The input of `sites.rollback` */
export interface SitesRollbackInput {
  /** A repository's id or name */
  configId: string
  /** The site */
  siteId: string
  /** The publication */
  id: string
}

/** The input of `sites.export` */
export interface SitesExportInput {
  /** A repository's id or name */
  configId: string
  /** The site */
  siteId: string
  /** The publication */
  id: string
}

/** The input of `sites.preview` */
export interface SitesPreviewInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /**
   * Path within the site; empty: the home page
   * @default ''
   */
  path?: string | undefined
  /**
   * The page at this time, Unix milliseconds: as it was, or as it will be after what is scheduled for
   * its items, and after the packages that merge until then
   */
  at?: number | undefined
}

/** The input of `sites.serve` */
export interface SitesServeInput {
  /** A unique kebab-case name */
  siteSlug: string
  /**
   * Path within the site; empty: the home page
   * @default ''
   */
  path?: string | undefined
}
