import type { Item } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { FocalPoint, ImageFormat, JsonObject } from '../../ports/index.ts'

/** A rendition of an asset that was uploaded instead of generated. */
export interface CustomRendition {
  readonly name: string
  readonly hash: string
  readonly size: number
  readonly mimeType: string
  readonly extension: string
  readonly width: number | null
  readonly height: number | null
}

/** The file of a version of an asset. */
export interface Asset {
  readonly hash: string
  readonly size: number
  /** Detected from the bytes, whatever the sender declared. */
  readonly mimeType: string
  /** Without the dot. */
  readonly extension: string
  readonly fileName: string
  /** Name of the storage that holds the file, as reported by the blobs port. */
  readonly storage: string
  /** Width of a picture in pixels, after rotation; null for other files. */
  readonly width: number | null
  readonly height: number | null
  readonly pages: number | null
  readonly focalPoint: FocalPoint | null
  readonly renditions: readonly CustomRendition[]
}

// The cast is safe because only this engine writes assets; they never come from a caller's input.
/** The asset in a stored body or a content; null for items without a file. */
export function assetIn(content: JsonObject): Asset | null {
  return (content['asset'] ?? null) as unknown as Asset | null
}

/** Converts an asset to JSON for a stored body. */
export function assetJson(asset: Omit<Asset, 'storage'> | null): JsonObject | null {
  return asset && ({ ...asset } as unknown as JsonObject)
}

/**
 * The asset with another focal point. Errors: `invalid` for an item without a file, unless the
 * focal point is null.
 */
export function withFocalPoint(asset: Asset | null, focalPoint: FocalPoint | null): Asset | null {
  if (asset) return { ...asset, focalPoint }
  if (focalPoint === null) return null
  throw invalid([{ path: 'focalPoint', message: 'applies only to assets: this item has no file' }])
}

/** Why a file breaks the rules for its type or size; null if it does not. */
export function fileProblem(
  asset: Pick<Asset, 'mimeType' | 'size'> | null,
  { mimeTypes, maxBytes }: { mimeTypes: readonly string[]; maxBytes?: number | null | undefined },
): string | null {
  if (!asset) return 'has no file'
  const { mimeType, size } = asset
  if (mimeTypes.length > 0 && !mimeTypes.some((pattern) => matches(pattern, mimeType)))
    return `is ${mimeType}, not ${mimeTypes.join(' or ')}`
  return typeof maxBytes === 'number' && size > maxBytes ? `has ${size} bytes, more than ${maxBytes}` : null
}

/** Whether a MIME type equals the pattern or belongs to its family (`image/*`). */
function matches(pattern: string, mimeType: string): boolean {
  return pattern.endsWith('/*')
    ? mimeType.startsWith(pattern.slice(0, -1).toLowerCase())
    : mimeType === pattern.toLowerCase()
}

/** The hashes of all blobs of an asset, without duplicates. */
export function blobsOf(asset: Asset | null): string[] {
  if (!asset) return []
  return [...new Set([asset.hash, ...asset.renditions.map(({ hash }) => hash)])]
}

/** The total bytes of an asset's files that its previous version does not have. */
export function addedBytes(asset: Asset | null, before: Asset | null): number {
  if (!asset) return 0
  const known = new Set(blobsOf(before))
  const sizes = new Map([asset, ...asset.renditions].map(({ hash, size }) => [hash, size]))
  return [...sizes].reduce((sum, [hash, size]) => sum + (known.has(hash) ? 0 : size), 0)
}

/**
 * The presets of every repository: the maximum length of the longer side in pixels
 * (DESIGN "Assets, blobs, renditions").
 */
export const builtInSides = { thumbnail: 320, small: 640, medium: 1280, large: 2560 } as const

/** The size of the `card` preset in pixels. Pictures are cropped to it. */
export const cardSize = { width: 800, height: 450 } as const

/** The names of all built-in presets. */
export const builtInPresets: readonly string[] = [...Object.keys(builtInSides), 'card']

/** The URL path of an item's renditions, without the rendition's name. */
export function assetPath(at: { repositoryId: string; packageName: string | null; id: string }): string {
  const branch = at.packageName === null ? '' : `/_package/${encodeURIComponent(at.packageName)}`
  return `/api/assets/${at.repositoryId}${branch}/${at.id}`
}

/** Replaces the extension of a file name. An empty base becomes `file`. */
export function withExtension(fileName: string, extension: string): string {
  const base = fileName.replace(/\.[^.]{1,10}$/, '')
  return `${base === '' ? 'file' : base}.${extension}`
}

/** The file extension of an image format, without the dot. */
export function pictureExtension(format: ImageFormat): string {
  return format === 'jpeg' ? 'jpg' : format
}

/** Whether renditions can be made of an asset. */
export function isPicture({ width }: Pick<Asset, 'width'>): boolean {
  return width !== null
}

/** The members of an item that describe its file (specification 2.4). */
export function serializeAsset(
  asset: Asset | null,
  at: { repositoryId: string; packageName: string | null; id: string },
): Pick<Item, 'fileExtension' | 'originalFileName' | 'storage' | 'asset' | 'renditions'> {
  if (!asset)
    return { fileExtension: null, originalFileName: null, storage: null, asset: null, renditions: [] }
  const { mimeType, size, hash, width, height, pages, focalPoint } = asset
  return {
    fileExtension: asset.extension,
    originalFileName: asset.fileName,
    storage: { objectName: hash, storageVersionId: null, objectStorageName: asset.storage },
    asset: { mimeType, size, hash, width, height, pages, focalPoint: focalPoint && { ...focalPoint } },
    renditions: serializeRenditions(asset, assetPath(at)),
  }
}

function serializeRenditions(asset: Asset, path: string): Item['renditions'] {
  const { extension: format, mimeType, size, fileName } = asset
  const named = new Set(asset.renditions.map(({ name }) => name))
  const presets = isPicture(asset) ? builtInPresets.filter((name) => !named.has(name)) : []
  return [
    { name: 'original', type: 'original', format, url: `${path}/original`, mimeType, size, fileName },
    ...asset.renditions.map((made) => serializeCustom(made, { path, fileName })),
    ...presets.map((name) => serializePreset(name, { path, asset })),
  ]
}

/** An uploaded rendition as an entry in an item's `renditions`. */
export function serializeCustom(
  { name, extension: format, mimeType, size }: CustomRendition,
  { path, fileName }: { path: string; fileName: string },
): Item['renditions'][number] {
  const url = `${path}/${name}`
  return { name, type: 'custom', format, url, mimeType, size, fileName: withExtension(fileName, format) }
}

/**
 * A preset as an entry in an item's `renditions`. It is generated on the first request, in the
 * format that the caller prefers, so its size is not yet known.
 */
export function serializePreset(
  name: string,
  { path, asset: { mimeType, fileName, extension } }: { path: string; asset: Asset },
): Item['renditions'][number] {
  const named = withExtension(fileName, extension)
  return { name, type: 'preset', format: 'auto', url: `${path}/${name}`, mimeType, fileName: named }
}

/**
 * A preset as an entry in an item's `renditions` when its format is known, with its size if it was
 * generated.
 */
export function serializeMade(
  preset: Item['renditions'][number],
  { format, size }: { format: ImageFormat; size?: number | undefined },
): Item['renditions'][number] {
  const extension = pictureExtension(format)
  const fileName = withExtension(preset.fileName, extension)
  const about = { format: extension, mimeType: `image/${format}`, fileName }
  return { ...preset, ...about, ...(size !== undefined && { size }) }
}
