// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'

/** The operations of `types`. Content types, repositories, folders, taxonomies and update packages. */
export interface TypesApi {
  /**
   * List content types.
   *
   * `GET /api/content/management/types`.
   * Permission: `admin.types.view`.
   *
   * @param input.name - Only the type with this name.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: TypesListInput, options?: CallOptions) => Promise<ListOf<ContentType>>

  /**
   * Read a content type.
   *
   * `GET /api/content/management/types/{id}`.
   * Permission: `admin.types.view`.
   *
   * @param input.id - A content type's id or name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: TypesGetInput, options?: CallOptions) => Promise<ContentType>

  /**
   * Create a content type.
   *
   * `POST /api/content/management/types`.
   * Permission: `admin.types.update`.
   *
   * @param input.name - The unique name of the content type.
   * @param input.displayName - Default: the name.
   * @param input.apiName - Default: the name in PascalCase.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.settings - Settings of the content type.
   * @param input.fields - The fields of its items, in order.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: TypesCreateInput, options?: CallOptions) => Promise<ContentType>

  /**
   * Change a content type.
   *
   * A compatible change applies at once. A change that existing items do not fit is 409
   * `type_incompatible` with their number. It succeeds with `migrate: true`: every such item gets a
   * new version without the values that no longer fit.
   *
   * `PATCH /api/content/management/types/{id}`.
   * Permission: `admin.types.update`.
   *
   * @param input.id - A content type's id or name.
   * @param input.name - The unique name of the content type.
   * @param input.displayName - A name for people, 1 to 200 characters.
   * @param input.apiName - The unique GraphQL-safe name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.settings - Settings to change; settings that are not sent stay as they are.
   * @param input.fields - All fields, in order.
   * @param input.renames - The names that fields had before, by their path: `{ headline: "title",
   *   "seo.title": "heading" }`. Their values move. Ignored for fields that do not exist any more
   *   under that name. A change of items, which needs `migrate: true`.
   * @param input.migrate - Convert the items that do not fit.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `type_locked` - The content type is locked: unlock it first.
   * @throws `type_incompatible` - Existing items do not fit the changed content type: send migrate:
   *   true to convert them.
   * @throws `type_in_use` - This content type still has items.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: TypesUpdateInput, options?: CallOptions) => Promise<ContentType>

  /**
   * Delete a content type that has no items.
   *
   * `DELETE /api/content/management/types/{id}`.
   * Permission: `admin.types.update`.
   *
   * @param input.id - A content type's id or name.
   * @throws `not_found` - Not found.
   * @throws `type_locked` - The content type is locked: unlock it first.
   * @throws `type_in_use` - This content type still has items.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: TypesDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Lock a content type against changes.
   *
   * `POST /api/content/management/types/{id}/lock`.
   * Permission: `admin.types.lock`.
   *
   * @param input.id - A content type's id or name.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly lock: (input: TypesLockInput, options?: CallOptions) => Promise<ContentType>

  /**
   * Unlock a content type.
   *
   * `DELETE /api/content/management/types/{id}/lock`.
   * Permission: `admin.types.lock`.
   *
   * @param input.id - A content type's id or name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly unlock: (input: TypesUnlockInput, options?: CallOptions) => Promise<ContentType>
}

/** A content type (specification 2.5) */
export interface ContentType {
  /** An id, as answered by the operation that created it */
  id: string
  /** The unique name of the content type */
  name: string
  /** A name for people, 1 to 200 characters */
  displayName: string
  /** The unique GraphQL-safe name */
  apiName: string
  /** Free text, at most 10 000 characters */
  description: string
  /** Whether every change except unlock is rejected */
  isLocked: boolean
  /** Settings of the content type */
  settings: TypeSettings
  /** The fields of its items, in order */
  fields: Field[]
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** Settings of the content type */
export interface TypeSettings {
  /** Whether items have a file */
  isAsset: boolean
  /**
   * For an asset type: the media types of files that it accepts, such as `image/*` for all images;
   * empty: any
   */
  mimeTypes: string[]
  /** For an asset type: maximum size in bytes; null: the limit of the service */
  maxBytes: number | null
  /** The text field that slugs are made from; null: the name */
  slugFrom: string | null
  /**
   * A localized and unique field of kind `slug`: in repositories with locales, reads by slug find
   * items by its value in the locale of the read; absent or null: by the slug that all locales share
   */
  localizedSlug?: string | null | undefined
  /** The text field that is shown as the title; null: the name */
  titleField: string | null
  /** Liquid template of the HTML card, rendered when an item is saved; values are escaped */
  cardTemplate: string | null
  /** Liquid template of the page */
  pageTemplate: string | null
  /**
   * Number of versions to keep; null: all, or the newest 100 once the versions of an item take more
   * than 64 MiB. Published versions and base versions of packages are always kept
   */
  versionLimit: number | null
  /** Whether items can be published */
  publishable: boolean
}

/** A field of a content type */
export type Field = 
  | TextField
  | RichTextField
  | NumberField
  | IntegerField
  | BooleanField
  | DateField
  | DatetimeField
  | ReferenceField
  | AssetField
  | CategoryField
  | UrlField
  | EmailField
  | SlugField
  | ColorField
  | GeoField
  | JsonField
  | GroupField
  | UnionField

export interface TextField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'text'
  settings: {
    /** Minimum number of characters */
    minLength?: number | undefined
    /** Maximum number of characters. Default: 1000000, checked only for new values */
    maxLength?: number | undefined
    /**
     * An RE2 regular expression that the whole value must match. A new value can then have at most
     * 10000 characters
     */
    pattern?: string | undefined
    /** The only values allowed */
    options?: string[] | undefined
  }
}

export interface RichTextField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'richText'
  settings: {
    /** HTML is sanitized when it is saved */
    format: 'html' | 'markdown'
    /** Maximum number of characters. Default: 262144, checked only for new values */
    maxLength?: number | undefined
  }
}

