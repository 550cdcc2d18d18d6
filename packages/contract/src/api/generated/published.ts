// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { ContentOperation } from '../content-operation.ts'
import type { AnyContent } from '../typed-item.ts'
import type { Fit, RenditionFormat } from './assets.ts'
import type { Asset, FieldValues, FilterInput, ItemRendition } from './items.ts'
import type { LongListOf } from './lists.ts'

/**
 * The operations of `published`. Published content, without a token if the repository is public;
 * embeds.
 */
export interface PublishedApi<C extends object = AnyContent> {
  /**
   * List published items.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived. Filters and sorts use the published version, never a
   * draft.
   *
   * `GET /api/published/items/{configId}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.type - Only items of this content type.
   * @param input.folderId - Only items in this folder.
   * @param input.recursive - With `folderId`: also items in the folders below it.
   * @param input.text - Words that must all occur; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.offset - Entries to skip. Prefer `cursor`; sending both is 400.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.sort - Comma-separated fields, `-` for descending order: `-updatedDate,name`.
   * @param input.filter - Conditions by field, all of which must hold; in a query string as JSON, or
   *   `filter[fields.price][gte]=10`.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale whose published version to
   *   read. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly items: ContentOperation<PublishedItemsInput, LongListOf<ReadPublishedItem>, C, PublishedItem>

  /**
   * Read a published item.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived.
   *
   * `GET /api/published/items/{configId}/{id}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.version - `latest`, `latestpublished` or the number of the published version; any
   *   other number is 404.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale whose published version to
   *   read. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly item: ContentOperation<PublishedItemInput, ReadPublishedItem, C, PublishedItem>

  /**
   * Read a published item by its slug.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived.
   *
   * `GET /api/published/items/{configId}/slug/{slug}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.slug - The slug.
   * @param input.version - `latest`, `latestpublished` or the number of the published version; any
   *   other number is 404.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale whose published version to
   *   read. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly itemBySlug: ContentOperation<PublishedItemBySlugInput, ReadPublishedItem, C, PublishedItem>

  /**
   * Fetch a published asset or one of its renditions.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived.
   *
   * `GET /api/published/assets/{configId}/{assetId}/{rendition}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.rendition - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or
   *   a custom rendition.
   * @param input.version - `latest`, `latestpublished` or the number of the published version; any
   *   other number is 404.
   * @param input.format - Output format; upper or lower case in a query. Default: the best one that
   *   `Accept` allows.
   * @param input.download - If present, whatever its value, browsers save the response as a file.
   * @param input.width - Width in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000.
   * @param input.height - Height in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000. With a width and `cover` or `contain`, the
   *   box is instead rounded to the nearest of 16 proportions.
   * @param input.fit - inside: the whole picture, as large as fits; cover: fills the box, the rest is
   *   cropped; contain: the whole picture, with margins to fill the box.
   * @param input.quality - Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80.
   * @param input.assetId - The asset.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `range_not_satisfiable` - The range is outside the file.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly asset: (input: PublishedAssetInput, options?: CallOptions) => Promise<Binary>

  /**
   * Fetch a published asset or one of its renditions, by the slug of its item.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived.
   *
   * `GET /api/published/assets/{configId}/slug/{slug}/{rendition}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.rendition - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or
   *   a custom rendition.
   * @param input.version - `latest`, `latestpublished` or the number of the published version; any
   *   other number is 404.
   * @param input.format - Output format; upper or lower case in a query. Default: the best one that
   *   `Accept` allows.
   * @param input.download - If present, whatever its value, browsers save the response as a file.
   * @param input.width - Width in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000.
   * @param input.height - Height in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000. With a width and `cover` or `contain`, the
   *   box is instead rounded to the nearest of 16 proportions.
   * @param input.fit - inside: the whole picture, as large as fits; cover: fills the box, the rest is
   *   cropped; contain: the whole picture, with margins to fill the box.
   * @param input.quality - Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80.
   * @param input.slug - The slug.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `range_not_satisfiable` - The range is outside the file.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly assetBySlug: (input: PublishedAssetBySlugInput, options?: CallOptions) => Promise<Binary>

  /**
   * Fetch a page that shows a published asset, for an iframe.
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived. HTML without scripts: a picture, a player for video or
   * audio, or a link to any other file.
   *
   * `GET /api/embed/{configId}/{assetId}`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.configId - A repository's id or name.
   * @param input.assetId - The asset.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly embed: (input: PublishedEmbedInput, options?: CallOptions) => Promise<Binary>

  /**
   * Describe how to embed a published asset (oEmbed 1.0).
   *
   * Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only
   * content that is published and not archived.
   *
   * `GET /api/oembed`.
   * Public if the repository is public; otherwise needs permission to read it.
   *
   * @param input.url - A URL of this service: an embed page or a published asset.
   * @param input.maxwidth - Maximum width in pixels.
   * @param input.maxheight - Maximum height in pixels.
   * @param input.format - Only JSON is supported.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly oembed: (input: PublishedOembedInput, options?: CallOptions) => Promise<OEmbed>
}

/** A published item. If the request has `select`, it has only the members that `select` names */
export interface ReadPublishedItem {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId?: string | undefined
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  /** Name of the content type */
  type?: string | undefined
  /** Unique in the repository and branch */
  slug?: string | undefined
  /** The slug as words, for search */
  slugSearch?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** Custom values by field name */
  fields?: FieldValues | undefined
  /** The categories of the item, by taxonomy */
  taxonomies?: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    categories: {
      /** An id, as answered by the operation that created it */
      id: string
      name: string
    }[]
  }[] | undefined
  /** The version that was returned */
  currentVersion?: number | undefined
  /** Unix milliseconds */
  createdDate?: number | undefined
  /** Unix milliseconds */
  updatedDate?: number | undefined
  /** When the published version was published */
  publishedDate?: number | null | undefined
  /** For an asset: its extension without the dot */
  fileExtension?: string | null | undefined
  /** For an asset: the name of the uploaded file */
  originalFileName?: string | null | undefined
  /** The file of an asset; null for every other item */
  asset?: Asset | null | undefined
  /** The files that can be fetched for an asset */
  renditions?: ItemRendition[] | undefined
  /** HTML card, rendered from the `cardTemplate` of the content type */
  cardPreview?: string | null | undefined
  /** The locale that was read; absent in a repository without locales and for `locale=*` */
  locale?: string | undefined
  /** The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does */
  fallbacks?: Record<string, string> | undefined
  /** With `include`: the published items that each of these fields refers to, in the order of the field */
  included?: Record<string, PublishedItem[]> | undefined
}

