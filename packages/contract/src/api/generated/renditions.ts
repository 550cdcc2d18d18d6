// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { ContentOperation } from '../content-operation.ts'
import type { AnyContent } from '../typed-item.ts'
import type { Item } from './items.ts'
import type { ListOf } from './lists.ts'

/** The operations of `renditions`. Derived and custom pictures of assets, and presets. */
export interface RenditionsApi<C extends object = AnyContent> {
  /**
   * List the renditions of an asset.
   *
   * Returns the original, the custom renditions, and for a picture every preset of the repository.
   *
   * `GET /api/renditions/{configId}/{assetId}`, with `packageName`
   * `/api/renditions/{configId}/_package/{packageName}/{assetId}`.
   * Permission: `assets.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The asset.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: RenditionsListInput, options?: CallOptions) => Promise<ListOf<Rendition>>

  /**
   * Upload a custom rendition of an asset, in a new version.
   *
   * The body is the file. With the name of a preset it replaces the preset for this asset. To replace
   * the original, use `assets.replace`.
   *
   * `PUT /api/renditions/{configId}/{assetId}/{rendition}`, with `packageName`
   * `/api/renditions/{configId}/_package/{packageName}/{assetId}/{rendition}`.
   * Permission: `assets.upload`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The asset.
   * @param input.rendition - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or
   *   a custom rendition.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `auto_package_required` - A rule requires this save to go through a package: send it to
   *   create-and-save, see details.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly upload: ContentOperation<RenditionsUploadInput, Item, C>

  /**
   * Remove a custom rendition, in a new version.
   *
   * `DELETE /api/renditions/{configId}/{assetId}/{rendition}`, with `packageName`
   * `/api/renditions/{configId}/_package/{packageName}/{assetId}/{rendition}`.
   * Permission: `assets.upload`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The asset.
   * @param input.rendition - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or
   *   a custom rendition.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `auto_package_required` - A rule requires this save to go through a package: send it to
   *   create-and-save, see details.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly remove: ContentOperation<RenditionsRemoveInput, Item, C>
}

/** A file that can be fetched for an asset */
export interface Rendition {
  /** `original`, a preset, or a custom rendition */
  name: string
  /** original: the file itself; preset: made from it; custom: uploaded */
  type: 'original' | 'preset' | 'custom'
  /** File extension; `auto` for a preset: the best format that the caller accepts */
  format: string
  /** Path to fetch it from */
  url: string
  mimeType: string
  /**
   * Size in bytes. Absent for a preset until its rendition is made, on the first request; then the
   * list of renditions has it
   */
  size?: number | undefined
  fileName: string
  /** Width in pixels; null if it is not known until the rendition is made */
  width: number | null
  /** Height in pixels; null if it is not known until the rendition is made */
  height: number | null
}

/** The input of `renditions.list` */
export interface RenditionsListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset */
  assetId: string
}

/** The input of `renditions.upload` */
export interface RenditionsUploadInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset */
  assetId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  rendition: string
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}

/** The input of `renditions.remove` */
export interface RenditionsRemoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The asset */
  assetId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  rendition: string
}
