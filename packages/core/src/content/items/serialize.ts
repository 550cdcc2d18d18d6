import type { Contract, Item, OutputOf } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn, type LocaleView } from '../../engine/locales.ts'
import { headTag, tagShowing } from '../../engine/if-match.ts'
import { itemBySlug } from '../locales/by-slug.ts'
import { knownTexts, textsInLocale, type ItemText } from '../locales/item-text.ts'
import { categoryNames, taxonomiesOf } from './item-json.ts'
import type { MadePreset } from '../../engine/shared.ts'
import { builtInPresets, serializeMade, type Asset } from './asset.ts'
import type { Branch, HeadState, StoredJson } from '../../ports/index.ts'

/**
 * The text before the category ids in stored JSON. Its last occurrence is the right one, because
 * ids contain no quotes.
 */
const taxonomiesStart = ',"taxonomies":['

/**
 * Whether stored JSON ends with the ids of categories. If it does not, it is sent unchanged. That
 * includes JSON that an earlier release stored, which always has an empty list there.
 */
function hasCategoryIds(text: string): boolean {
  return text.endsWith('"]}')
}

/**
 * Serializes a head: its stored JSON, with the current names of its categories on the branch being
 * read.
 */
export function serializeHead(
  call: Call,
  branch: Branch,
  head: StoredJson,
): Serialized<Item> | Promise<Serialized<Item>> {
  return serializeText(call, branch, { text: head.json, tag: headTag(head), head })
}

/** A JSON text with its entity tag, and the head whose stored JSON it is, if it is one's. */
interface TaggedText extends ItemText {
  readonly tag: string
}

/**
 * Like `serializeHead`, for any stored JSON. Returns no promise for an item without categories,
 * which is the common case.
 */
export function serializeText(
  call: Call,
  branch: Branch,
  tagged: TaggedText,
): Serialized<Item> | Promise<Serialized<Item>> {
  if (call.locales.get(branch.repositoryId) !== null) return serializeInLocale(call, branch, tagged)
  const { text, tag } = tagged
  return hasCategoryIds(text) ? serializeNamed(call, branch, { text, tag }) : new Serialized(text, tag)
}

/** Serializes the values of the locale that the call reads, whose tag depends on the locale. */
async function serializeInLocale(
  call: Call,
  branch: Branch,
  { text, tag, head }: TaggedText,
): Promise<Serialized<Item>> {
  const { repositoryId } = branch
  const isNamed = hasCategoryIds(text)
  const stored = isNamed ? await serializeNamed(call, branch, { text, tag }) : new Serialized<Item>(text, tag)
  const locales = await localesOf(call, repositoryId)
  if (locales === null) return stored
  const [read = text] = await textsInLocale(call, repositoryId, [
    { text: stored.text, ...(head && !isNamed && { head }) },
  ])
  return new Serialized(read, tagInLocale(stored.etag ?? tag, viewIn(call, locales)))
}

/** The tag of what is read in a locale; of the values of all locales without one. */
function tagInLocale(tag: string, view: LocaleView | null): string {
  return view ? `${tag}~${view.tag}` : tagShowing(tag, '*')
}

/** An item that a slug names, for a read of its text. */
export interface ReadBySlug {
  /** Its JSON may be empty if `read` is there. */
  readonly item: StoredJson | null
  /** The item in the locale that the call reads, if that is known. */
  readonly read?: Serialized<Item>
}

/** The live item that a slug names on a branch, with what is read of it, if that is known. */
export async function readBySlug(call: Call, branch: Branch, slug: string): Promise<ReadBySlug> {
  const locales = await localesOf(call, branch.repositoryId)
  const view = locales && viewIn(call, locales)
  if (!view) return { item: await itemBySlug(call, branch, { slug }) }
  const known = await knownTexts(call, view)
  const texts: string[] = []
  const hasText = (head: HeadState) => {
    const text = known.get(head)
    if (text !== undefined) texts.push(text)
    return text !== undefined
  }
  const item = await itemBySlug(call, branch, { slug, hasText })
  const [text] = texts
  if (!item || text === undefined) return { item }
  return { item, read: new Serialized(text, tagInLocale(headTag(item), view)) }
}

async function serializeNamed(
  call: Call,
  branch: Branch,
  { text, tag }: { text: string; tag: string },
): Promise<Serialized<Item>> {
  const names = await categoryNames(call, branch, categoryIdsIn(text))
  const named = withNames(text, (ids) => taxonomiesOf(ids, names))
  return new Serialized(named, tagShowing(tag, named.slice(named.lastIndexOf(taxonomiesStart))))
}