export interface NumberField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'number'
  settings: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
    /** Values are multiples of this */
    step?: number | undefined
  }
}

export interface IntegerField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'integer'
  settings: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
    /** Values are multiples of this */
    step?: number | undefined
  }
}

export interface BooleanField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'boolean'
  settings: Record<string, never>
}

export interface DateField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'date'
  settings: {
    /** The first day allowed, YYYY-MM-DD */
    min?: string | undefined
    /** The last day allowed, YYYY-MM-DD */
    max?: string | undefined
  }
}

export interface DatetimeField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'datetime'
  settings: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
  }
}

export interface ReferenceField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'reference'
  settings: {
    /** Names of the content types of allowed targets; empty: any */
    types: string[]
    /**
     * What happens when the target is deleted: `restrict` prevents the delete, `unset` removes the
     * value
     */
    onDelete: 'restrict' | 'unset'
  }
}

export interface AssetField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'asset'
  settings: {
    /** Allowed media types, such as `image/*` for all images; empty: any */
    mimeTypes: string[]
    /** Maximum size in bytes */
    maxBytes?: number | undefined
  }
}

export interface CategoryField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'category'
  settings: {
    /** The taxonomy whose categories are allowed; null: any */
    taxonomyId: string | null
  }
}

export interface UrlField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'url'
  settings: Record<string, never>
}

export interface EmailField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'email'
  settings: Record<string, never>
}

export interface SlugField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'slug'
  settings: Record<string, never>
}

export interface ColorField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'color'
  settings: Record<string, never>
}

export interface GeoField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'geo'
  settings: Record<string, never>
}

export interface JsonField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'json'
  settings: {
    /** A JSON Schema that values must satisfy */
    schema: Record<string, unknown> | null
  }
}

export interface GroupField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'group'
  settings: {
    /** The fields of the group */
    fields: Field[]
  }
}

export interface UnionField {
  /** The name of the value in `fields`, camelCase */
  name: string
  /** Display name; empty: the name */
  label: string
  /** Whether an item needs a value to be published */
  required: boolean
  /** Whether the value must be unique among the items of the type on a branch */
  unique: boolean
  /** Whether the value is a list */
  list: boolean
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /** A hint for authors */
  help: string
  /** Whether full-text search finds the value */
  searchable: boolean
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'union'
  settings: {
    /** The variants; a value is `{ type: <name>, … }` */
    variants: {
      /** The name of the value in `fields`, camelCase */
      name: string
      /** Display name; empty: the name */
      label: string
      /** The fields of the variant */
      fields: Field[]
    }[]
  }
}

