import type { Item } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { headTag, tagShowing } from '../call/head-tag.ts'
import type { Line, PresentedEntity } from '../ports/index.ts'
import { categoryNames, taxonomiesOf } from './category-names.ts'

/** What stands before the category ids in a kept presentation. It is the last of its kind: ids hold no quotes. */
const mark = ',"taxonomies":['

/**
 * Whether a kept presentation ends with ids of categories. Without, it is what is sent; so is one of a version before, in which nothing but
 * an empty list stood there.
 */
function isCategorized(text: string): boolean {
  return text.endsWith('"]}')
}

/** A head as it is sent: the text that was written with it, with what its categories are called now on the line that is read. */
export function presentHead(
  call: Call,
  line: Line,
  head: PresentedEntity,
): Presented<Item> | Promise<Presented<Item>> {
  const text = head.presentation
  return presentText(call, line, { text, tag: headTag(head) })
}

/** The same for any kept text. Not async: most items have no categories, and read at once. */
export function presentText(
  call: Call,
  line: Line,
  { text, tag }: { text: string; tag: string },
): Presented<Item> | Promise<Presented<Item>> {
  return isCategorized(text) ? presentNamed(call, line, { text, tag }) : new Presented(text, tag)
}

async function presentNamed(
  call: Call,
  line: Line,
  { text, tag }: { text: string; tag: string },
): Promise<Presented<Item>> {
  const names = await categoryNames(call, line, categoryIdsIn(text))
  const named = withNames(text, (ids) => taxonomiesOf(ids, names))
  return new Presented(named, tagShowing(tag, named.slice(named.lastIndexOf(mark))))
}

/** The texts of heads as they are sent. */
export async function sentTexts(
  call: Call,
  line: Line,
  heads: readonly PresentedEntity[],
): Promise<readonly string[]> {
  const texts = heads.map(({ presentation }) => presentation)
  const ids = texts.filter(isCategorized).flatMap(categoryIdsIn)
  if (ids.length === 0) return texts
  const names = await categoryNames(call, line, [...new Set(ids)])
  const taxonomies = (own: readonly string[]) => taxonomiesOf(own, names)
  return texts.map((text) => (isCategorized(text) ? withNames(text, taxonomies) : text))
}

/** Heads as they are sent. */
export async function sentItems(call: Call, line: Line, heads: readonly PresentedEntity[]): Promise<Item[]> {
  const texts = await sentTexts(call, line, heads)
  return texts.map((text): Item => JSON.parse(text))
}

/** The same for who only reads them: what was parsed lately is not parsed again. To parse 25 items takes as long as to find them. */
export async function knownItems(
  call: Call,
  line: Line,
  heads: readonly PresentedEntity[],
): Promise<readonly Readonly<Item>[]> {
  const texts = await sentTexts(call, line, heads)
  return heads.map(({ id }, index) => parsedOnce(call, id, texts[index] ?? ''))
}

function parsedOnce({ shared: { parsed } }: Call, id: string, text: string): Readonly<Item> {
  const known = parsed.get(id)
  // The same item reads otherwise on another line, and when a category has another name.
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
  return JSON.parse(text.slice(text.lastIndexOf(mark) + mark.length - 1, -1))
}

function withNames(text: string, taxonomies: (ids: readonly string[]) => Item['taxonomies']): string {
  const start = text.slice(0, text.lastIndexOf(mark) + mark.length - 1)
  return `${start}${JSON.stringify(taxonomies(categoryIdsIn(text)))}}`
}
