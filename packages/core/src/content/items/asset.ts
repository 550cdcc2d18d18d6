import type { Item } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { FocalPoint, ImageFormat, JsonObject } from '../../ports/index.ts'

/** A hand-made rendition of an asset. */
export interface CustomRendition {
  readonly name: string
  readonly hash: string
  readonly size: number
  readonly mimeType: string
  readonly extension: string
  readonly width: number | null
  readonly height: number | null
}

/** The binary that a version of an asset points at. */
export interface Asset {
  readonly hash: string
  readonly size: number
  /** What the bytes are, whatever their sender said. */
  readonly mimeType: string
  /** Without the dot. */
  readonly extension: string
  readonly fileName: string
  /** Where the binary is kept, as the blobs port calls itself. */
  readonly storage: string
  /** Of a picture, as people see it; null for everything else. */
  readonly width: number | null
  readonly height: number | null
  readonly pages: number | null
  readonly focalPoint: FocalPoint | null
  readonly renditions: readonly CustomRendition[]
}

// The border to the store: an asset is written by this engine alone, never from what a caller sent.
/** The asset that a stored body or a content names; null for items without a binary. */
export function assetIn(content: JsonObject): Asset | null {
  return (content['asset'] ?? null) as unknown as Asset | null
}

/** An asset as JSON, for a body. */
export function assetJson(asset: Asset | null): JsonObject | null {
  return asset && ({ ...asset } as unknown as JsonObject)
}

/** An asset with another focal point. Errors: `invalid` for an item without a binary. */
export function withFocalPoint(asset: Asset | null, focalPoint: FocalPoint | null): Asset | null {
  if (asset) return { ...asset, focalPoint }
  if (focalPoint === null) return null
  throw invalid([{ path: 'focalPoint', message: 'is of assets: this item has no file' }])
}

/** What of a file is against rules for it: its kind, its size; null when nothing is. */
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

/** Whether a MIME type is the pattern, or of the family that it names (`image/*`). */
function matches(pattern: string, mimeType: string): boolean {
  return pattern.endsWith('/*')
    ? mimeType.startsWith(pattern.slice(0, -1).toLowerCase())
    : mimeType === pattern.toLowerCase()
}

/** Every blob that an asset needs. */
export function blobsOf(asset: Asset | null): string[] {
  if (!asset) return []
  return [...new Set([asset.hash, ...asset.renditions.map(({ hash }) => hash)])]
}

/** Bytes of the files of an asset that the one before does not have. */
export function broughtBytes(asset: Asset | null, before: Asset | null): number {
  if (!asset) return 0
  const known = new Set(blobsOf(before))
  const sizes = new Map([asset, ...asset.renditions].map(({ hash, size }) => [hash, size]))
  return [...sizes].reduce((sum, [hash, size]) => sum + (known.has(hash) ? 0 : size), 0)
}

/** The presets that every repository has: at most so many pixels of the longer side (DESIGN "Assets, blobs, renditions"). */
export const builtInSides = { thumbnail: 320, small: 640, medium: 1280, large: 2560 } as const

/** The size of a card, which is cut to it. */
export const cardSize = { width: 800, height: 450 } as const

/** The names of the built-in presets. */
export const builtInPresets: readonly string[] = [...Object.keys(builtInSides), 'card']

/** Where the renditions of an item are fetched: the path without the rendition's name. */
export function assetPath(at: { repositoryId: string; packageName: string | null; id: string }): string {
  const branch = at.packageName === null ? '' : `/_package/${encodeURIComponent(at.packageName)}`
  return `/api/assets/${at.repositoryId}${branch}/${at.id}`
}

/** A file name with another extension. */
export function withExtension(fileName: string, extension: string): string {
  const base = fileName.replace(/\.[^.]{1,10}$/, '')
  return `${base === '' ? 'file' : base}.${extension}`
}

/** The extension of a file with a picture that was made in a format. */
export function pictureExtension(format: ImageFormat): string {
  return format === 'jpeg' ? 'jpg' : format
}

/** Whether renditions can be made of it. */
export function isPicture({ width }: Pick<Asset, 'width'>): boolean {
  return width !== null
}

/** What an item shows of its binary (specification 2.4). */
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

/** A hand-made rendition as it is listed. */
export function serializeCustom(
  { name, extension: format, mimeType, size }: CustomRendition,
  { path, fileName }: { path: string; fileName: string },
): Item['renditions'][number] {
  const url = `${path}/${name}`
  return { name, type: 'custom', format, url, mimeType, size, fileName: withExtension(fileName, format) }
}

/** A preset as it is listed: made when it is first asked for, in the format that the caller takes best. How many bytes that are is not known. */
export function serializePreset(
  name: string,
  { path, asset: { mimeType, fileName, extension } }: { path: string; asset: Asset },
): Item['renditions'][number] {
  const named = withExtension(fileName, extension)
  return { name, type: 'preset', format: 'auto', url: `${path}/${name}`, mimeType, fileName: named }
}

/** A preset as it is listed once its format is known, with its bytes once it was made. */
export function serializeMade(
  preset: Item['renditions'][number],
  { format, size }: { format: ImageFormat; size?: number | undefined },
): Item['renditions'][number] {
  const extension = pictureExtension(format)
  const fileName = withExtension(preset.fileName, extension)
  const about = { format: extension, mimeType: `image/${format}`, fileName }
  return { ...preset, ...about, ...(size !== undefined && { size }) }
}
