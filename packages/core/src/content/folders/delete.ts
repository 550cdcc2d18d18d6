import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { type Call, type WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayRead, requireOnItem } from '../items/find.ts'
import { holdersOf, requireUnheld, unsetHolders } from '../items/holders.ts'
import { setItemState } from '../items/save.ts'
import { liveHeads } from '../kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import type { Entity, Branch, Transaction } from '../../ports/index.ts'
import { openHead } from '../structure/find.ts'
import { chunks, every, levelsOf, standingIn } from '../structure/levels.ts'
import { serializeOne } from '../structure/json.ts'
import { deleteStructure } from '../structure/save.ts'
import { folderRules as rules } from './kind.ts'

type Delete = Contract['folders']['delete']

/**
 * Deletes a folder softly, with `recursive` all that stands in it too, each item as if it were deleted alone. With `dryRun` it answers what
 * would go. Errors: `not_found`, `precondition_failed`, `invalid_state`; `forbidden` also for an item within that the caller may not read or
 * delete; `referenced` without `recursive` for a folder that is not empty, past 1 000 things, or with the items elsewhere that hold one within.
 */
export function deleteFolder(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const { scope, head } = await openHead(call, ref, { rules, act: 'delete' })
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules, head })
    const going = await contentsOf(call.store, scope.branch, head)
    if (recursive !== true) requireEmpty(call, going)
    requireDeletable(call, scope.branch, going.items)
    const unset = await deleteAll(call, { scope, ...going, folders: [head, ...going.folders] })
    if (dryRun !== true) return undefined
    const named = ({ id, name }: Entity) => ({ id, name })
    return {
      deleted: deleted.value(),
      folders: going.folders.map(named),
      items: going.items.map(named),
      unset,
    }
  })
}

/** What stands in a folder, however deep: folders above those in them, and items. */
interface Contents {
  readonly folders: readonly Entity[]
  readonly items: readonly Entity[]
}

/** Errors: `referenced` past 1 000 things. */
async function contentsOf({ entities }: Transaction, branch: Branch, { id }: Entity): Promise<Contents> {
  const most = limits.deletedAtOnce
  const below = await levelsOf(entities, branch, { kind: 'folder', first: standingIn([id]), root: id, most })
  const folderIds = below.map(({ head }) => head.id)
  if (folderIds.length > most) throw tooMany()
  const itemIds: string[] = []
  for (const parents of chunks([id, ...folderIds])) {
    for await (const item of every(entities, branch, { kind: 'item', filter: standingIn(parents) })) {
      itemIds.push(item.id)
      if (folderIds.length + itemIds.length > most) throw tooMany()
    }
  }
  const [folders, items] = [
    await liveHeads(entities, branch, { kind: 'folder', ids: folderIds }),
    await liveHeads(entities, branch, { kind: 'item', ids: itemIds }),
  ]
  return {
    folders: folderIds.flatMap((folderId) => folders.get(folderId) ?? []),
    items: itemIds.flatMap((itemId) => items.get(itemId) ?? []),
  }
}

function tooMany(): QuireError {
  const message = `The folder holds more than ${limits.deletedAtOnce} folders and items: delete its parts first.`
  return new QuireError('referenced', message, { details: { most: limits.deletedAtOnce } })
}

/** Errors: `referenced`, with how much of it the caller may read. */
function requireEmpty(call: Call, { folders, items }: Contents): void {
  if (folders.length + items.length === 0) return
  const readable = items.filter((item) => mayRead(call, item))
  throw new QuireError('referenced', 'The folder is not empty: send recursive=true to delete all of it.', {
    details: { folders: folders.length, items: readable.length },
  })
}

/** Errors: `forbidden` for an item that the caller may not read or delete. */
function requireDeletable(call: Call, branch: Branch, items: readonly Entity[]): void {
  // If-Match is about the folder.
  const each: Call = { ...call, ifMatch: undefined }
  for (const item of items) {
    if (!mayRead(call, item))
      throw new QuireError('forbidden', 'The folder holds items that you may not delete.')
    requireOnItem(each, item, { key: 'items.delete', branch, roles: 'delete' })
  }
}

async function deleteAll(call: WriteCall, { scope, folders, items }: Contents & { readonly scope: Scope }) {
  const holders = await holdersOf(
    call.store,
    scope.branch,
    [...folders, ...items].map(({ id }) => id),
  )
  requireUnheld(call, holders)
  const unset = await unsetHolders(call, { scope, holders, event: 'ITEM_UPDATED' })
  const yieldToLoop = yieldingToLoop()
  const state = { deletedDate: call.now }
  for (const previous of items) {
    await setItemState(call, { scope, previous, event: 'ITEM_DELETED', state })
    await yieldToLoop()
  }
  for (const previous of folders.toReversed()) {
    await deleteStructure(call, { rules, scope, previous })
    await yieldToLoop()
  }
  return unset
}
