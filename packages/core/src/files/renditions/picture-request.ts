import { QuireError, type Contract, type ParsedOf, type Repository, limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import {
  builtInSides,
  cardSize,
  isPicture,
  type Asset,
  type CustomRendition,
} from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import {
  type DerivedName,
  type ImageFormat,
  type Recipe,
  type StoredBlob,
  imageFormats,
} from '../../ports/index.ts'

type Input = Omit<ParsedOf<Contract['assets']['get']>, 'configId' | 'packageName' | 'assetId'>

/** A picture to be made: of what, and how. */
export interface PictureRequest {
  readonly source: StoredBlob
  readonly recipe: Recipe
}

/** A wanted picture with what it is known by. */
export interface NamedPicture extends PictureRequest {
  /** Its recipe as one word. */
  readonly name: string
  /** Its source and its recipe as one. */
  readonly key: string
}

/** The same picture by name: equal names for equal pictures. */
export function nameWanted(wanted: PictureRequest): NamedPicture {
  const name = recipeName(wanted.recipe)
  return { ...wanted, name, key: pictureKey({ source: wanted.source.hash, recipe: name }) }
}

/** The source and the recipe of a picture as one. */
export function pictureKey({ source, recipe }: DerivedName): string {
  return `${source} ${recipe}`
}

/** A recipe as one word: the same for the same pictures. */
function recipeName({ width, height, fit, format, quality, focalPoint }: Recipe): string {
  const focus = focalPoint ? `_${focalPoint.x.toFixed(3)}-${focalPoint.y.toFixed(3)}` : ''
  return `${format}_${width ?? 'auto'}x${height ?? 'auto'}_${fit}_q${quality}${focus}`
}

/** What a preset says. */
interface Size extends Pick<Recipe, 'width' | 'height' | 'fit'> {
  readonly quality: number
  readonly format: ImageFormat | null
  readonly focal: boolean
}

const defaultQuality = 80

/**
 * The picture that has to be made for a request; null where what is kept is what is asked for.
 * Errors: `not_found` for an unknown rendition, and where no picture can be made of the file; `invalid` for a size that the repository does not permit.
 */
export async function wantedPicture(
  call: Call,
  { scope, asset }: { scope: Scope; asset: Asset },
  { input, made }: { input: Input; made: CustomRendition | undefined },
): Promise<PictureRequest | null> {
  const isOwn = made !== undefined || input.rendition === 'original'
  const isChanged = isMeasured(input) || input.format !== undefined
  if (isOwn && !isChanged) return null
  const preset = isOwn ? asItIs : await presetNamed(call, scope, input.rendition)
  requirePicture(made ?? asset)
  const most = isMeasured(input) ? requirePermitted(scope.repository, input) : defaultMost
  const source = made ?? asset
  const format = formatFor(call, { asked: input.format ?? preset.format ?? undefined, asset, made })
  const bounds = { most, source }
  return { source, recipe: recipeOf(preset, { input, asset, format, bounds }) }
}

function formatFor(
  { accept }: Call,
  { asked, asset, made }: { asked: Negotiation['asked']; asset: Asset; made: CustomRendition | undefined },
): ImageFormat {
  const { mimeType } = made ?? asset
  return negotiatedFormat({ accept, asked, mimeType, pages: made ? 1 : (asset.pages ?? 1) })
}

const asItIs: Size = {
  width: null,
  height: null,
  fit: 'inside',
  quality: defaultQuality,
  format: null,
  focal: true,
}

function isMeasured({ width, height, fit, quality }: Input): boolean {
  return [width, height, fit, quality].some((member) => member !== undefined)
}

/** A built-in preset or one of the repository. Errors: `not_found`. */
async function presetNamed(call: Call, { repository }: Scope, name: string): Promise<Size> {
  const own = await call.store.records.find('renditionPreset', `name:${repository.id}/${name}`)
  if (own) return { ...own, format: own.format === 'jpg' ? 'jpeg' : own.format }
  if (name === 'card') return { ...asItIs, ...cardSize, fit: 'cover' }
  const side = Object.hasOwn(builtInSides, name) ? builtInSides[name as keyof typeof builtInSides] : undefined
  if (side === undefined) throw new QuireError('not_found', `There is no rendition "${name}" of this asset.`)
  return { ...asItIs, width: side, height: side }
}

/** Errors: `not_found` for a file that no picture can be made of. */
function requirePicture(source: Asset | CustomRendition): void {
  if (isPicture(source)) return
  const message = `No renditions are made of this file (${source.mimeType}): ask for original.`
  throw new QuireError('not_found', message)
}

/** The most pixels that the repository permits. Errors: `invalid` when it makes no renditions to measure, or none so large. */
function requirePermitted({ settings }: Repository, { width, height }: Input): Bounds['most'] {
  // Repositories that were kept before these settings came have none of them.
  const { adHoc, maxWidth, maxHeight } = (settings as Partial<Repository['settings']>).assets ?? defaultLimits
  if (!adHoc)
    throw invalid([
      { path: 'width', message: 'this repository makes no renditions to measure: use a preset' },
    ])
  const over = (path: string, given: number | undefined, most: number) =>
    given !== undefined && given > most
      ? [{ path, message: `is more than the ${most} of this repository` }]
      : []
  const issues = [...over('width', width, maxWidth), ...over('height', height, maxHeight)]
  if (issues.length > 0) throw invalid(issues)
  return { width: maxWidth, height: maxHeight }
}

const defaultLimits = { adHoc: true, maxWidth: 4000, maxHeight: 4000 }
const defaultMost = { width: defaultLimits.maxWidth, height: defaultLimits.maxHeight }

interface Measuring {
  readonly input: Input
  readonly asset: Asset
  readonly format: ImageFormat
  readonly bounds: Bounds
}

/** What a preset says is exact; what a request says is one of a few. */
function recipeOf(preset: Size, { input, asset, format, bounds }: Measuring): Recipe {
  const fit = input.fit ?? preset.fit
  const { width = null, height = null } = input
  const isSized = width !== null || height !== null
  return {
    ...(isSized
      ? steppedBox({ width, height }, fit, bounds)
      : { width: preset.width, height: preset.height }),
    fit,
    format,
    quality: input.quality === undefined ? preset.quality : steppedQuality(input.quality),
    focalPoint: fit === 'cover' && preset.focal ? asset.focalPoint : null,
  }
}

/** What decides the format of a picture. */
interface Negotiation {
  /** The header `Accept`; undefined: everything. */
  readonly accept: string | undefined
  /** The format that a request or a preset names. */
  readonly asked: ImageFormat | 'jpg' | undefined
  /** What the source is. */
  readonly mimeType: string
  readonly pages: number
}

/**
 * The format that was asked for, else of those that the caller names, and of the source's own where a range as `image/*` takes it, the one of the
 * highest weight: AVIF before WebP, JPEG and PNG of the same weight. Animations are WebP or lose their motion: there WebP is first and AVIF last.
 * Who takes none of these gets JPEG, and PNG of a GIF. A format of weight 0 is never given, unless all have it.
 */
export function negotiatedFormat({ accept = '*/*', asked, mimeType, pages }: Negotiation): ImageFormat {
  if (asked) return asked === 'jpg' ? 'jpeg' : asked
  const ranges = rangesOf(accept)
  const isAnimated = pages > 1 && ['image/gif', 'image/webp'].includes(mimeType)
  const own = isAnimated ? 'webp' : ownFormat(mimeType)
  const [best] = (isAnimated ? forAnimations : imageFormats)
    .filter((format) => format === own || ranges.has(`image/${format}`))
    .map((format) => ({ format, weight: weightOf(ranges, format) ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return best?.format ?? untakenFormat(ranges, mimeType)
}

/** The first that is not refused of those that every program reads, then of the others. */
function untakenFormat(ranges: Ranges, mimeType: string): ImageFormat {
  const usual = usualFormat(mimeType)
  const others = ['jpeg', 'png', 'webp', 'avif'] as const satisfies ImageFormat[]
  return [usual, ...others].find((format) => weightOf(ranges, format) !== 0) ?? usual
}

const forAnimations = ['webp', 'jpeg', 'png', 'avif'] as const satisfies ImageFormat[]

function ownFormat(mimeType: string): ImageFormat {
  return imageFormats.find((format) => mimeType === `image/${format}`) ?? usualFormat(mimeType)
}

/** A GIF may be transparent. */
function usualFormat(mimeType: string): ImageFormat {
  return mimeType === 'image/gif' ? 'png' : 'jpeg'
}

type Ranges = ReadonlyMap<string, number>

/** The weight of the most specific range that a format is in (RFC 9110 §12.5.1); undefined: it is in none. */
function weightOf(ranges: Ranges, format: ImageFormat): number | undefined {
  return ranges.get(`image/${format}`) ?? ranges.get('image/*') ?? ranges.get('*/*')
}

/** The media ranges of `Accept` with their weights. */
function rangesOf(accept: string): Ranges {
  const ranges = new Map<string, number>()
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (type !== '') ranges.set(type, weightIn(parameters))
  }
  return ranges
}

/** 1 where none is given, and where it is none: 0 to 1 with three decimals at most (RFC 9110 §12.4.2). */
function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
}

/** Pixels of a picture, or of the box that it is to fill; null: as the other side asks for. */
interface Box {
  readonly width: number | null
  readonly height: number | null
}

/** What bounds a box: the most that the repository permits, and the source, where its size is known. */
interface Bounds {
  readonly most: { readonly width: number; readonly height: number }
  readonly source: Box
}

/**
 * The box that stands for one that was asked for. Each side is the next of the 16 steps; a box that is filled keeps its proportions instead, the nearest
 * of 16: its height follows. So a picture has some hundred sizes however many are asked for, and not one for each number.
 */
export function steppedBox(asked: Box, fit: Recipe['fit'], { most, source }: Bounds): Box {
  const width = asked.width && Math.min(nextStep(asked.width), most.width)
  const height = asked.height && Math.min(nextStep(asked.height), most.height)
  if (fit === 'inside' || asked.width === null || asked.height === null || width === null)
    return { width, height }
  return withinBounds({ width, ratio: nearestRatio(asked.width / asked.height) }, { most, source })
}

/** The quality that stands for one that was asked for: the next of 10, 20 to 100. */
export function steppedQuality(asked: number): number {
  return Math.ceil(asked / 10) * 10
}

function nextStep(pixels: number): number {
  return limits.renditionSteps.find((step) => step >= pixels) ?? limits.renditionSide
}

/** By how many times it is off, not by how much: 1:2 and 2:1 are as far from 1:1. */
function nearestRatio(asked: number): number {
  const off = (ratio: number) => Math.abs(Math.log(ratio / asked))
  return limits.renditionRatios.reduce((best, ratio) => (off(ratio) < off(best) ? ratio : best))
}

/** No picture is enlarged: a box that its source does not fill becomes smaller as a whole, since a side alone would change its proportions. */
function withinBounds(
  { width, ratio }: { readonly width: number; readonly ratio: number },
  { most, source }: Bounds,
): Box {
  const widest = Math.min(
    width,
    most.height * ratio,
    source.width ?? width,
    (source.height ?? most.height) * ratio,
  )
  return { width: Math.max(1, Math.round(widest)), height: Math.max(1, Math.round(widest / ratio)) }
}
