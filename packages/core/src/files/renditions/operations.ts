import { type Contract, type Item, type OutputOf, type ParsedOf, QuireError } from '@quire/contract'
import { assetOf } from '../assets/find.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import {
  assetPath,
  builtInPresets,
  isPicture,
  serializeCustom,
  serializeMade,
  serializePreset,
  type Asset,
  type CustomRendition,
} from '../../content/items/asset.ts'
import { type Scope } from '../../engine/scope.ts'
import { imageFormats, type ImageFormat } from '../../ports/index.ts'
import { madePicture } from './derive.ts'
import { findPictureRequest } from './picture-request.ts'
import { assetOfFile } from '../assets/received-file.ts'
import { saveFile } from '../assets/create.ts'
import type { Serialized } from '../../engine/answer.ts'
import { invalid } from '../../engine/check-input.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import type { ItemTarget } from '../../content/items/find.ts'

type List = Contract['renditions']['list']

/**
 * Everything that can be downloaded of an asset: its original, custom renditions, and for an image
 * every preset, with its size if it has been made. Errors: `not_found`, `forbidden`; `unavailable`
 * when the storage cannot be reached.
 */
async function listRenditions(
  call: Call,
  _input: ParsedOf<List>,
  target: ItemTarget,
): Promise<OutputOf<List>> {
  const { scope, head, asset } = await assetOf(call, target, { key: 'assets.read' })
  const path = assetPath({
    repositoryId: head.repositoryId,
    packageName: scope.package?.name ?? null,
    id: head.id,
  })
  const unknown = { width: null, height: null }
  const { width, height, fileName } = asset
  const { extension: format, mimeType, size } = asset
  const original = {
    name: 'original',
    type: 'original' as const,
    format,
    mimeType,
    size,
    fileName,
    width,
    height,
  }
  const presets = isPicture(asset) ? await presetsOf(call, scope.repository.id) : []
  const named = new Set(asset.renditions.map(({ name }) => name))
  const items = [
    { ...original, url: `${path}/original` },
    ...asset.renditions.map((made) => ({
      ...serializeCustom(made, { path, fileName }),
      width: made.width,
      height: made.height,
    })),
    ...(await Promise.all(
      presets
        .filter(({ name }) => !named.has(name))
        .map(async (preset) => ({
          ...(await presetAsMade(call, preset, { scope, asset, path })),
          ...unknown,
        })),
    )),
  ]
  return { count: items.length, items }
}

interface ListedPreset {
  readonly name: string
  /** Null: the best one that the caller accepts. */
  readonly format: ImageFormat | null
}

async function presetsOf(call: Call, repositoryId: string): Promise<ListedPreset[]> {
  const all = await call.store.records.list('renditionPreset')
  const own = all.filter((preset) => preset.repositoryId === repositoryId)
  return [
    ...builtInPresets.map((name) => ({ name, format: null })),
    ...own.map(({ name, format }) => ({ name, format: format === 'jpg' ? ('jpeg' as const) : format })),
  ]
}

/**
 * A preset with the size of its rendition. Of several formats it is the one for callers who accept
 * everything, or the first that was made.
 */
async function presetAsMade(
  call: Call,
  { name, format }: ListedPreset,
  { scope, asset, path }: { scope: Scope; asset: Asset; path: string },
): Promise<Item['renditions'][number]> {
  const preset = serializePreset(name, { path, asset })
  const requestAs = (asked?: ImageFormat) =>
    findPictureRequest(
      { ...call, accept: undefined },
      { scope, asset },
      { input: { rendition: name, ...(asked && { format: asked }) }, made: undefined },
    )
  const all = format ? [await requestAs()] : await Promise.all([requestAs(), ...imageFormats.map(requestAs)])
  const made = await Promise.all(
    all
      .filter((wanted) => wanted !== null)
      .map(async ({ source, recipe }) => ({ recipe, picture: await madePicture(call, { source, recipe }) })),
  )
  const stored = made.find(({ picture }) => picture !== null)
  const visible = stored?.recipe.format ?? format
  return visible ? serializeMade(preset, { format: visible, size: stored?.picture?.size }) : preset
}

type Group = Contract['renditions']

// More renditions should be items of their own; each is part of every version of the asset.
const mostCustom = 50

/**
 * Adds a custom rendition to an asset, replacing one of the same name. Errors: `not_found`,
 * `forbidden`, `invalid`, `precondition_failed`.
 */
async function uploadRendition(
  call: WriteCall,
  input: ParsedOf<Group['upload']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  const { hash, size, mimeType, extension, width, height } = assetOfFile(input.file)
  const made: CustomRendition = {
    name: requireCustomName(input),
    hash,
    size,
    mimeType,
    extension,
    width,
    height,
  }
  return changeRenditions(call, target, { name: made.name, change: (others) => [...others, made] })
}

/**
 * Removes a custom rendition. Errors: `not_found`, also when there is none of that name;
 * `forbidden`, `precondition_failed`.
 */
async function removeRendition(
  call: WriteCall,
  { rendition: name }: ParsedOf<Group['remove']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  return changeRenditions(call, target, {
    name,
    change(others, asset) {
      if (others.length < asset.renditions.length) return others
      throw new QuireError('not_found', `There is no custom rendition "${name}" of this asset.`)
    },
  })
}

function requireCustomName({ rendition }: { rendition: string }): string {
  if (rendition !== 'original') return rendition
  throw invalid([{ path: 'rendition', message: 'is the file itself: use PUT …/content to replace it' }])
}

interface RenditionChange {
  readonly name: string
  /** Gets the custom renditions with other names. */
  readonly change: (others: readonly CustomRendition[], asset: Asset) => readonly CustomRendition[]
}

/** Saves an asset with other custom renditions. */
async function changeRenditions(
  call: WriteCall,
  target: ItemTarget,
  { name, change }: RenditionChange,
): Promise<Serialized<Item>> {
  const saved = await saveFile(call, target, (asset) => {
    if (!asset) throw new QuireError('not_found', 'This item has no file.')
    const others = asset.renditions.filter((one) => one.name !== name)
    const renditions = change(others, asset)
    if (renditions.length > mostCustom)
      throw invalid([{ path: 'rendition', message: `an asset has at most ${mostCustom} custom renditions` }])
    return { ...asset, renditions }
  })
  return serializeHead(call, target.scope.branch, saved)
}

export { removeRendition as remove, uploadRendition as upload, listRenditions as list }