/** The published version of an item */
export interface PublishedItem {
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
  /** The parent folder; null at the top level */
  folderId: string | null
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
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
  /** When the published version was published */
  publishedDate: number | null
  /** For an asset: its extension without the dot */
  fileExtension: string | null
  /** For an asset: the name of the uploaded file */
  originalFileName: string | null
  /** The file of an asset; null for every other item */
  asset: Asset | null
  /** The files that can be fetched for an asset */
  renditions: ItemRendition[]
  /** HTML card, rendered from the `cardTemplate` of the content type */
  cardPreview: string | null
  /** The locale that was read; absent in a repository without locales and for `locale=*` */
  locale?: string | undefined
  /** The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does */
  fallbacks?: Record<string, string> | undefined
}

/** An oEmbed 1.0 response */
export interface OEmbed {
  version: '1.0'
  type: 'photo' | 'video' | 'rich'
  title: string
  provider_name: string
  provider_url: string
  /** Seconds for which the response may be cached */
  cache_age: number
  /** For a photo: the URL of the picture */
  url?: string | undefined
  /** For a video or rich content: the HTML to put into a page */
  html?: string | undefined
  width: number
  height: number
}

/** The input of `published.items` */
export interface PublishedItemsInput {
  /** A repository's id or name */
  configId: string
  /** Only items of this content type */
  type?: string | undefined
  /** Only items in this folder */
  folderId?: string | undefined
  /** With `folderId`: also items in the folders below it */
  recursive?: boolean | undefined
  /** Words that must all occur; each matches as a prefix */
  text?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** Entries to skip. Prefer `cursor`; sending both is 400 */
  offset?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Comma-separated fields, `-` for descending order: `-updatedDate,name` */
  sort?: string | undefined
  /**
   * Conditions by field, all of which must hold; in a query string as JSON, or
   * `filter[fields.price][gte]=10`
   */
  filter?: FilterInput | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale whose published version to read. Default: the
   * default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `published.item` */
export interface PublishedItemInput {
  /** A repository's id or name */
  configId: string
  /** An id, as answered by the operation that created it */
  id: string
  /** `latest`, `latestpublished` or the number of the published version; any other number is 404 */
  version?: string | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale whose published version to read. Default: the
   * default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `published.itemBySlug` */
export interface PublishedItemBySlugInput {
  /** A repository's id or name */
  configId: string
  /** The slug */
  slug: string
  /** `latest`, `latestpublished` or the number of the published version; any other number is 404 */
  version?: string | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale whose published version to read. Default: the
   * default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `published.asset` */
export interface PublishedAssetInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  rendition: string
  /** `latest`, `latestpublished` or the number of the published version; any other number is 404 */
  version?: string | undefined
  /** Output format; upper or lower case in a query. Default: the best one that `Accept` allows */
  format?: RenditionFormat | undefined
  /** If present, whatever its value, browsers save the response as a file */
  download?: true | string | undefined
  /**
   * Width in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280,
   * 1600, 1920, 2560, 4000, 6000
   */
  width?: number | undefined
  /**
   * Height in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280,
   * 1600, 1920, 2560, 4000, 6000. With a width and `cover` or `contain`, the box is instead rounded to
   * the nearest of 16 proportions
   */
  height?: number | undefined
  /**
   * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain:
   * the whole picture, with margins to fill the box
   */
  fit?: Fit | undefined
  /** Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80 */
  quality?: number | undefined
  /** The asset */
  assetId: string
}

/** The input of `published.assetBySlug` */
export interface PublishedAssetBySlugInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  rendition: string
  /** `latest`, `latestpublished` or the number of the published version; any other number is 404 */
  version?: string | undefined
  /** Output format; upper or lower case in a query. Default: the best one that `Accept` allows */
  format?: RenditionFormat | undefined
  /** If present, whatever its value, browsers save the response as a file */
  download?: true | string | undefined
  /**
   * Width in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280,
   * 1600, 1920, 2560, 4000, 6000
   */
  width?: number | undefined
  /**
   * Height in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480, 640, 800, 1024, 1280,
   * 1600, 1920, 2560, 4000, 6000. With a width and `cover` or `contain`, the box is instead rounded to
   * the nearest of 16 proportions
   */
  height?: number | undefined
  /**
   * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain:
   * the whole picture, with margins to fill the box
   */
  fit?: Fit | undefined
  /** Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80 */
  quality?: number | undefined
  /** The slug */
  slug: string
}

/** The input of `published.embed` */
export interface PublishedEmbedInput {
  /** A repository's id or name */
  configId: string
  /** The asset */
  assetId: string
}

/** The input of `published.oembed` */
export interface PublishedOembedInput {
  /** A URL of this service: an embed page or a published asset */
  url: string
  /** Maximum width in pixels */
  maxwidth?: number | undefined
  /** Maximum height in pixels */
  maxheight?: number | undefined
  /** Only JSON is supported */
  format?: 'json' | undefined
}
