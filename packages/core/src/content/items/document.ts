import { limits, type ContentType } from '@quire/contract'
import { passagesOf } from '../types/derived.ts'
import { contentOf, type ItemContent } from './content.ts'
import { liquidWithin, renderTemplate } from '../../engine/liquid.ts'
import type { Passage, SearchDocument, Snapshot } from '../../ports/index.ts'

/** What full-text search finds an item by; of a type that is gone, what every item has. */
export function documentOf(snapshot: Snapshot, type: ContentType | null): SearchDocument {
  const { name, slug, description, categories, asset, fields } = contentOf(snapshot)
  const own = [
    { path: 'description', text: description },
    { path: 'slug', text: slug.replaceAll('-', ' ') },
    ...(asset ? [{ path: 'originalFileName', text: asset.fileName }] : []),
  ]
  const passages = searched([own, type ? passagesOf(type.fields, fields) : []])
  return { name, passages, categories, file: asset?.hash ?? null }
}

/** As many texts, in the order of the fields, as one save may put into the index; the one that comes to the end is cut. */
function searched(lists: readonly Iterable<Passage>[]): Passage[] {
  let left: number = limits.searchedText
  const stored: Passage[] = []
  for (const passages of lists) {
    for (const { path, text } of passages) {
      if (left <= 0) return stored
      if (text === '') continue
      const cost = costOf(text)
      const most = Math.floor((left * text.length) / cost)
      stored.push({ path, text: cost <= left ? text : cutAt(text, most) })
      left -= cost
    }
  }
  return stored
}

function costOf(text: string): number {
  if (isAscii.test(text)) return text.length
  return 2 * text.length + 16 * (text.match(expanding)?.length ?? 0)
}

// Signs that stand for up to eighteen letters, as they are sought.
const expanding = /[\u3300-\u33ff\ufdfa\ufdfb]/g

const isAscii = /^[\0-\x7f]*$/

/** A text cut where a word ends, if one ends near there. */
function cutAt(text: string, most: number): string {
  const start = Math.max(0, most - longestEnd)
  const gap = text.slice(start, most).search(/\s\S*$/)
  return gap === -1 ? text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '') : text.slice(0, start + gap)
}

const longestEnd = 64

/** Bounds of a render (DESIGN "Repositories and content types"). */
const bounds = { parseLimit: 65_536, renderLimit: 50, memoryLimit: 1_000_000 }

/**
 * The HTML card of an item, from its type's Liquid template; null without one. Values are escaped unless the template says
 * `raw`; files, includes and prototypes are out of reach. A template that fails gives no card: a save never fails for its preview.
 */
export async function renderCard(type: ContentType, content: ItemContent): Promise<string | null> {
  const { cardTemplate } = type.settings
  if (cardTemplate === null) return null
  const engine = await liquidWithin(bounds, { escape: true })
  try {
    return await renderTemplate(engine, cardTemplate, { item: { ...content, type: type.name } })
  } catch {
    return null
  }
}
