import type { Item } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { tagShowing } from '../../engine/head-tag.ts'
import type { MadePreset } from '../../engine/shared.ts'
import { builtInPresets, serializeMade, type Asset } from './asset.ts'

/** Notes that a preset was made of a picture. The first format that it was made in is what items say. */
export function notePreset(
  { shared }: Call,
  asset: PictureOf,
  { name, ...made }: MadePreset & { readonly name: string },
): void {
  if (!builtInPresets.some((preset) => preset === name)) return
  const key = presetsKey(asset)
  const presets = shared.madePresets.get(key) ?? new Map<string, MadePreset>()
  if (!presets.has(name)) shared.madePresets.set(key, presets.set(name, made))
}

/** An item whose renditions say the bytes, the format and the file name of each preset that this process knows to be made. */
export function withMadePresets({ shared }: Call, serialized: Serialized<Item>): Serialized<Item> {
  if (shared.madePresets.size === 0 || !serialized.text.includes('"type":"preset"')) return serialized
  const item = serialized.value()
  const made = item.asset && shared.madePresets.get(presetsKey(item.asset))
  if (!made) return serialized
  const renditions = item.renditions.map((rendition) => asMade(rendition, made))
  const tag = serialized.etag === null ? null : tagShowing(serialized.etag, JSON.stringify(renditions))
  return new Serialized(JSON.stringify({ ...item, renditions }), tag)
}

type Rendition = Item['renditions'][number]

function asMade(rendition: Rendition, presets: ReadonlyMap<string, MadePreset>): Rendition {
  const made = rendition.type === 'preset' ? presets.get(rendition.name) : undefined
  return made ? serializeMade(rendition, made) : rendition
}

type PictureOf = Pick<Asset, 'hash' | 'focalPoint'>

/** Presets depend on the file and on its focal point. */
function presetsKey({ hash, focalPoint }: PictureOf): string {
  return focalPoint ? `${hash} ${focalPoint.x} ${focalPoint.y}` : hash
}
