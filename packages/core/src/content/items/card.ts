import type { ContentType } from '@quire/contract'
import { liquidWithin, renderTemplate } from '../../engine/liquid.ts'
import type { ItemContent } from './content.ts'

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