/** The JSON texts of heads, ready to send. */
export async function sentTexts(
  call: Call,
  branch: Branch,
  heads: readonly StoredJson[],
): Promise<readonly string[]> {
  const texts = await namedTexts(call, branch, heads)
  if (call.locales.get(branch.repositoryId) === null) return texts
  const named = heads.map((head, index) => ({
    text: texts[index] ?? '',
    ...(!hasCategoryIds(head.json) && { head }),
  }))
  return textsInLocale(call, branch.repositoryId, named)
}

async function namedTexts(
  call: Call,
  branch: Branch,
  heads: readonly StoredJson[],
): Promise<readonly string[]> {
  const texts = heads.map(({ json }) => json)
  const ids = texts.filter(hasCategoryIds).flatMap(categoryIdsIn)
  if (ids.length === 0) return texts
  const names = await categoryNames(call, branch, [...new Set(ids)])
  const taxonomies = (own: readonly string[]) => taxonomiesOf(own, names)
  return texts.map((text) => (hasCategoryIds(text) ? withNames(text, taxonomies) : text))
}

/** The items of heads, ready to send. */
export async function sentItems(call: Call, branch: Branch, heads: readonly StoredJson[]): Promise<Item[]> {
  const texts = await sentTexts(call, branch, heads)
  return texts.map((text): Item => JSON.parse(text))
}

/**
 * Like `sentItems`, for callers that do not modify the items: recently parsed items come from a
 * cache. Parsing 25 items takes as long as finding them.
 */
export async function cachedItems(
  call: Call,
  branch: Branch,
  heads: readonly StoredJson[],
): Promise<readonly Readonly<Item>[]> {
  const texts = await sentTexts(call, branch, heads)
  return heads.map(({ id }, index) => parseCached(call, id, texts[index] ?? ''))
}

function parseCached({ shared: { parsed } }: Call, id: string, text: string): Readonly<Item> {
  const known = parsed.get(id)
  // The text of an item differs between branches, and changes when a category is renamed.
  if (known?.text === text) return known.item
  const item: Item = JSON.parse(text)
  parsed.set(id, { text, item })
  return item
}

/** Stored JSON with the given taxonomies, which may have names of an earlier time. */
export function withTaxonomies(text: string, taxonomies: Item['taxonomies']): string {
  return hasCategoryIds(text) ? withNames(text, () => taxonomies) : text
}

function categoryIdsIn(text: string): string[] {
  return JSON.parse(text.slice(text.lastIndexOf(taxonomiesStart) + taxonomiesStart.length - 1, -1))
}

function withNames(text: string, taxonomies: (ids: readonly string[]) => Item['taxonomies']): string {
  const start = text.slice(0, text.lastIndexOf(taxonomiesStart) + taxonomiesStart.length - 1)
  return `${start}${JSON.stringify(taxonomies(categoryIdsIn(text)))}}`
}

/**
 * Remembers that a preset of a picture was generated. Items report the first format in which it was
 * generated.
 */
export function notePreset(
  { shared }: Call,
  asset: PresetSource,
  { name, ...made }: MadePreset & { readonly name: string },
): void {
  if (!builtInPresets.some((preset) => preset === name)) return
  const key = presetsKey(asset)
  const presets = shared.madePresets.get(key) ?? new Map<string, MadePreset>()
  if (!presets.has(name)) shared.madePresets.set(key, presets.set(name, made))
}

/**
 * Adds the size, format and file name of each preset that this process has generated to an item's
 * renditions.
 */
export function withMadePresets({ shared, cacheTags }: Call, serialized: Serialized<Item>): Serialized<Item> {
  if (!serialized.text.includes('"type":"preset"')) return serialized
  // Rendering a preset commits nothing.
  cacheTags?.refuse()
  if (shared.madePresets.size === 0) return serialized
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

type PresetSource = Pick<Asset, 'hash' | 'focalPoint'>

/** The cache key of an asset's presets, which depend on the file and its focal point. */
function presetsKey({ hash, focalPoint }: PresetSource): string {
  return focalPoint ? `${hash} ${focalPoint.x} ${focalPoint.y}` : hash
}

/** The answer of a list of texts. */
export function serializePage(
  texts: readonly string[],
  about: object,
): Serialized<OutputOf<Contract['items']['list']>> {
  const members = JSON.stringify(about).slice(0, -1)
  return new Serialized(`${members}${members === '{' ? '' : ','}"items":[${texts.join(',')}]}`, null)
}
