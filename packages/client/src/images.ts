import type { AssetsGetInput } from '@quire/contract/api'
import { encodePlainRequest, type Route } from '@quire/contract/client'

/** How a picture is derived from its file. */
type Derivation = Pick<
  AssetsGetInput,
  'width' | 'height' | 'fit' | 'format' | 'quality' | 'version' | 'download'
>

/** A published asset, by its id or by the slug of its item. */
export type PublishedAsset = {
  readonly configId: string
  readonly published?: true
} & ({ readonly assetId: string } | { readonly slug: string })

/** The newest version of an asset, or that in a package. Its address needs a token or a session. */
export interface DraftAsset extends Pick<AssetsGetInput, 'configId' | 'assetId' | 'packageName'> {
  readonly published: false
}

/** An asset whose pictures are addressed. */
export type ImageAsset = PublishedAsset | DraftAsset

/** A rendition of an asset. Other sizes than those of presets need a token or a session. */
export type ImageInput = ImageAsset & Pick<AssetsGetInput, 'rendition'> & Derivation

const bytes = { method: 'GET', body: 'json', answer: 'bytes' } as const

// Not from the table of routes, so that a page without a client does not load the table.
/** The routes of the addresses. */
export const imageRoutes = {
  draft: {
    ...bytes,
    path: '/api/assets/{configId}/{assetId}/{rendition}',
    packagePath: '/api/assets/{configId}/_package/{packageName}/{assetId}/{rendition}',
  },
  byId: { ...bytes, path: '/api/published/assets/{configId}/{assetId}/{rendition}' },
  bySlug: { ...bytes, path: '/api/published/assets/{configId}/slug/{slug}/{rendition}' },
} as const satisfies Record<string, Route>

/**
 * The address of a rendition, for `<img src>`. Sends no request. A published asset of a public
 * repository can be fetched without a token, from any origin, in the sizes of presets. Errors:
 * QuireError `invalid` for a part of the path that is empty.
 * @example
 * imageUrl('https://content.example.org', { configId: 'magazine', slug: 'oak-galls', rendition: 'card' })
 */
export function imageUrl(baseUrl: string, { published = true, ...input }: ImageInput): string {
  const route = published ? imageRoutes['slug' in input ? 'bySlug' : 'byId'] : imageRoutes.draft
  return baseUrl.replace(/\/+$/, '') + encodePlainRequest(route, input).path
}

/** A preset, as `renditionPresets.list` returns it. `width` and `height` are of the box to fit into. */
export interface ImagePreset {
  readonly name: string
  readonly width: number | null
  readonly height: number | null
  readonly fit: 'inside' | 'cover' | 'contain'
}

/** Widths in pixels that are not rounded. */
export type ImageWidth =
  | (32 | 64 | 128 | 192 | 256 | 320 | 480 | 640)
  | (800 | 1024 | 1280 | 1600 | 1920 | 2560 | 4000 | 6000)

/** Proportions (width : height) that are not rounded. */
export type ImageRatio =
  | ('1:4' | '1:3' | '1:2' | '9:16' | '2:3' | '3:4' | '4:5' | '1:1')
  | ('5:4' | '4:3' | '3:2' | '16:9' | '2:1' | '3:1' | '4:1' | '6:1')

/** What a `srcset` offers. */
export interface SrcsetInput extends Pick<Derivation, 'format' | 'quality'> {
  /** The file: `asset` of the item. */
  readonly source: { readonly width: number | null; readonly height: number | null } | null
  /**
   * The presets to choose from. All must have the same proportions.
   *
   * @default thumbnail, small, medium and large: the whole picture, uncropped
   */
  readonly presets?: readonly ImagePreset[]
  /** Widths instead of presets. They need a token or a session. */
  readonly widths?: readonly ImageWidth[]
  /** With `widths`: crops to these proportions around the focal point. */
  readonly ratio?: ImageRatio
}

/**
 * The value of `<img srcset>`: addresses with the width in pixels that the service will make of
 * this file, narrowest first. Pictures are never enlarged, so sizes beyond the file are left out.
 * Empty if the file is not a picture. Errors: as `imageUrl`.
 * @example
 * <img src={imageUrl(baseUrl, { ...cover, rendition: 'medium' })} sizes="50vw"
 *   srcSet={srcset(baseUrl, cover, { source: item.asset })} style={{ objectPosition: objectPosition(item.asset) }} />
 */
export function srcset(baseUrl: string, asset: ImageAsset, input: SrcsetInput): string {
  const { source, presets = builtIn, widths, ratio, format, quality } = input
  const { width = null, height = null } = source ?? {}
  if (width === null || height === null) return ''
  const size = { width, height }
  const candidates = widths
    ? widths.map((wanted) => candidateOfWidth(size, wanted, ratio))
    : presets.map((preset) => ({ rendition: preset.name, pixels: widthOf(preset, size) }))
  const byWidth = new Map<number, string>()
  for (const { pixels, ...wanted } of candidates)
    if (!byWidth.has(pixels)) byWidth.set(pixels, imageUrl(baseUrl, { ...asset, ...wanted, format, quality }))
  const sorted = [...byWidth].toSorted(([a], [b]) => a - b)
  return sorted.map(([pixels, url]) => `${url} ${pixels}w`).join(', ')
}

const builtIn: readonly ImagePreset[] = /* @__PURE__ */ Object.entries({
  thumbnail: 320,
  small: 640,
  medium: 1280,
  large: 2560,
}).map(([name, side]) => ({ name, width: side, height: side, fit: 'inside' }))

interface Size {
  readonly width: number
  readonly height: number
}

function candidateOfWidth(source: Size, width: number, ratio: ImageRatio | undefined) {
  if (!ratio) return { rendition: 'original', width, pixels: Math.min(width, source.width) }
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  const height = Math.max(1, Math.round((width * down) / across))
  const pixels = Math.max(1, Math.round(Math.min(width, source.width, (source.height * across) / down)))
  return { rendition: 'original', width, height, fit: 'cover', pixels }
}

/** The width of what the service makes of a file by a preset. */
function widthOf({ width, height, fit }: ImagePreset, source: Size): number {
  if (fit !== 'inside' && width !== null && height !== null) return Math.min(width, source.width)
  const factor = Math.min(
    1,
    (width ?? source.width) / source.width,
    (height ?? source.height) / source.height,
  )
  return Math.max(1, Math.round(source.width * factor))
}

/**
 * The value of the CSS property `object-position` that keeps the focal point in view while
 * `object-fit: cover` crops the picture. The center if there is none.
 * @example
 * objectPosition(item.asset) // → '20% 40%'
 */
export function objectPosition(
  asset: { readonly focalPoint: { readonly x: number; readonly y: number } | null } | null | undefined,
): string {
  const { x, y } = asset?.focalPoint ?? { x: 0.5, y: 0.5 }
  const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
  return `${percent(x)} ${percent(y)}`
}