/** Settings of the content type */
export interface TypeSettingsInput {
  /**
   * Whether items have a file
   * @default false
   */
  isAsset?: boolean | undefined
  /**
   * For an asset type: the media types of files that it accepts, such as `image/*` for all images;
   * empty: any
   * @default []
   */
  mimeTypes?: string[] | undefined
  /**
   * For an asset type: maximum size in bytes; null: the limit of the service
   * @default null
   */
  maxBytes?: number | null | undefined
  /**
   * The text field that slugs are made from; null: the name
   * @default null
   */
  slugFrom?: string | null | undefined
  /**
   * A localized and unique field of kind `slug`: in repositories with locales, reads by slug find
   * items by its value in the locale of the read; absent or null: by the slug that all locales share
   */
  localizedSlug?: string | null | undefined
  /**
   * The text field that is shown as the title; null: the name
   * @default null
   */
  titleField?: string | null | undefined
  /**
   * Liquid template of the HTML card, rendered when an item is saved; values are escaped
   * @default null
   */
  cardTemplate?: string | null | undefined
  /**
   * Liquid template of the page
   * @default null
   */
  pageTemplate?: string | null | undefined
  /**
   * Number of versions to keep; null: all, or the newest 100 once the versions of an item take more
   * than 64 MiB. Published versions and base versions of packages are always kept
   * @default null
   */
  versionLimit?: number | null | undefined
  /**
   * Whether items can be published
   * @default true
   */
  publishable?: boolean | undefined
}

/** A field of a content type */
export type FieldInput = 
  | TextFieldInput
  | RichTextFieldInput
  | NumberFieldInput
  | IntegerFieldInput
  | BooleanFieldInput
  | DateFieldInput
  | DatetimeFieldInput
  | ReferenceFieldInput
  | AssetFieldInput
  | CategoryFieldInput
  | UrlFieldInput
  | EmailFieldInput
  | SlugFieldInput
  | ColorFieldInput
  | GeoFieldInput
  | JsonFieldInput
  | GroupFieldInput
  | UnionFieldInput

export interface TextFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'text'
  settings?: {
    /** Minimum number of characters */
    minLength?: number | undefined
    /** Maximum number of characters. Default: 1000000, checked only for new values */
    maxLength?: number | undefined
    /**
     * An RE2 regular expression that the whole value must match. A new value can then have at most
     * 10000 characters
     */
    pattern?: string | undefined
    /** The only values allowed */
    options?: string[] | undefined
  } | undefined
}

export interface RichTextFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'richText'
  settings?: {
    /**
     * HTML is sanitized when it is saved
     * @default 'html'
     */
    format?: 'html' | 'markdown' | undefined
    /** Maximum number of characters. Default: 262144, checked only for new values */
    maxLength?: number | undefined
  } | undefined
}

export interface NumberFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'number'
  settings?: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
    /** Values are multiples of this */
    step?: number | undefined
  } | undefined
}

export interface IntegerFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'integer'
  settings?: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
    /** Values are multiples of this */
    step?: number | undefined
  } | undefined
}

export interface BooleanFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'boolean'
  settings?: Record<string, never> | undefined
}

export interface DateFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'date'
  settings?: {
    /** The first day allowed, YYYY-MM-DD */
    min?: string | undefined
    /** The last day allowed, YYYY-MM-DD */
    max?: string | undefined
  } | undefined
}

export interface DatetimeFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'datetime'
  settings?: {
    /** The smallest value allowed */
    min?: number | undefined
    /** The largest value allowed */
    max?: number | undefined
  } | undefined
}

export interface ReferenceFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'reference'
  settings?: {
    /**
     * Names of the content types of allowed targets; empty: any
     * @default []
     */
    types?: string[] | undefined
    /**
     * What happens when the target is deleted: `restrict` prevents the delete, `unset` removes the
     * value
     * @default 'unset'
     */
    onDelete?: 'restrict' | 'unset' | undefined
  } | undefined
}

export interface AssetFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'asset'
  settings?: {
    /**
     * Allowed media types, such as `image/*` for all images; empty: any
     * @default []
     */
    mimeTypes?: string[] | undefined
    /** Maximum size in bytes */
    maxBytes?: number | undefined
  } | undefined
}

export interface CategoryFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'category'
  settings?: {
    /**
     * The taxonomy whose categories are allowed; null: any
     * @default null
     */
    taxonomyId?: string | null | undefined
  } | undefined
}

export interface UrlFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'url'
  settings?: Record<string, never> | undefined
}

export interface EmailFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'email'
  settings?: Record<string, never> | undefined
}

export interface SlugFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'slug'
  settings?: Record<string, never> | undefined
}

