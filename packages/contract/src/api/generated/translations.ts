// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary, BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'

/**
 * The operations of `translations`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface TranslationsApi {
  /**
   * List items by the state of their translations.
   *
   * Each item has the translations of the locale and the states that were asked for. A translation is
   * outdated exactly if the value of its source, which is that of the default locale, differs from the
   * one that the translation was made or last confirmed against. It goes by value: saves without a
   * change, reverts and changes of the status make no translation outdated.
   *
   * `GET /api/translations/{configId}`, with `packageName`
   * `/api/translations/{configId}/_package/{packageName}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.locale - A locale other than the default one. Default: all of them.
   * @param input.state - The states: `missing,outdated`. Default: all.
   * @param input.type - Only items of this content type.
   * @param input.itemId - Only this item.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count` and `counts`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: TranslationsListInput, options?: CallOptions) => Promise<TranslationsListOutput>

  /**
   * Say that outdated translations are still right.
   *
   * They are then current until their source changes again. The item gets no new version and stays
   * published as it is.
   *
   * `POST /api/translations/{configId}/confirm`, with `packageName`
   * `/api/translations/{configId}/_package/{packageName}/confirm`.
   * Permission: `items.update` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.itemId - The item.
   * @param input.locale - The locale of the translations.
   * @param input.paths - The paths of the translations: `fields.title`. Default: all of the locale.
   * @param input.baseVersion - The version that you have looked at. If it is not the newest one any
   *   more, the answer is 409.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `version_conflict` - Someone else has changed the same members: see conflicts.
   * @throws `auto_package_required` - A rule requires this save to go through a package: send it to
   *   create-and-save, see details.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly confirm: (input: TranslationsConfirmInput, options?: CallOptions) => Promise<TranslatedItem>

  /**
   * Export texts to translate as XLIFF.
   *
   * Streams XLIFF with a `file` for each item and a `unit` for each text, of the fields `text`,
   * `richText` and the like, those in blocks included; lists of texts are left out. Only what you may
   * read. HTML and Markdown are texts with their markup.
   *
   * `POST /api/translations/{configId}/export`, with `packageName`
   * `/api/translations/{configId}/_package/{packageName}/export`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.locale - The locale to translate into.
   * @param input.state - The states of the texts. Default: `missing,outdated`.
   * @param input.type - Only items of this content type.
   * @param input.xliffVersion - The version of XLIFF.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly export: (input: TranslationsExportInput, options?: CallOptions) => Promise<Binary>

  /**
   * Import translations from XLIFF into a package.
   *
   * The body is XLIFF 2.1 or 2.2, at most 64 MiB, of the form of an export. Each item becomes one new
   * version in the package `packageName`, for people to review and merge. A unit whose source has
   * changed since, whose text is gone, or whose translation the item refuses is reported, and keeps no
   * other from being written. A unit with the translation that the item has confirms it if its `state`
   * is `translated`, `reviewed` or `final`.
   *
   * `POST /api/translations/{configId}/import`, with `packageName`
   * `/api/translations/{configId}/_package/{packageName}/import`.
   * Permission: `items.update` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.dryRun - Only answer what would happen.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `too_large` - The request is too large.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly import: (input: TranslationsImportInput, options?: CallOptions) => Promise<TranslationsReport>
}

/**
 * `missing`: the source has a value, the locale has none. `outdated`: the source differs from the one
 * that the translation was made or last confirmed against. `current`: it is the same
 */
export type TranslationState = 'missing' | 'outdated' | 'current'

/** An item with the states of its translations */
export interface TranslatedItem {
  /** An id, as answered by the operation that created it */
  id: string
  /** The name of its content type */
  type: string
  name: string
  slug: string
  /** The version that the states are of */
  version: number
  translations: {
    /** The path of the localized value: `fields.title`, `fields.body.0.text` */
    path: string
    /** A BCP 47 language tag in its canonical form: `en`, `pt-BR`, `zh-Hant` */
    locale: string
    /**
     * `missing`: the source has a value, the locale has none. `outdated`: the source differs from the
     * one that the translation was made or last confirmed against. `current`: it is the same
     */
    state: TranslationState
  }[]
}

/** The number of items in each state, by locale. An item can have translations in several states */
export interface TranslationCounts {
  [name: string]: {
  /** Items that lack a translation */
  missing: number
  /** Items with an outdated translation */
  outdated: number
  /** Items with a current translation */
  current: number
}
}

/** What an import of translations did, or would do */
export interface TranslationsReport {
  /** Items that were changed */
  items: number
  /** Texts that were written */
  translated: number
  /** Translations that stay, and are current now */
  confirmed: number
  /** Units without a translation, or with the one that the item has, that confirm nothing */
  unchanged: number
  /** Units that were not written */
  refuse: number
  /** The first 1000 units that were not written, and why */
  refused: {
    itemId: string
    path: string
    /** The line of the file, from 1 */
    line: number
    message: string
  }[]
}

/** The input of `translations.list` */
export interface TranslationsListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** A locale other than the default one. Default: all of them */
  locale?: string | undefined
  /** The states: `missing,outdated`. Default: all */
  state?: TranslationState[] | undefined
  /** Only items of this content type */
  type?: string | undefined
  /** Only this item */
  itemId?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count` and `counts`, which makes a long list cheaper */
  skipCount?: boolean | undefined
}

/** The result of `translations.list` */
export interface TranslationsListOutput {
  /**
   * Number of all entries that match and that the caller may see. Absent only if the request had
   * `skipCount=true`
   */
  count?: number | undefined
  items: TranslatedItem[]
  /** Cursor of the next page: send it as `cursor`. Absent on the last page */
  nextCursor?: string | undefined
  /** The number of items in each state, by locale. An item can have translations in several states */
  counts?: TranslationCounts | undefined
}

/** The input of `translations.confirm` */
export interface TranslationsConfirmInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  itemId: string
  /** The locale of the translations */
  locale: string
  /** The paths of the translations: `fields.title`. Default: all of the locale */
  paths?: string[] | undefined
  /** The version that you have looked at. If it is not the newest one any more, the answer is 409 */
  baseVersion?: number | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `translations.export` */
export interface TranslationsExportInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The locale to translate into */
  locale: string
  /** The states of the texts. Default: `missing,outdated` */
  state?: TranslationState[] | undefined
  /** Only items of this content type */
  type?: string | undefined
  /**
   * The version of XLIFF
   * @default '2.1'
   */
  xliffVersion?: '2.1' | '2.2' | undefined
}

/** The input of `translations.import` */
export interface TranslationsImportInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName: string
  /**
   * Only answer what would happen
   * @default false
   */
  dryRun?: boolean | undefined
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}
