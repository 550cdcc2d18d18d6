import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { holdersOf, unsetHolders, type NamedHolder } from '../items/holders.ts'
import { liveHeads } from '../lines/heads.ts'
import { requireOpen, type Place } from '../lines/lines.ts'
import type { Entity, Line, Transaction } from '../ports/index.ts'
import { levelsOf, standingIn, type TreePart } from '../structure/levels.ts'
import { presentOne } from '../structure/present.ts'
import { deleteStructure } from '../structure/save.ts'
import { openCategory } from './category.ts'
import { categoryRules as rules } from './kinds.ts'

type Delete = Contract['categories']['delete']

/**
 * Deletes a category softly and takes it from the items that have it, with `recursive` those that stand in it too. With `dryRun` it answers
 * what would go. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` without `recursive` for one that holds
 * others, and past 1 000 categories or items.
 */
export function deleteCategory(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head } = await openCategory(inside, ref, 'delete')
    requireOpen(place.package)
    const deleted = await presentOne(inside, place.line, { rules, head })
    const below = await categoriesAt(tx, place.line, { first: standingIn([head.id]), root: head.id })
    requireRecursive(recursive, { what: 'category', count: below.length })
    const decategorized = await removeCategories(inside, tx, { place, categories: [head, ...below] })
    if (dryRun !== true) return undefined
    return {
      deleted: deleted.value(),
      categories: below.map(({ id, name }) => ({ id, name })),
      decategorized,
    }
  })
}

/** Errors: `referenced` without `recursive` for what holds categories. */
export function requireRecursive(
  recursive: boolean | undefined,
  { what, count }: { what: string; count: number },
): void {
  if (recursive === true || count === 0) return
  const message = `The ${what} holds ${count} categories: send recursive=true to delete them too.`
  throw new QuireError('referenced', message, { details: { categories: count } })
}

/** Categories of a first level and all that stand in them, each before those. Errors: `referenced` past 1 000. */
export async function categoriesAt(
  { entities }: Transaction,
  line: Line,
  part: Pick<TreePart, 'first' | 'root'>,
): Promise<readonly Entity[]> {
  const most = limits.deletedAtOnce
  const nodes = await levelsOf(entities, line, { kind: 'category', ...part, most })
  if (nodes.length > most) {
    const message = `More than ${most} categories stand in it: delete them in parts.`
    throw new QuireError('referenced', message, { details: { most } })
  }
  const ids = nodes.map(({ head }) => head.id)
  const heads = await liveHeads(entities, line, { kind: 'category', ids })
  return ids.flatMap((id) => heads.get(id) ?? [])
}

/** Deletes categories, given those above first, and takes them from their items. Errors: `referenced` past 1 000 of these. */
export async function removeCategories(
  call: Call,
  tx: Transaction,
  { place, categories }: { place: Place; categories: readonly Entity[] },
): Promise<NamedHolder[]> {
  const ids = categories.map(({ id }) => id)
  const holders = await holdersOf(tx, place.line, ids)
  const decategorized = await unsetHolders(call, tx, { place, holders, event: 'ITEM_DECATEGORIZED' })
  const turn = takingTurns()
  for (const previous of categories.toReversed()) {
    await deleteStructure(call, tx, { rules, place, previous })
    await turn()
  }
  return decategorized
}
