// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { BytesIn } from '../bytes.ts'
import type { ContentOperation } from '../content-operation.ts'
import type { AnyContent } from '../typed-item.ts'
import type { Asset, FieldValues, FocalPoint, ItemRendition, ItemStatus, UserRef, VersionEntry } from './items.ts'

/**
 * The operations of `autoPackage`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface AutoPackageApi<C extends object = AnyContent> {
  /**
   * Save an item into a package, as an auto-package rule requires.
   *
   * A save to main that matches a rule (409 `auto_package_required`) must be sent here instead. The
   * body is JSON, or multipart/form-data with the JSON in a part `data`. It is one transaction: if the
   * save fails, no package is created.
   *
   * `POST /api/content/management/packages/auto-package/create-and-save`.
   * Permission: `items.create` or `items.update` (also by locale).
   *
   * @param input.repositoryId - A repository's id or name.
   * @param input.ruleId - The rule that matched the save.
   * @param input.item - A new item as in POST /api/items, or with `id` a change of that item. Unknown
   *   members are ignored.
   * @param input.packageAction
   * @param input.packageName - With `addToExisting`: the name of the package.
   * @param input.newPackageName - With `createNew`: the name of the new package. Default: made from
   *   the rule's template.
   * @param input.newPackageDescription - Free text, at most 10 000 characters.
   * @param input.file - The part `file`: the file of the asset.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly createAndSave: ContentOperation<AutoPackageCreateAndSaveInput, AutoPackagedItem, C>
}

/** A new item as in POST /api/items, or with `id` a change of that item. Unknown members are ignored */
export interface SavedItem {
  /** An existing item to change */
  id?: string | undefined
  /** Name of the content type; required for a new item */
  type?: string | undefined
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** Category ids */
  categories?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  readPerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  writePerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  deletePerm?: string[] | undefined
  /** For an asset: the point that crops keep in view; null: the center */
  focalPoint?: FocalPoint | null | undefined
  /** Custom values by field name */
  fields?: FieldValues | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
  [name: string]: unknown
}

/** The saved item, with the rule and the package that it went through */
export interface AutoPackagedItem {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Name of the content type */
  type: string
  /** Unique in the repository and branch */
  slug: string
  /** The slug as words, for search */
  slugSearch: string
  /** Free text, at most 10 000 characters */
  description: string
  /** archived: the item is archived; published: this is the published version; draft: it is not */
  status: ItemStatus
  /** The parent folder; null at the top level */
  folderId: string | null
  /** The package that this version belongs to; null on main */
  packageName: string | null
  /** Custom values by field name */
  fields: FieldValues
  /** The categories of the item, by taxonomy */
  taxonomies: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    categories: {
      /** An id, as answered by the operation that created it */
      id: string
      name: string
    }[]
  }[]
  /** The version that was returned */
  currentVersion: number
  /** The newest version on this branch */
  latestVersion: number
  /** Whether the item is hidden from lists and from published reads */
  isArchived: boolean
  /** Whether the item has a published version */
  isPublished: boolean
  /** Whether this is not the published version */
  isPreview: boolean
  /** Whether this is the newest version */
  isLatest: boolean
  /** Whether this is the published version */
  isLatestPublished: boolean
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
  /** When the published version was published */
  publishedDate: number | null
  /** Ids of the roles that may read it; empty: no extra restriction */
  readPerm: string[]
  /** Ids of the roles that may change it; empty: no extra restriction */
  writePerm: string[]
  /** Ids of the roles that may delete it; empty: no extra restriction */
  deletePerm: string[]
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  /** For an asset: its extension without the dot */
  fileExtension: string | null
  /** For an asset: the name of the uploaded file */
  originalFileName: string | null
  /** Where the file of an asset is stored */
  storage: {
    objectName: string
    storageVersionId: string | null
    objectStorageName: string
  } | null
  /** The file of an asset; null for every other item */
  asset: Asset | null
  /** The files that can be fetched for an asset */
  renditions: ItemRendition[]
  /** HTML card, rendered from the `cardTemplate` of the content type */
  cardPreview: string | null
  /** The newest 10 versions, newest first */
  versionHistory: VersionEntry[]
  /**
   * What is public in each locale: the version, and when it was published. Absent if nothing is, or
   * the same in all locales
   */
  publications?: Record<string, {
    version: number
    /** Unix milliseconds */
    date: number
  }> | undefined
  /** The locale that was read; absent in a repository without locales and for `locale=*` */
  locale?: string | undefined
  /** The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does */
  fallbacks?: Record<string, string> | undefined
  /** The rule and the package that a save went through */
  autoPackage: AutoPackage
}

/** The rule and the package that a save went through */
export interface AutoPackage {
  /** An id, as answered by the operation that created it */
  ruleId: string
  ruleName: string
  /** An id, as answered by the operation that created it */
  packageId: string
  packageName: string
  action: 'addToExisting' | 'createNew'
  /** Whether this call created the package */
  created: boolean
}

/** The input of `autoPackage.createAndSave` */
export interface AutoPackageCreateAndSaveInput {
  /** A repository's id or name */
  repositoryId: string
  /** The rule that matched the save */
  ruleId: string
  /** A new item as in POST /api/items, or with `id` a change of that item. Unknown members are ignored */
  item: SavedItem
  packageAction: 'addToExisting' | 'createNew'
  /** With `addToExisting`: the name of the package */
  packageName?: string | undefined
  /** With `createNew`: the name of the new package. Default: made from the rule's template */
  newPackageName?: string | undefined
  /** Free text, at most 10 000 characters */
  newPackageDescription?: string | undefined
  /** The part `file`: the file of the asset */
  file?: BytesIn | undefined
}
