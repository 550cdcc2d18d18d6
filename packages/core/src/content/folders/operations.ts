import { limits, type Contract, type Folder, type OutputOf, type ParsedOf, QuireError } from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { deleteAll, namesOf, reportDeletion, saveAndSerialize } from '../structure/change.ts'
import { contentOf } from '../structure/content.ts'
import { findStructure, openStructure, openHead } from '../structure/find.ts'
import { levelsAt } from '../structure/past-tree.ts'
import {
  inTreeOrder,
  levelsOf,
  childrenOf,
  chunks,
  listAll,
  atTop,
  byName,
  type TreeNode,
} from '../structure/tree.ts'
import { listByName, readStructure } from '../structure/reads.ts'
import { folderRules as rules } from './kind.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayRead, requireOnItem } from '../items/find.ts'
import { holdersOf, requireUnreferenced, unsetHolders } from '../items/holders.ts'
import { setItemState } from '../items/save.ts'
import { liveHeads } from '../kinds/heads.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Filter, Entity, Branch, Transaction } from '../../ports/index.ts'

export { deleteFolder as delete }
export { getFolder as get, listFolders as list, readFolderTree as tree }
export { createFolder as create, changeFolder as move, changeFolder as update }

type Group = Contract['folders']

/**
 * Lists folders by name: all of them, or those directly in one folder.
 * Errors: `not_found`, `forbidden`; `invalid` for a cursor of another list.
 */
async function listFolders(
  call: Call,
  { parentId, ...input }: ParsedOf<Group['list']>,
): Promise<Answer<OutputOf<Group['list']>>> {
  const scope = await openStructure(call, input, [rules.keys.read])
  const filter = parentId === undefined ? undefined : parentId === 'none' ? atTop : childrenOf([parentId])
  return listByName(call, scope, { rules, input, ...(filter && { filter }) })
}

/**
 * Reads the tree of folders, or the part below one folder.
 * Errors: `not_found`, `forbidden`; `invalid` if the tree has more folders than one answer may
 * contain.
 */
async function readFolderTree(
  call: Call,
  { parentId, depth, at: time, ...ref }: ParsedOf<Group['tree']>,
): Promise<OutputOf<Group['tree']>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  const max = limits.treeNodes
  const nodes =
    time === undefined
      ? await nodesOf(call, scope, { parentId, depth })
      : await levelsAt(call, scope, { rules, at: time, parentId, depth, max })
  if (nodes.length > max)
    throw invalid([{ path: 'depth', message: `there are more than ${max} folders: request fewer levels` }])
  const items = inTreeOrder(nodes, byName).map(
    ({ stored: { id, name, parentId: above = null }, depth: at }) => ({
      id,
      name,
      parentId: above,
      depth: at,
    }),
  )
  return { count: items.length, items }
}

async function nodesOf(
  call: Call,
  scope: Scope,
  { parentId, depth }: Pick<ParsedOf<Group['tree']>, 'parentId' | 'depth'>,
): Promise<TreeNode[]> {
  if (parentId !== undefined) await findStructure(call, scope, { rules, id: parentId })
  const first: Filter = parentId === undefined ? atTop : childrenOf([parentId])
  const part = { kind: 'folder', first, depth, max: limits.treeNodes } as const
  return levelsOf(call.store.entities, scope.branch, part)
}

/** Reads a folder, now or as it was at a given time. Errors: `not_found`, `forbidden`. */
function getFolder(call: Call, input: ParsedOf<Group['get']>): Promise<Serialized<Folder>> {
  return readStructure(call, input, rules)
}

/**
 * Creates a folder.
 * Errors: `not_found` for the repository or package, `forbidden`, `name_taken`, `invalid_state`;
 * `invalid` if the parent folder does not exist or the tree would become too deep.
 */
function createFolder(
  call: Call,
  { name, description, parentId, ...ref }: ParsedOf<Group['create']>,
): Promise<Serialized<Folder>> {
  return call.write(async (call) => {
    const scope = await openStructure(call, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId }
    return saveAndSerialize(call, { rules, scope, previous: null, content })
  })
}

/** What an update or a move may send. */
type FolderChange = ParsedOf<Group['update']> & Partial<ParsedOf<Group['move']>>

