import { limits, type Contract, type Folder, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import type { Filter } from '../../ports/index.ts'
import { findStructure, openStructure } from '../structure/find.ts'
import { inTreeOrder, levelsOf, standingIn } from '../structure/levels.ts'
import { atTop, byName } from '../structure/order.ts'
import { serializeOne } from '../structure/json.ts'
import { listByName, serializeAt } from '../structure/reads.ts'
import { folderRules as rules } from './kind.ts'

type Group = Contract['folders']

/** Folders by name, those in one folder when asked for. Errors: `not_found`, `forbidden`, `invalid` for a cursor of another list. */
export async function listFolders(
  call: Call,
  { parentId, ...input }: ParsedOf<Group['list']>,
): Promise<Answer<OutputOf<Group['list']>>> {
  const scope = await openStructure(call, input, [rules.keys.read])
  const filter = parentId === undefined ? undefined : parentId === 'none' ? atTop : standingIn([parentId])
  return listByName(call, scope, { rules, input, ...(filter && { filter }) })
}

/** The tree of folders, or the part below one. Errors: `not_found`, `forbidden`; `invalid` for more than one answer holds. */
export async function readFolderTree(
  call: Call,
  { parentId, depth, ...ref }: ParsedOf<Group['tree']>,
): Promise<OutputOf<Group['tree']>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (parentId !== undefined) await findStructure(call, scope, { rules, id: parentId })
  const first: Filter = parentId === undefined ? atTop : standingIn([parentId])
  const most = limits.treeNodes
  const nodes = await levelsOf(call.store.entities, scope.branch, { kind: 'folder', first, depth, most })
  if (nodes.length > most)
    throw invalid([{ path: 'depth', message: `more than ${most} folders: ask for fewer levels` }])
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

/** A folder, or what it was at a time. Errors: `not_found`, `forbidden`. */
export async function getFolder(
  call: Call,
  { id, at, ...ref }: ParsedOf<Group['get']>,
): Promise<Serialized<Folder>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (at !== undefined && at < call.now) return serializeAt(call, scope, { rules, id, at })
  return serializeOne(call, scope.branch, { rules, head: await findStructure(call, scope, { rules, id }) })
}
