import type { Contract, Item, OutputOf, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findScope } from '../../engine/scope.ts'
import { typeOf } from '../types/find.ts'
import { requireSoundContent } from './check.ts'
import { contentOf } from './content.ts'
import { findItem, mayRead, noSuchItem, requireOnItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { holdersOf, impactOf, requireUnheld, unsetHolders, withoutGone } from './holders.ts'
import { setItemState, requireState, writeItem, type Save } from './save.ts'

type Delete = Contract['items']['delete']

/**
 * Deletes an item softly; values that refer to it through `unset` fields go with it. With `dryRun` it answers what that would do to the
 * items that refer to it, also where one of them refuses it.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `referenced` with the holders when a `restrict` field refers to it.
 */
export async function deleteItem(call: Call, input: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key: 'items.delete', branch: scope.branch, roles: 'delete' })
    const holders = await holdersOf(call.store, scope.branch, [previous.id])
    const isHeld = holders.some(({ onDelete }) => onDelete === 'restrict')
    const deleted = async () => (await serializeHead(call, scope.branch, previous)).value()
    // Who asks beforehand is told everything at once, not what refuses it alone.
    if (isHeld && input.dryRun === true)
      return { deleted: await deleted(), wouldFail: true, ...impactOf(call, holders) }
    requireUnheld(call, holders)
    await unsetHolders(call, { scope, holders, event: 'ITEM_UPDATED' })
    await setItemState(call, { scope, previous, event: 'ITEM_DELETED', state: { deletedDate: call.now } })
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
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await call.store.entities.get(scope.branch, 'item', input.id)
    if (!previous || !mayRead(call, previous)) throw noSuchItem()
    requireOnItem(call, previous, { key: 'items.delete', branch: scope.branch, roles: 'delete' })
    requireState(previous.deletedDate !== null, 'The item is not deleted.')
    const type = await typeOf(call, previous)
    const content = contentOf(previous)
    await requireSoundContent(call.store, { branch: scope.branch, type, content, id: previous.id, previous })
    const changed = await setItemState(call, {
      scope,
      previous,
      event: 'ITEM_UNDELETED',
      state: { deletedDate: null },
    })
    const left = await withoutGone(call.store.entities, scope.branch, content)
    if (left === content) return serializeHead(call, scope.branch, changed)
    const again: Save = { scope, type, previous: changed, content: left, event: 'ITEM_UPDATED' }
    return serializeHead(call, scope.branch, await writeItem(call, again))
  })
}
