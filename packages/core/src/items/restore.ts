import { QuireError, type Contract, type Item, type ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace } from '../lines/lines.ts'
import { typeOf } from '../types/find.ts'
import { contentOf } from './content.ts'
import { findItem, requireOnItem } from './find.ts'
import { presentHead } from './show.ts'
import { withoutGone } from './without-gone.ts'
import { saveItem } from './save.ts'

/**
 * Makes what an old version held the newest version, without the categories and the folder that are gone. Errors: `not_found`, `forbidden`, `slug_taken`; `invalid` when its values
 * no longer fit the content type.
 */
export async function restoreItem(
  call: Call,
  input: ParsedOf<Contract['items']['restore']>,
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key: 'items.update', roles: 'write' })
    const version = await tx.entities.version(place.line, { kind: 'item', id: input.id }, input.version)
    if (!version) throw new QuireError('not_found', `There is no version ${input.version} of this item.`)
    const type = await typeOf(inside, previous)
    const content = await withoutGone(tx.entities, place.line, contentOf(version))
    const saved = await saveItem(call, tx, { place, type, previous, content, event: 'ITEM_UPDATED' })
    return presentHead(inside, place.line, saved)
  })
}
