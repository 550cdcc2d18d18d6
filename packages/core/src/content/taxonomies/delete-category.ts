import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { holdersOf, unsetHolders, type NamedHolder } from '../items/holders.ts'
import { liveHeads } from '../kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import type { Entity, Branch, Transaction } from '../../ports/index.ts'
import { levelsOf, standingIn, type TreePart } from '../structure/levels.ts'
import { serializeOne } from '../structure/json.ts'
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
  return call.write(async (call) => {
    const { scope, head } = await openCategory(call, ref, 'delete')
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules, head })
    const below = await categoriesAt(call.store, scope.branch, {
      first: standingIn([head.id]),
      root: head.id,
    })
    requireRecursive(recursive, { what: 'category', count: below.length })
    const decategorized = await removeCategories(call, { scope, categories: [head, ...below] })
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
  branch: Branch,
  part: Pick<TreePart, 'first' | 'root'>,
): Promise<readonly Entity[]> {
  const most = limits.deletedAtOnce
  const nodes = await levelsOf(entities, branch, { kind: 'category', ...part, most })
  if (nodes.length > most) {
    const message = `More than ${most} categories stand in it: delete them in parts.`
    throw new QuireError('referenced', message, { details: { most } })
  }
  const ids = nodes.map(({ head }) => head.id)
  const heads = await liveHeads(entities, branch, { kind: 'category', ids })
  return ids.flatMap((id) => heads.get(id) ?? [])
}

/** Deletes categories, given those above first, and takes them from their items. Errors: `referenced` past 1 000 of these. */
export async function removeCategories(
  call: WriteCall,
  { scope, categories }: { scope: Scope; categories: readonly Entity[] },
): Promise<NamedHolder[]> {
  const ids = categories.map(({ id }) => id)
  const holders = await holdersOf(call.store, scope.branch, ids)
  const decategorized = await unsetHolders(call, { scope, holders, event: 'ITEM_DECATEGORIZED' })
  const yieldToLoop = yieldingToLoop()
  for (const previous of categories.toReversed()) {
    await deleteStructure(call, { rules, scope, previous })
    await yieldToLoop()
  }
  return decategorized
}
