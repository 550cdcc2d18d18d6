import type { JsonObject } from '../ports/index.ts'
import type { OutgoingWebhook } from './outgoing.ts'

/** The data of an item's event: without its card preview, and with the text of its file only where the webhook includes it (specification 6.3.4). */
export function itemData(
  item: JsonObject,
  { includeText, text }: { includeText: boolean; text: string | null },
): JsonObject {
  const data = deliveredData(item, { includeText: false })
  return includeText ? { ...data, text } : data
}

/** Data as a webhook is sent it now: what it was queued with may hold a text that it no longer includes. */
export function deliveredData(
  data: JsonObject,
  { includeText }: Pick<OutgoingWebhook, 'includeText'>,
): JsonObject {
  const { cardPreview: _cardPreview, ...rest } = data
  if (includeText) return rest
  const { text: _text, ...others } = rest
  return others
}
