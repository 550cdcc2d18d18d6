import type { Contract, Item, JournalEvent, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace } from '../lines/lines.ts'
import { typeOf } from '../types/find.ts'
import { contentOf } from './content.ts'
import { findItem, requireOnItem } from './find.ts'
import { presentHead } from './show.ts'
import { saveItem } from './save.ts'

type Input = ParsedOf<Contract['items']['categorize']>

/** Adds a category; one that the item has changes nothing. Errors: `not_found`, `forbidden`, `invalid` for no category. */
export function categorizeItem(call: Call, input: Input): Promise<Presented<Item>> {
  return recategorize(call, input, {
    event: 'ITEM_CATEGORIZED',
    change: (categories) => [...categories.filter((id) => id !== input.categoryId), input.categoryId],
    isDone: (categories) => categories.includes(input.categoryId),
  })
}

/** Removes a category; one that the item has not changes nothing. Errors: `not_found`, `forbidden`. */
export function decategorizeItem(call: Call, input: Input): Promise<Presented<Item>> {
  return recategorize(call, input, {
    event: 'ITEM_DECATEGORIZED',
    change: (categories) => categories.filter((id) => id !== input.categoryId),
    isDone: (categories) => !categories.includes(input.categoryId),
  })
}

interface Recategorizing {
  readonly event: JournalEvent
  readonly change: (categories: readonly string[]) => readonly string[]
  readonly isDone: (categories: readonly string[]) => boolean
}

function recategorize(
  call: Call,
  input: Input,
  { event, change, isDone }: Recategorizing,
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key: 'items.update', roles: 'write' })
    const content = contentOf(previous)
    if (isDone(content.categories)) return presentHead(inside, place.line, previous)
    const type = await typeOf(inside, previous)
    const changed = { ...content, categories: change(content.categories) }
    const saved = await saveItem(call, tx, { place, type, previous, content: changed, event })
    return presentHead(inside, place.line, saved)
  })
}