/**
 * Changes the members that are sent. A folder moves with everything in it. Errors: `not_found`,
 * `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`; `invalid` if it cannot be moved
 * to that folder.
 */
function changeFolder(
  call: Call,
  { name, description, parentId, ...ref }: FolderChange,
): Promise<Serialized<Folder>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openHead(call, ref, { rules, act: 'update' })
    const content = { ...contentOf(previous), ...sentMembers({ name, description, parentId }) }
    return saveAndSerialize(call, { rules, scope, previous, content })
  })
}

type Delete = Contract['folders']['delete']

/**
 * Soft-deletes a folder. With `recursive` it also deletes everything in it, each item as if it were
 * deleted alone. With `dryRun` the answer lists what would be deleted.
 * Errors: `not_found`, `precondition_failed`, `invalid_state`; `forbidden`, also if the caller may
 * not read or delete an item in the folder; `referenced` if the folder is not empty and `recursive`
 * is not set, if it contains more than 1 000 folders and items, or if items elsewhere refer to an
 * item in it by a `restrict` field.
 */
function deleteFolder(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const { scope, head } = await openHead(call, ref, { rules, act: 'delete' })
    return reportDeletion(call, { rules, scope, head, dryRun }, async () => {
      const contents = await contentsOf(call.store, scope.branch, head)
      if (recursive !== true) requireEmpty(call, contents)
      requireDeletable(call, scope.branch, contents.items)
      const { folders, items } = contents
      const unset = await deleteContents(call, { scope, items, folders: [head, ...folders] })
      return { folders: namesOf(folders), items: namesOf(items), unset }
    })
  })
}

/** Everything in a folder, at any depth. Each folder comes before its subfolders. */
interface Contents {
  readonly folders: readonly Entity[]
  readonly items: readonly Entity[]
}

/** Errors: `referenced` for more than 1 000 folders and items. */
async function contentsOf({ entities }: Transaction, branch: Branch, { id }: Entity): Promise<Contents> {
  const max = limits.deletedAtOnce
  const below = await levelsOf(entities, branch, { kind: 'folder', first: childrenOf([id]), root: id, max })
  const folderIds = below.map(({ head }) => head.id)
  if (folderIds.length > max) throw tooMany()
  const itemIds: string[] = []
  for (const parents of chunks([id, ...folderIds])) {
    for await (const item of listAll(entities, branch, { kind: 'item', filter: childrenOf(parents) })) {
      itemIds.push(item.id)
      if (folderIds.length + itemIds.length > max) throw tooMany()
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
  const message = `The folder contains more than ${limits.deletedAtOnce} folders and items: delete some of its subfolders first.`
  return new QuireError('referenced', message, { details: { most: limits.deletedAtOnce } })
}

/** Errors: `referenced`, with the number of folders and of items that the caller may read. */
function requireEmpty(call: Call, { folders, items }: Contents): void {
  if (folders.length + items.length === 0) return
  const readable = items.filter((item) => mayRead(call, item))
  throw new QuireError(
    'referenced',
    'The folder is not empty: send recursive=true to delete its content too.',
    {
      details: { folders: folders.length, items: readable.length },
    },
  )
}

/** Errors: `forbidden` for an item that the caller may not read or delete. */
function requireDeletable(call: Call, branch: Branch, items: readonly Entity[]): void {
  // If-Match applies to the folder, not to its items.
  const each: Call = { ...call, ifMatch: undefined }
  for (const item of items) {
    if (!mayRead(call, item))
      throw new QuireError('forbidden', 'The folder contains items that you may not delete.')
    requireOnItem(each, item, { key: 'items.delete', branch, to: 'delete' })
  }
}

async function deleteContents(
  call: WriteCall,
  { scope, folders, items }: Contents & { readonly scope: Scope },
) {
  const holders = await holdersOf(
    call.store,
    scope.branch,
    [...folders, ...items].map(({ id }) => id),
  )
  requireUnreferenced(call, holders)
  const unset = await unsetHolders(call, { scope, holders, event: 'ITEM_UPDATED' })
  const yieldToLoop = yieldingToLoop()
  const state = { deletedDate: call.now }
  for (const previous of items) {
    await setItemState(call, { scope, previous, event: 'ITEM_DELETED', state })
    await yieldToLoop()
  }
  await deleteAll(call, { rules, scope, heads: folders })
  return unset
}
