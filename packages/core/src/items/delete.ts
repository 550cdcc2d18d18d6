import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, IncomingEdge, JsonObject, Transaction } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { requireSoundContent } from './check.ts'
import { contentOf } from './content.ts'
import { findItem, mayRead, noSuchItem, requireOnItem } from './find.ts'
import { presentHead } from './present.ts'
import { markItem, requireState, writeItem } from './save.ts'
import { withoutTarget } from './without-target.ts'

type Delete = Contract['items']['delete']

// More references than this are refused: to unset so many belongs in a job.
const mostHolders = 1000

/**
 * Deletes an item softly; values that refer to it through `unset` fields go with it. With `dryRun` it answers what would go.
 * Errors: `not_found`, `forbidden`, `precondition_failed`; `referenced` with the holders when a `restrict` field refers to it.
 */
export async function deleteItem(call: Call, input: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key: 'items.delete', roles: 'delete' })
    const holders = await holdersOf(tx, place, previous)
    requireUnheld(call, holders)
    const unset = await unsetHolders(call, tx, { place, previous, holders })
    await markItem(call, tx, { place, previous, event: 'ITEM_DELETED', marks: { deletedDate: call.now } })
    if (input.dryRun !== true) return undefined
    return { deleted: presentHead(previous).value(), unset }
  })
}

async function holdersOf(tx: Transaction, { line }: Place, target: Entity): Promise<readonly IncomingEdge[]> {
  const edges = await tx.entities.incoming(line, target.id, mostHolders + 1)
  if (edges.length > mostHolders) {
    const message = `More than ${mostHolders} references point at this item: remove some first.`
    throw new QuireError('referenced', message, { details: { count: edges.length } })
  }
  return edges.filter(({ source }) => source.id !== target.id)
}

function requireUnheld(call: Call, holders: readonly IncomingEdge[]): void {
  const holding = holders.filter(({ onDelete }) => onDelete === 'restrict')
  if (holding.length === 0) return
  const named = holding
    .filter(({ source }) => mayRead(call, source))
    .map(({ source, path }) => ({ id: source.id, path }))
  throw new QuireError('referenced', `References in other items hold this one: ${holding.length}.`, {
    details: { count: holding.length, holders: named },
  })
}

async function unsetHolders(
  call: Call,
  tx: Transaction,
  { place, previous, holders }: { place: Place; previous: Entity; holders: readonly IncomingEdge[] },
): Promise<{ id: string; path: string }[]> {
  const unset = holders.filter(({ onDelete }) => onDelete === 'unset')
  const sources = new Map(unset.map(({ source }) => [source.id, source]))
  for (const source of sources.values()) {
    const type = await typeOf(within(call, tx), source)
    const content = contentOf(source)
    const fields: JsonObject = withoutTarget(type.fields, content.fields, previous.id)
    await writeItem(call, tx, {
      place,
      type,
      previous: source,
      content: { ...content, fields },
      event: 'ITEM_UPDATED',
    })
  }
  const named = unset.filter(({ source }) => mayRead(call, source))
  return named.map(({ source, path }) => ({ id: source.id, path }))
}

/**
 * Brings a deleted item back as it was. Errors: `not_found` when it is purged or was never there; `invalid_state` when it is not
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
    return presentHead(marked)
  })
}
