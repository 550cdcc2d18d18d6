// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary, BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { ContentOperation } from '../content-operation.ts'
import type { AnyContent } from '../typed-item.ts'
import type { FieldValues, FocalPoint, Item } from './items.ts'

/** The operations of `assets`. The files of items: fetching, replacing, downloading as an archive. */
export interface AssetsApi<C extends object = AnyContent> {
  /**
   * Fetch an asset or one of its renditions.
   *
   * Returns the bytes. `ETag` is their hash. `If-None-Match` can result in 304, `Range` in 206 or 416
   * (RFC 9110), and `HEAD` returns only the headers. The rendition of a preset is made when it is
   * first requested, in the format of `format`, or in the best one that `Accept` allows. With `width`,
   * `height`, `fit` or `quality` an ad hoc rendition is made, within the limits of the repository:
   * sizes and qualities are rounded up to the next step, while presets are exact. `original` needs
   * `assets.download`. If the service is configured for it, a large original is a 302 to the object
   * storage.
   *
   * `GET /api/assets/{configId}/{assetId}/{rendition}`, with `packageName`
   * `/api/assets/{configId}/_package/{packageName}/{assetId}/{rendition}`.
   * Permission: `assets.read` or `assets.download`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The asset.
   * @param input.rendition - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or
   *   a custom rendition.
   * @param input.format - Output format; upper or lower case in a query. Default: the best one that
   *   `Accept` allows.
   * @param input.version - A number, `latest` (default) or `latestpublished`.
   * @param input.download - If present, whatever its value, browsers save the response as a file:
   *   Content-Disposition is `attachment`.
   * @param input.width - Width in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000.
   * @param input.height - Height in pixels, rounded up to the next of 32, 64, 128, 192, 256, 320, 480,
   *   640, 800, 1024, 1280, 1600, 1920, 2560, 4000, 6000. With a width and `cover` or `contain`, the
   *   box is instead rounded to the nearest of 16 proportions.
   * @param input.fit - inside: the whole picture, as large as fits; cover: fills the box, the rest is
   *   cropped; contain: the whole picture, with margins to fill the box.
   * @param input.quality - Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `range_not_satisfiable` - The range is outside the file.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: AssetsGetInput, options?: CallOptions) => Promise<Binary>

  /**
   * Download assets as one ZIP archive.
   *
   * The body is a JSON array of asset ids. The archive is streamed in constant memory, as ZIP64 if
   * needed. Entries are named by folder and original file name, made unique and safe. If any asset
   * does not exist or you may not download it, the response is 404 before the first byte.
   *
   * `POST /api/assets/zip/{configId}`, with `packageName`
   * `/api/assets/zip/{configId}/_package/{packageName}`.
   * Permission: `assets.download`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.ids - Ids of the assets, at most 5 000. An asset that is named twice is in the
   *   archive once.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly zip: (input: AssetsZipInput, options?: CallOptions) => Promise<Binary>

  /**
   * Create an asset from a file, in one request.
   *
   * The body is multipart/form-data with an optional part `data` (JSON), followed by a part `file`.
   * For large files and unreliable connections use the resumable upload. The media type of the file is
   * detected from its bytes.
   *
   * `POST /api/assets/{configId}`, with `packageName` `/api/assets/{configId}/_package/{packageName}`.
   * Permission: `assets.upload`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.type - Name of the content type. Default: the only content type that accepts such a
   *   file.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.categories - Category ids.
   * @param input.readPerm - Role ids; empty: no extra restriction.
   * @param input.writePerm - Role ids; empty: no extra restriction.
   * @param input.deletePerm - Role ids; empty: no extra restriction.
   * @param input.focalPoint - For an asset: the point that crops keep in view; null: the center.
   * @param input.fields - Custom values by field name.
   * @param input.locale - Only in a repository with locales. The locale whose values are sent; those
   *   of others stay. `*`: localized values are objects by locale. Default: the default locale.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: ContentOperation<AssetsCreateInput, Item, C>

  /**
   * Create an asset from a file at a URL.
   *
   * The service fetches the file, without credentials, from an origin that
   * `settings.assets.fetchOrigins` of the repository names, and then does the same as `assets.create`.
   * It follows up to 3 redirects, each to such an origin. The media type of the file is detected from
   * its bytes.
   *
   * `POST /api/assets/{configId}/from-url`, with `packageName`
   * `/api/assets/{configId}/_package/{packageName}/from-url`.
   * Permission: `assets.upload`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.type - Name of the content type. Default: the only content type that accepts such a
   *   file.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.categories - Category ids.
   * @param input.readPerm - Role ids; empty: no extra restriction.
   * @param input.writePerm - Role ids; empty: no extra restriction.
   * @param input.deletePerm - Role ids; empty: no extra restriction.
   * @param input.focalPoint - For an asset: the point that crops keep in view; null: the center.
   * @param input.fields - Custom values by field name.
   * @param input.locale - Only in a repository with locales. The locale whose values are sent; those
   *   of others stay. `*`: localized values are objects by locale. Default: the default locale.
   * @param input.url - URL of the file: http or https, without credentials, on a public address.
   * @param input.fileName - Default: the name in the `Content-Disposition` of the response, or the end
   *   of the URL.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `too_large` - The request is too large.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable`,
   *   `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly createFromUrl: ContentOperation<AssetsCreateFromUrlInput, Item, C>

  /**
   * Replace the file of an asset, in a new version.
   *
   * The body is the file itself. Custom renditions of the old file are removed; the previous version
   * keeps them.
   *
   * `PUT /api/assets/{configId}/{assetId}/content`, with `packageName`
   * `/api/assets/{configId}/_package/{packageName}/{assetId}/content`.
   * Permission: `assets.upload`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The asset.
   * @param input.fileName - New file name. Default: the current one.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly replace: ContentOperation<AssetsReplaceInput, Item, C>
}

/** Output format; upper or lower case in a query. Default: the best one that `Accept` allows */
export type RenditionFormat = 'avif' | 'webp' | 'jpeg' | 'jpg' | 'png'

/**
 * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain: the
 * whole picture, with margins to fill the box
 */
export type Fit = 'inside' | 'cover' | 'contain'

/** The input of `assets.get` */
export interface AssetsGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset */
  assetId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  rendition: string
  /** Output format; upper or lower case in a query. Default: the best one that `Accept` allows */
  format?: RenditionFormat | undefined
  /** A number, `latest` (default) or `latestpublished` */
  version?: string | undefined
  /**
   * If present, whatever its value, browsers save the response as a file: Content-Disposition is
   * `attachment`
   */
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
}

