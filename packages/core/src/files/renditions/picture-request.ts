import { QuireError, type Contract, type ParsedOf, type Repository, limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import {
  cardSize,
  builtInSides,
  isPicture,
  type Asset,
  type CustomRendition,
} from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { type DerivedName, type ImageFormat, type Recipe, type StoredBlob } from '../../ports/index.ts'
import { type Negotiation, negotiatedFormat } from './negotiate-format.ts'

type Input = Omit<ParsedOf<Contract['assets']['get']>, 'configId' | 'packageName' | 'assetId'>

/** A rendition to be made: its source and its recipe. */
export interface PictureRequest {
  readonly source: StoredBlob
  readonly recipe: Recipe
}

/** A rendition to be made, with its name and key. */
export interface NamedPicture extends PictureRequest {
  /** Its recipe as one word. */
  readonly name: string
  /** Its source and recipe as one string. */
  readonly key: string
}

/** Adds the name and key: equal names mean equal renditions. */
export function namePicture(wanted: PictureRequest): NamedPicture {
  const name = recipeName(wanted.recipe)
  return { ...wanted, name, key: pictureKey({ source: wanted.source.hash, recipe: name }) }
}

/** The source and recipe of a rendition as one string. */
export function pictureKey({ source, recipe }: DerivedName): string {
  return `${source} ${recipe}`
}

/** A recipe as one word; the same for equal renditions. */
function recipeName({ width, height, fit, format, quality, focalPoint }: Recipe): string {
  const focus = focalPoint ? `_${focalPoint.x.toFixed(3)}-${focalPoint.y.toFixed(3)}` : ''
  return `${format}_${width ?? 'auto'}x${height ?? 'auto'}_${fit}_q${quality}${focus}`
}

/** The settings of a preset. */
interface PresetSettings extends Pick<Recipe, 'width' | 'height' | 'fit'> {
  readonly quality: number
  readonly format: ImageFormat | null
  readonly focal: boolean
}

const defaultQuality = 80

/**
 * The rendition to be made for a request; null when a stored file is requested unchanged. Errors:
 * `not_found` for an unknown rendition, and when no image can be made from the file; `invalid` for
 * a size that the repository does not permit.
 */
export async function findPictureRequest(
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

const asItIs: PresetSettings = {
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
async function presetNamed(call: Call, { repository }: Scope, name: string): Promise<PresetSettings> {
  const own = await call.store.records.find('renditionPreset', `name:${repository.id}/${name}`)
  if (own) return { ...own, format: own.format === 'jpg' ? 'jpeg' : own.format }
  if (name === 'card') return { ...asItIs, ...cardSize, fit: 'cover' }
  const side = Object.hasOwn(builtInSides, name) ? builtInSides[name as keyof typeof builtInSides] : undefined
  if (side === undefined) throw new QuireError('not_found', `There is no rendition "${name}" of this asset.`)
  return { ...asItIs, width: side, height: side }
}

/** Errors: `not_found` for a file from which no image can be made. */
function requirePicture(source: Asset | CustomRendition): void {
  if (isPicture(source)) return
  const message = `No renditions are made of this file (${source.mimeType}): request original.`
  throw new QuireError('not_found', message)
}

/**
 * The largest size that the repository permits. Errors: `invalid` when it does not permit custom
 * sizes, or not such a large one.
 */
function requirePermitted({ settings }: Repository, { width, height }: Input): Bounds['most'] {
  // Repositories that were stored before these settings existed do not have them.
  const { adHoc, maxWidth, maxHeight } = (settings as Partial<Repository['settings']>).assets ?? defaultLimits
  if (!adHoc)
    throw invalid([{ path: 'width', message: 'this repository does not permit custom sizes: use a preset' }])
  const over = (path: string, given: number | undefined, most: number) =>
    given !== undefined && given > most
      ? [{ path, message: `is more than the ${most} that this repository permits` }]
      : []
  const issues = [...over('width', width, maxWidth), ...over('height', height, maxHeight)]
  if (issues.length > 0) throw invalid(issues)
  return { width: maxWidth, height: maxHeight }
}

const defaultLimits = { adHoc: true, maxWidth: 4000, maxHeight: 4000 }
const defaultMost = { width: defaultLimits.maxWidth, height: defaultLimits.maxHeight }

interface RecipeInput {
  readonly input: Input
  readonly asset: Asset
  readonly format: ImageFormat
  readonly bounds: Bounds
}

/** Values of a preset are used exactly; requested values are rounded to a few steps. */
function recipeOf(preset: PresetSettings, { input, asset, format, bounds }: RecipeInput): Recipe {
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

/** The size of an image in pixels, or of the box to fill; null: derived from the other side. */
interface Box {
  readonly width: number | null
  readonly height: number | null
}

/**
 * The limits of a box: the largest size that the repository permits, and the size of the source, if
 * known.
 */
interface Bounds {
  readonly most: { readonly width: number; readonly height: number }
  readonly source: Box
}

/**
 * The box to use for a requested one. Each side is rounded up to one of 16 steps. A box to be
 * filled keeps its proportions, rounded to the nearest of 16, and its height follows from them. So
 * an image has about a hundred possible sizes, instead of one for every number requested.
 */
export function steppedBox(asked: Box, fit: Recipe['fit'], { most, source }: Bounds): Box {
  const width = asked.width && Math.min(nextStep(asked.width), most.width)
  const height = asked.height && Math.min(nextStep(asked.height), most.height)
  if (fit === 'inside' || asked.width === null || asked.height === null || width === null)
    return { width, height }
  return withinBounds({ width, ratio: nearestRatio(asked.width / asked.height) }, { most, source })
}

/** The quality to use for a requested one: rounded up to a multiple of 10. */
export function steppedQuality(asked: number): number {
  return Math.ceil(asked / 10) * 10
}

function nextStep(pixels: number): number {
  return limits.renditionSteps.find((step) => step >= pixels) ?? limits.renditionSide
}

/**
 * Compares ratios by their quotient, not their difference: 1:2 and 2:1 are equally far from 1:1.
 */
function nearestRatio(asked: number): number {
  const off = (ratio: number) => Math.abs(Math.log(ratio / asked))
  return limits.renditionRatios.reduce((best, ratio) => (off(ratio) < off(best) ? ratio : best))
}

/**
 * Images are never enlarged. A box that its source cannot fill is reduced on both sides, to keep
 * its proportions.
 */
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
