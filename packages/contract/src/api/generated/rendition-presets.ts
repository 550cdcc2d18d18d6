// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { Fit, RenditionFormat } from './assets.ts'
import type { ListOf } from './lists.ts'

/** The operations of `renditionPresets`. Derived and custom pictures of assets, and presets. */
export interface RenditionPresetsApi {
  /**
   * List the rendition presets of a repository.
   *
   * Returns the repository's own presets. Built in everywhere: thumbnail, small, medium, large and
   * card.
   *
   * `GET /api/renditions/{configId}/presets`.
   * Permission: `assets.read`.
   *
   * @param input.configId - A repository's id or name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: RenditionPresetsListInput, options?: CallOptions) => Promise<ListOf<RenditionPreset>>

  /**
   * Read a rendition preset.
   *
   * `GET /api/renditions/{configId}/presets/{name}`.
   * Permission: `assets.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a
   *   custom rendition.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: RenditionPresetsGetInput, options?: CallOptions) => Promise<RenditionPreset>

  /**
   * Create a rendition preset.
   *
   * `POST /api/renditions/{configId}/presets`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a
   *   custom rendition.
   * @param input.width - Maximum width in pixels; null: determined by the height.
   * @param input.height - Maximum height in pixels; null: determined by the width.
   * @param input.fit - inside: the whole picture, as large as fits; cover: fills the box, the rest is
   *   cropped; contain: the whole picture, with margins to fill the box.
   * @param input.format - Output format; null: the best one that the caller accepts.
   * @param input.quality - Quality, 1 to 100. Default: 80.
   * @param input.focal - Whether a crop keeps the focal point in view; otherwise the center.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: RenditionPresetsCreateInput, options?: CallOptions) => Promise<RenditionPreset>

  /**
   * Change a rendition preset.
   *
   * Only the members that are sent change. Existing renditions of the preset are made again.
   *
   * `PATCH /api/renditions/{configId}/presets/{name}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a
   *   custom rendition.
   * @param input.width - Maximum width in pixels; null: determined by the height.
   * @param input.height - Maximum height in pixels; null: determined by the width.
   * @param input.fit - inside: the whole picture, as large as fits; cover: fills the box, the rest is
   *   cropped; contain: the whole picture, with margins to fill the box.
   * @param input.format - Output format; null: the best one that the caller accepts.
   * @param input.quality - Quality, 1 to 100. Default: 80.
   * @param input.focal - Whether a crop keeps the focal point in view; otherwise the center.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: RenditionPresetsUpdateInput, options?: CallOptions) => Promise<RenditionPreset>

  /**
   * Delete a rendition preset.
   *
   * `DELETE /api/renditions/{configId}/presets/{name}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.name - `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a
   *   custom rendition.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: RenditionPresetsDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A rendition preset: named settings of derived pictures */
export interface RenditionPreset {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  name: string
  /** Maximum width in pixels; null: determined by the height */
  width: number | null
  /** Maximum height in pixels; null: determined by the width */
  height: number | null
  /**
   * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain:
   * the whole picture, with margins to fill the box
   */
  fit: Fit
  /** Output format; null: the best one that the caller accepts */
  format: RenditionFormat | null
  /** Quality, 1 to 100. Default: 80 */
  quality: number
  /** Whether a crop keeps the focal point in view; otherwise the center */
  focal: boolean
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** The input of `renditionPresets.list` */
export interface RenditionPresetsListInput {
  /** A repository's id or name */
  configId: string
}

/** The input of `renditionPresets.get` */
export interface RenditionPresetsGetInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  name: string
}

/** The input of `renditionPresets.create` */
export interface RenditionPresetsCreateInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  name: string
  /**
   * Maximum width in pixels; null: determined by the height
   * @default null
   */
  width?: number | null | undefined
  /**
   * Maximum height in pixels; null: determined by the width
   * @default null
   */
  height?: number | null | undefined
  /**
   * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain:
   * the whole picture, with margins to fill the box
   * @default 'inside'
   */
  fit?: Fit | undefined
  /**
   * Output format; null: the best one that the caller accepts
   * @default null
   */
  format?: RenditionFormat | null | undefined
  /**
   * Quality, 1 to 100. Default: 80
   * @default 80
   */
  quality?: number | undefined
  /**
   * Whether a crop keeps the focal point in view; otherwise the center
   * @default true
   */
  focal?: boolean | undefined
}

/** The input of `renditionPresets.update` */
export interface RenditionPresetsUpdateInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  name: string
  /** Maximum width in pixels; null: determined by the height */
  width?: number | null | undefined
  /** Maximum height in pixels; null: determined by the width */
  height?: number | null | undefined
  /**
   * inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain:
   * the whole picture, with margins to fill the box
   */
  fit?: Fit | undefined
  /** Output format; null: the best one that the caller accepts */
  format?: RenditionFormat | null | undefined
  /** Quality, 1 to 100. Default: 80 */
  quality?: number | undefined
  /** Whether a crop keeps the focal point in view; otherwise the center */
  focal?: boolean | undefined
}

/** The input of `renditionPresets.delete` */
export interface RenditionPresetsDeleteInput {
  /** A repository's id or name */
  configId: string
  /** `original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition */
  name: string
}
