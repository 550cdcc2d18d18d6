import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace } from '../lines/lines.ts'
import { typeOf } from '../types/find.ts'
import { requireSoundContent } from './check.ts'
import { contentOf } from './content.ts'
import { findItem, mayRead, noSuchItem, requireOnItem } from './find.ts'
import { presentHead } from './show.ts'
import { holdersOf, impactOf, requireUnheld, unsetHolders } from './holders.ts'
import { markItem, requireState, writeItem, type Save } from './save.ts'
import { withoutGone } from './without-gone.ts'

type Delete = Contract['items']['delete']

/**
 * Deletes an item softly; values that refer to it through `unset` fields go with it. With `dryRun` it answers what that would do to the
 * items that refer to it, also where one of them refuses it.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `referenced` with the holders when a `restrict` field refers to it.
 */
export async function deleteItem(call: Call, input: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key: 'items.delete', roles: 'delete' })
    const holders = await holdersOf(tx, place.line, [previous.id])
    const isHeld = holders.some(({ onDelete }) => onDelete === 'restrict')
    const deleted = async () => (await presentHead(inside, place.line, previous)).value()
    // Who asks beforehand is told everything at once, not what refuses it alone.
    if (isHeld && input.dryRun === true)
      return { deleted: await deleted(), wouldFail: true, ...impactOf(call, holders) }
    requireUnheld(call, holders)
    await unsetHolders(call, tx, { place, holders, event: 'ITEM_UPDATED' })
    await markItem(call, tx, { place, previous, event: 'ITEM_DELETED', marks: { deletedDate: call.now } })
    if (input.dryRun !== true) return undefined
    return { deleted: await deleted(), wouldFail: false, ...impactOf(call, holders) }
  })
}

/**
 * Brings a deleted item back as it was; at the top where its folder is gone, and without the categories that are. Errors: `not_found` when it is purged or was never there; `invalid_state` when it is not
 * deleted; `slug_taken` and `value_taken` when its slug or a unique value went to another meanwhile; `invalid` when its values no longer
 * fit the content type.
 */
export async function undeleteItem(
  call: Call,
  input: ParsedOf<Contract['items']['undelete']>,
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await tx.entities.get(place.line, 'item', input.id)
    if (!previous || !mayRead(call, previous)) throw noSuchItem()
    requireOnItem(call, previous, { key: 'items.delete', roles: 'delete' })
    requireState(previous.deletedDate !== null, 'The item is not deleted.')
    const type = await typeOf(inside, previous)
    const content = contentOf(previous)
    await requireSoundContent(tx, { line: place.line, type, content, id: previous.id, previous })
    const marked = await markItem(call, tx, {
      place,
      previous,
      event: 'ITEM_UNDELETED',
      marks: { deletedDate: null },
    })
    const left = await withoutGone(tx.entities, place.line, content)
    if (left === content) return presentHead(inside, place.line, marked)
    const again: Save = { place, type, previous: marked, content: left, event: 'ITEM_UPDATED' }
    return presentHead(inside, place.line, await writeItem(call, tx, again))
  })
}
