import type { Item } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag, tagShowing } from '../../engine/head-tag.ts'
import { categoryNames, taxonomiesOf } from './item-json.ts'
import type { MadePreset } from '../../engine/shared.ts'
import { builtInPresets, serializeMade, type Asset } from './asset.ts'
import type { Branch, StoredJson } from '../../ports/index.ts'

/** What stands before the category ids in a kept presentation. It is the last of its kind: ids hold no quotes. */
const state = ',"taxonomies":['

/**
 * Whether a kept presentation ends with ids of categories. Without, it is what is sent; so is one of a version before, in which nothing but
 * an empty list stood there.
 */
function isCategorized(text: string): boolean {
  return text.endsWith('"]}')
}

/** A head as it is sent: the text that was written with it, with what its categories are called now on the branch that is read. */
export function serializeHead(
  call: Call,
  branch: Branch,
  head: StoredJson,
): Serialized<Item> | Promise<Serialized<Item>> {
  const text = head.json
  return serializeText(call, branch, { text, tag: headTag(head) })
}

/** The same for any kept text. Not async: most items have no categories, and read at once. */
export function serializeText(
  call: Call,
  branch: Branch,
  { text, tag }: { text: string; tag: string },
): Serialized<Item> | Promise<Serialized<Item>> {
  return isCategorized(text) ? serializeNamed(call, branch, { text, tag }) : new Serialized(text, tag)
}

async function serializeNamed(
  call: Call,
  branch: Branch,
  { text, tag }: { text: string; tag: string },
): Promise<Serialized<Item>> {
  const names = await categoryNames(call, branch, categoryIdsIn(text))
  const named = withNames(text, (ids) => taxonomiesOf(ids, names))
  return new Serialized(named, tagShowing(tag, named.slice(named.lastIndexOf(state))))
}

/** The texts of heads as they are sent. */
export async function sentTexts(
  call: Call,
  branch: Branch,
  heads: readonly StoredJson[],
): Promise<readonly string[]> {
  const texts = heads.map(({ json }) => json)
  const ids = texts.filter(isCategorized).flatMap(categoryIdsIn)
  if (ids.length === 0) return texts
  const names = await categoryNames(call, branch, [...new Set(ids)])
  const taxonomies = (own: readonly string[]) => taxonomiesOf(own, names)
  return texts.map((text) => (isCategorized(text) ? withNames(text, taxonomies) : text))
}

/** Heads as they are sent. */
export async function sentItems(call: Call, branch: Branch, heads: readonly StoredJson[]): Promise<Item[]> {
  const texts = await sentTexts(call, branch, heads)
  return texts.map((text): Item => JSON.parse(text))
}

/** The same for whoever only reads them: what was parsed lately is not parsed again. To parse 25 items takes as long as to find them. */
export async function knownItems(
  call: Call,
  branch: Branch,
  heads: readonly StoredJson[],
): Promise<readonly Readonly<Item>[]> {
  const texts = await sentTexts(call, branch, heads)
  return heads.map(({ id }, index) => parsedOnce(call, id, texts[index] ?? ''))
}

function parsedOnce({ shared: { parsed } }: Call, id: string, text: string): Readonly<Item> {
  const known = parsed.get(id)
  // The same item reads otherwise on another branch, and when a category has another name.
  if (known?.text === text) return known.item
  const item: Item = JSON.parse(text)
  parsed.set(id, { text, item })
  return item
}

/** Any kept text, with what its categories were called at some time. */
export function namedAs(text: string, taxonomies: Item['taxonomies']): string {
  return isCategorized(text) ? withNames(text, () => taxonomies) : text
}

function categoryIdsIn(text: string): string[] {
  return JSON.parse(text.slice(text.lastIndexOf(state) + state.length - 1, -1))
}

function withNames(text: string, taxonomies: (ids: readonly string[]) => Item['taxonomies']): string {
  const start = text.slice(0, text.lastIndexOf(state) + state.length - 1)
  return `${start}${JSON.stringify(taxonomies(categoryIdsIn(text)))}}`
}

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