/** The input of `assets.zip` */
export interface AssetsZipInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Ids of the assets, at most 5 000. An asset that is named twice is in the archive once */
  ids: string[]
}

/** The input of `assets.create` */
export interface AssetsCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Name of the content type. Default: the only content type that accepts such a file */
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
  /**
   * Custom values by field name
   * @default {}
   */
  fields?: FieldValues | undefined
  /**
   * Only in a repository with locales. The locale whose values are sent; those of others stay. `*`:
   * localized values are objects by locale. Default: the default locale
   */
  locale?: string | undefined
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}

/** The input of `assets.createFromUrl` */
export interface AssetsCreateFromUrlInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Name of the content type. Default: the only content type that accepts such a file */
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
  /**
   * Custom values by field name
   * @default {}
   */
  fields?: FieldValues | undefined
  /**
   * Only in a repository with locales. The locale whose values are sent; those of others stay. `*`:
   * localized values are objects by locale. Default: the default locale
   */
  locale?: string | undefined
  /** URL of the file: http or https, without credentials, on a public address */
  url: string
  /** Default: the name in the `Content-Disposition` of the response, or the end of the URL */
  fileName?: string | undefined
}

/** The input of `assets.replace` */
export interface AssetsReplaceInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset */
  assetId: string
  /** New file name. Default: the current one */
  fileName?: string | undefined
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}
