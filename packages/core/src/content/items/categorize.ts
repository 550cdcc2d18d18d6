import type { Contract, Item, JournalEvent, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findScope } from '../../engine/scope.ts'
import { typeOf } from '../types/find.ts'
import { contentOf } from './content.ts'
import { findItem, requireOnItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { saveItem } from './save.ts'

type Input = ParsedOf<Contract['items']['categorize']>

/** Adds a category; one that the item has changes nothing. Errors: `not_found`, `forbidden`, `invalid` for no category. */
export function categorizeItem(call: Call, input: Input): Promise<Serialized<Item>> {
  return recategorize(call, input, {
    event: 'ITEM_CATEGORIZED',
    change: (categories) => [...categories.filter((id) => id !== input.categoryId), input.categoryId],
    isDone: (categories) => categories.includes(input.categoryId),
  })
}

/** Removes a category; one that the item has not changes nothing. Errors: `not_found`, `forbidden`. */
export function decategorizeItem(call: Call, input: Input): Promise<Serialized<Item>> {
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
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key: 'items.update', branch: scope.branch, roles: 'write' })
    const content = contentOf(previous)
    if (isDone(content.categories)) return serializeHead(call, scope.branch, previous)
    const type = await typeOf(call, previous)
    const changed = { ...content, categories: change(content.categories) }
    const saved = await saveItem(call, { scope, type, previous, content: changed, event })
    return serializeHead(call, scope.branch, saved)
  })
}
