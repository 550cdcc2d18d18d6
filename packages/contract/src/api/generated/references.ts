// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ItemStatus } from './items.ts'

/** The operations of `references`. What refers to an item. */
export interface ReferencesApi {
  /**
   * List where an item is shown on sites (specification 4.7).
   *
   * One entry for each page that shows the item or an item that refers to it, on the sites that you
   * may see. At most 1000.
   *
   * `GET /api/references/{configId}/{assetId}/sites`, with `packageName`
   * `/api/references/{configId}/_package/{packageName}/{assetId}/sites`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The item.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly sites: (input: ReferencesSitesInput, options?: CallOptions) => Promise<SiteReference[]>

  /**
   * List the items that refer to an item.
   *
   * One entry for each referring field, ordered by the id of its item, then by path. Only items that
   * you may read are listed and counted. A page can have fewer entries than `limit` and still have a
   * next page.
   *
   * `GET /api/references/{configId}/{itemId}/items`, with `packageName`
   * `/api/references/{configId}/_package/{packageName}/{itemId}/items`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.itemId - The item.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly items: (input: ReferencesItemsInput, options?: CallOptions) => Promise<ReferencesItemsOutput>
}

/** Where an item is shown (specification 2.12) */
export interface SiteReference {
  siteId: string
  siteName: string
  sectionName: string
  sectionSlug: string
  /** Ancestor sections from the top level down to the containing section */
  path?: {
    name: string
    slug: string | null
  }[] | undefined
  pageName?: string | null | undefined
  pageSlug?: string | null | undefined
  /** Whether the page is its section's root page, so that it is not repeated in a breadcrumb */
  isRoot?: boolean | undefined
  packageName?: string | null | undefined
}

/** An item that refers to another, and the field in which it does */
export interface ItemReference {
  item: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    slug: string
    /** archived: the item is archived; published: this is the published version; draft: it is not */
    status: ItemStatus
  }
  /** Path of the referring field below `fields`: `author`, `seo.image` */
  path: string
  /**
   * When the target is deleted: `restrict` prevents the delete, `unset` removes the value, `ignore`
   * leaves it as it is
   */
  onDelete: OnDelete
}

/**
 * When the target is deleted: `restrict` prevents the delete, `unset` removes the value, `ignore`
 * leaves it as it is
 */
export type OnDelete = 'restrict' | 'unset' | 'ignore'

/** The input of `references.sites` */
export interface ReferencesSitesInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  assetId: string
}

/** The input of `references.items` */
export interface ReferencesItemsInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  itemId: string
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

/** The result of `references.items` */
export interface ReferencesItemsOutput {
  /**
   * Number of all entries that match and that the caller may see. Absent only if the request had
   * `skipCount=true`
   */
  count?: number | undefined
  items: ItemReference[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
  /** Whether there may be more references than `count`: at most 10000 are examined */
  countIsCapped?: boolean | undefined
}
