import { QuireError, type Contract, type ParsedOf, type Repository } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { builtInSides, cardSize, isPicture, type Asset, type CustomRendition } from '../items/asset.ts'
import type { Place } from '../lines/lines.ts'
import type { ImageFormat, Recipe, StoredBlob } from '../ports/index.ts'
import { negotiatedFormat, type Negotiation } from './format.ts'

type Input = Omit<ParsedOf<Contract['assets']['get']>, 'configId' | 'packageName' | 'assetId'>

/** A picture to be made: of what, and how. */
export interface WantedPicture {
  readonly source: StoredBlob
  readonly recipe: Recipe
}

/** A wanted picture with what it is known by. */
export interface NamedPicture extends WantedPicture {
  /** Its recipe as one word. */
  readonly name: string
  /** Its source and its recipe as one. */
  readonly key: string
  /** The blob that was found missing or damaged, and when, in Unix ms: it is to be put anew. */
  readonly lost?: { readonly hash: string; readonly at: number }
}

/** The same picture by name: equal names for equal pictures. */
export function nameWanted(wanted: WantedPicture): NamedPicture {
  const name = recipeName(wanted.recipe)
  return { ...wanted, name, key: `${wanted.source.hash} ${name}` }
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
  { place, asset }: { place: Place; asset: Asset },
  { input, made }: { input: Input; made: CustomRendition | undefined },
): Promise<WantedPicture | null> {
  const isOwn = made !== undefined || input.rendition === 'original'
  const isChanged = isMeasured(input) || input.format !== undefined
  if (isOwn && !isChanged) return null
  const preset = isOwn ? asItIs : await presetNamed(call, place, input.rendition)
  requirePicture(made ?? asset)
  if (isMeasured(input)) requirePermitted(place.repository, input)
  const format = formatFor(call, { asked: input.format ?? preset.format ?? undefined, asset, made })
  return { source: made ?? asset, recipe: recipeOf(preset, { input, asset, format }) }
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
async function presetNamed(call: Call, { repository }: Place, name: string): Promise<Size> {
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

/** Errors: `invalid` when the repository makes no renditions to measure, or none so large. */
function requirePermitted({ settings }: Repository, { width, height }: Input): void {
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
}

const defaultLimits = { adHoc: true, maxWidth: 4000, maxHeight: 4000 }

function recipeOf(
  preset: Size,
  { input, asset, format }: { input: Input; asset: Asset; format: ImageFormat },
): Recipe {
  const fit = input.fit ?? preset.fit
  const isSized = input.width !== undefined || input.height !== undefined
  return {
    width: isSized ? (input.width ?? null) : preset.width,
    height: isSized ? (input.height ?? null) : preset.height,
    fit,
    format,
    quality: input.quality ?? preset.quality,
    focalPoint: fit === 'cover' && preset.focal ? asset.focalPoint : null,
  }
}
