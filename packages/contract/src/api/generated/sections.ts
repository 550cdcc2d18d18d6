// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { Named } from './folders.ts'
import type { UserRef } from './items.ts'
import type { LongListOf } from './lists.ts'

/**
 * The operations of `sections`. Sites with their sections and pages: publishing, previews and
 * rollback.
 */
export interface SectionsApi {
  /**
   * List the sections of a site, ordered by name.
   *
   * `GET /api/sites/{configId}/{siteId}/sections`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.parentId - Only direct children of this one; `none`: only the top level.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: SectionsListInput, options?: CallOptions) => Promise<LongListOf<Section>>

  /**
   * Read a section.
   *
   * `GET /api/sites/{configId}/{siteId}/sections/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections/{id}`.
   * Permission: `sites.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The section.
   * @param input.at - The section as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: SectionsGetInput, options?: CallOptions) => Promise<Section>

  /**
   * Create a section.
   *
   * `POST /api/sites/{configId}/{siteId}/sections`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - Its path segment in addresses, unique among its siblings. Default: made from
   *   the name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.parentId - The parent section; null: the top level.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @param input.layoutTemplate - The template around its pages, inside the layout of the site; null:
   *   the template of the parent section.
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
  readonly create: (input: SectionsCreateInput, options?: CallOptions) => Promise<Section>

  /**
   * Change a section.
   *
   * `PATCH /api/sites/{configId}/{siteId}/sections/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections/{id}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The section.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.slug - Its path segment in addresses, unique among its siblings. Default: made from
   *   the name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @param input.rootPageId - The page that is shown at the address of the section; null: none.
   * @param input.layoutTemplate - The template around its pages, inside the layout of the site; null:
   *   the template of the parent section.
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
  readonly update: (input: SectionsUpdateInput, options?: CallOptions) => Promise<Section>

  /**
   * Move a section and everything in it.
   *
   * A section cannot be moved below itself, and a tree has at most 50 levels. Once the site is
   * published again, the old addresses redirect to the new ones.
   *
   * `POST /api/sites/{configId}/{siteId}/sections/{id}/move`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections/{id}/move`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The section.
   * @param input.parentId - The parent section; null: the top level.
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
  readonly move: (input: SectionsMoveInput, options?: CallOptions) => Promise<Section>

  /**
   * Delete a section.
   *
   * A section that is not empty needs `recursive`. Its sections and pages are then deleted too, at
   * most 1000.
   *
   * `DELETE /api/sites/{configId}/{siteId}/sections/{id}`, with `packageName`
   * `/api/sites/{configId}/_package/{packageName}/{siteId}/sections/{id}`.
   * Permission: `sites.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.siteId - The site.
   * @param input.id - The section.
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
  readonly delete: (input: SectionsDeleteInput, options?: CallOptions) => Promise<SectionsDeleteOutput | undefined>
}

/** A section of a site */
export interface Section {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** An id, as answered by the operation that created it */
  siteId: string
  /** The parent section; null at the top level */
  parentId: string | null
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug: string
  /** Free text, at most 10 000 characters */
  description: string
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order: number
  /** The page that is shown at the address of the section; null: none */
  rootPageId: string | null
  /**
   * The template around its pages, inside the layout of the site; null: the template of the parent
   * section
   */
  layoutTemplate: string | null
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, SectionTranslation> | undefined
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
  /** Its ancestors, the topmost first; empty at the top level */
  path: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
  }[]
}

export interface SectionTranslation {
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Its path segment in this locale */
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
}

/** The input of `sections.list` */
export interface SectionsListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** Only direct children of this one; `none`: only the top level */
  parentId?: string | undefined
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

/** The input of `sections.get` */
export interface SectionsGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The section */
  id: string
  /** The section as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `sections.create` */
export interface SectionsCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
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
   * The parent section; null: the top level
   * @default null
   */
  parentId?: string | null | undefined
  /**
   * Position among its siblings, the smallest first; siblings with the same number are ordered by name
   * @default 0
   */
  order?: number | undefined
  /**
   * The template around its pages, inside the layout of the site; null: the template of the parent
   * section
   * @default null
   */
  layoutTemplate?: string | null | undefined
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, SectionTranslation> | undefined
}

/** The input of `sections.update` */
export interface SectionsUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The section */
  id: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
  /** The page that is shown at the address of the section; null: none */
  rootPageId?: string | null | undefined
  /**
   * The template around its pages, inside the layout of the site; null: the template of the parent
   * section
   */
  layoutTemplate?: string | null | undefined
  /**
   * By the code of a locale, other than the default one: what differs there. What a locale lacks is
   * that of its fallback
   */
  locales?: Record<string, SectionTranslation> | undefined
}

/** The input of `sections.move` */
export interface SectionsMoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The section */
  id: string
  /** The parent section; null: the top level */
  parentId: string | null
  /** Its path segment in addresses, unique among its siblings. Default: made from the name */
  slug?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
}

/** The input of `sections.delete` */
export interface SectionsDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The site */
  siteId: string
  /** The section */
  id: string
  /** Also delete everything in it */
  recursive?: boolean | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `sections.delete` */
export interface SectionsDeleteOutput {
  /** A section of a site */
  deleted: Section
  /** Sections that are deleted with it */
  sections: Named[]
  /** Pages that are deleted with it */
  pages: Named[]
}
