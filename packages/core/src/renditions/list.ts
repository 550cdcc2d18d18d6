import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { findAsset } from '../assets/find.ts'
import type { Call } from '../call/call.ts'
import { assetPath, builtInPresets, isPicture, presentCustom, presentPreset } from '../items/asset.ts'

type List = Contract['renditions']['list']

/** What can be fetched of an asset: its original, hand-made renditions, and for a picture every preset. Errors: `not_found`, `forbidden`. */
export async function listRenditions(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const { place, head, asset } = await findAsset(call, input, 'assets.read')
  const path = assetPath({
    repositoryId: head.repositoryId,
    packageName: place.package?.name ?? null,
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
  const presets = isPicture(asset) ? await presetNames(call, place.repository.id) : []
  const named = new Set(asset.renditions.map(({ name }) => name))
  const items = [
    { ...original, url: `${path}/original` },
    ...asset.renditions.map((made) => ({
      ...presentCustom(made, { path, fileName }),
      width: made.width,
      height: made.height,
    })),
    ...presets
      .filter((name) => !named.has(name))
      .map((name) => ({ ...presentPreset(name, { path, asset }), ...unknown })),
  ]
  return { count: items.length, items }
}

async function presetNames(call: Call, repositoryId: string): Promise<string[]> {
  const all = await call.store.records.list('renditionPreset')
  const own = all.filter((preset) => preset.repositoryId === repositoryId).map(({ name }) => name)
  return [...builtInPresets, ...own]
}
