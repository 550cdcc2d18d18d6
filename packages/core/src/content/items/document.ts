import { limits, type ContentType } from '@quire/contract'
import { definitionOf } from '../locales/fields.ts'
import { passagesIn } from '../locales/search.ts'
import { contentOf, type ItemContent } from './content.ts'
import { liquidWithin, renderTemplate } from '../../engine/liquid.ts'
import { defaultValues } from '../locales/read.ts'
import type { Passage, SearchDocument, Snapshot } from '../../ports/index.ts'

/**
 * The document that full-text search indexes for an item. Without a type it has only the texts that
 * every item has.
 */
export function documentOf(snapshot: Snapshot, type: ContentType | null): SearchDocument {
  const { name, slug, description, categories, asset, fields } = contentOf(snapshot)
  const own = [
    { path: 'description', text: description },
    { path: 'slug', text: slug.replaceAll('-', ' ') },
    ...(asset ? [{ path: 'originalFileName', text: asset.fileName }] : []),
  ]
  const passages = limitPassages([own, type ? passagesIn(type, fields) : []])
  const { locales } = (type && definitionOf(type)) ?? {}
  return {
    name,
    passages,
    categories,
    file: asset?.hash ?? null,
    ...(locales && { locales: locales.list.map(({ code }) => code) }),
  }
}

/**
 * The first texts that fit the limit of what one save may index. The last of them is cut at the
 * limit.
 */
function limitPassages(lists: readonly Iterable<Passage>[]): Passage[] {
  let left: number = limits.searchedText
  const stored: Passage[] = []
  for (const passages of lists) {
    for (const { text, ...passage } of passages) {
      if (left <= 0) return stored
      if (text === '') continue
      const cost = costOf(text)
      const max = Math.floor((left * text.length) / cost)
      stored.push({ ...passage, text: cost <= left ? text : cutAt(text, max) })
      left -= cost
    }
  }
  return stored
}

function costOf(text: string): number {
  if (isAscii.test(text)) return text.length
  return 2 * text.length + 16 * (text.match(expanding)?.length ?? 0)
}

// Characters that expand to up to eighteen letters when text is normalized for search.
const expanding = /[\u3300-\u33ff\ufdfa\ufdfb]/g

const isAscii = /^[\0-\x7f]*$/

/** Cuts a text at the limit, or at the end of a word shortly before it. */
function cutAt(text: string, max: number): string {
  const start = Math.max(0, max - longestEnd)
  const gap = text.slice(start, max).search(/\s\S*$/)
  return gap === -1 ? text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '') : text.slice(0, start + gap)
}

// Characters before the limit in which a word end is looked for.
const longestEnd = 64

/** Limits of rendering a card (DESIGN "Repositories and content types"). */
const bounds = { parseLimit: 65_536, renderLimit: 50, memoryLimit: 1_000_000 }

/**
 * Renders the HTML card of an item with its type's Liquid template. Values are escaped unless the
 * template uses `raw`; templates cannot access files, includes or prototypes. Returns null without
 * a template or if it fails: a save never fails because of its card.
 */
export async function renderCard(type: ContentType, content: ItemContent): Promise<string | null> {
  const { cardTemplate } = type.settings
  if (cardTemplate === null) return null
  const engine = await liquidWithin(bounds, { escape: true })
  try {
    const item = { ...content, fields: defaultValues(type, content.fields), type: type.name }
    return await renderTemplate(engine, cardTemplate, { item })
  } catch {
    return null
  }
}