export interface ColorFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'color'
  settings?: Record<string, never> | undefined
}

export interface GeoFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'geo'
  settings?: Record<string, never> | undefined
}

export interface JsonFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'json'
  settings?: {
    /**
     * A JSON Schema that values must satisfy
     * @default null
     */
    schema?: Record<string, unknown> | null | undefined
  } | undefined
}

export interface GroupFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'group'
  settings: {
    /** The fields of the group */
    fields: FieldInput[]
  }
}

export interface UnionFieldInput {
  /** The name of the value in `fields`, camelCase */
  name: string
  /**
   * Display name; empty: the name
   * @default ''
   */
  label?: string | undefined
  /**
   * Whether an item needs a value to be published
   * @default false
   */
  required?: boolean | undefined
  /**
   * Whether the value must be unique among the items of the type on a branch
   * @default false
   */
  unique?: boolean | undefined
  /**
   * Whether the value is a list
   * @default false
   */
  list?: boolean | undefined
  /** Maximum number of entries of a list. Default: 1000, checked only for new values */
  maxItems?: number | undefined
  /** The value of a new item if none is given */
  default?: unknown
  /**
   * A hint for authors
   * @default ''
   */
  help?: string | undefined
  /**
   * Whether full-text search finds the value
   * @default true
   */
  searchable?: boolean | undefined
  /** Whether the value has a version for each locale, in repositories with locales */
  localized?: boolean | undefined
  /**
   * For a localized field that is `required`: whether a locale can be published with the value of its
   * fallback
   */
  fallbackCounts?: boolean | undefined
  kind: 'union'
  settings: {
    /** The variants; a value is `{ type: <name>, … }` */
    variants: {
      /** The name of the value in `fields`, camelCase */
      name: string
      /**
       * Display name; empty: the name
       * @default ''
       */
      label?: string | undefined
      /** The fields of the variant */
      fields: FieldInput[]
    }[]
  }
}

/**
 * The names that fields had before, by their path: `{ headline: "title", "seo.title": "heading" }`.
 * Their values move. Ignored for fields that do not exist any more under that name. A change of items,
 * which needs `migrate: true`
 */
export interface FieldRenames {
  [name: string]: string
}

/** The input of `types.list` */
export interface TypesListInput {
  /** Only the type with this name */
  name?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `types.get` */
export interface TypesGetInput {
  /** A content type's id or name */
  id: string
}

/** The input of `types.create` */
export interface TypesCreateInput {
  /** The unique name of the content type */
  name: string
  /** Default: the name */
  displayName?: string | undefined
  /** Default: the name in PascalCase */
  apiName?: string | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /** Settings of the content type */
  settings?: TypeSettingsInput | undefined
  /**
   * The fields of its items, in order
   * @default []
   */
  fields?: FieldInput[] | undefined
}

/** The input of `types.update` */
export interface TypesUpdateInput {
  /** A content type's id or name */
  id: string
  /** The unique name of the content type */
  name?: string | undefined
  /** A name for people, 1 to 200 characters */
  displayName?: string | undefined
  /** The unique GraphQL-safe name */
  apiName?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** Settings to change; settings that are not sent stay as they are */
  settings?: {
    isAsset?: boolean | undefined
    mimeTypes?: string[] | undefined
    maxBytes?: number | null | undefined
    slugFrom?: string | null | undefined
    localizedSlug?: string | null | undefined
    titleField?: string | null | undefined
    cardTemplate?: string | null | undefined
    pageTemplate?: string | null | undefined
    versionLimit?: number | null | undefined
    publishable?: boolean | undefined
  } | undefined
  /** All fields, in order */
  fields?: FieldInput[] | undefined
  /**
   * The names that fields had before, by their path: `{ headline: "title", "seo.title": "heading" }`.
   * Their values move. Ignored for fields that do not exist any more under that name. A change of
   * items, which needs `migrate: true`
   * @default {}
   */
  renames?: FieldRenames | undefined
  /**
   * Convert the items that do not fit
   * @default false
   */
  migrate?: boolean | undefined
}

/** The input of `types.delete` */
export interface TypesDeleteInput {
  /** A content type's id or name */
  id: string
}

/** The input of `types.lock` */
export interface TypesLockInput {
  /** A content type's id or name */
  id: string
}

/** The input of `types.unlock` */
export interface TypesUnlockInput {
  /** A content type's id or name */
  id: string
}
