import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Answer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import type { Scope } from '../../engine/scope.ts'
import { textQueryOf, type Filter } from '../../ports/index.ts'
import { findStructure } from '../structure/find.ts'
import { every, inTreeOrder, levelsOf, standingIn, type TreeNode } from '../structure/levels.ts'
import { atTop, byOrder } from '../structure/order.ts'
import { lookFor, sentAll } from '../structure/json.ts'
import { serializeList } from '../structure/reads.ts'
import { openTaxonomy } from './category.ts'
import { categoryRules as rules } from './kinds.ts'

type List = Contract['categories']['list']
type Input = ParsedOf<List>

/**
 * The categories of a taxonomy in the order of its tree, or those below one; with `text` those that match.
 * Errors: `not_found`, `forbidden`; `invalid` for a cursor of another list, and for a tree of more than 10 000.
 */
export async function listCategories(call: Call, input: Input): Promise<Answer<OutputOf<List>>> {
  const scope = await openTaxonomy(call, input, ['read'])
  const ordered = inTreeOrder(await nodesOf(call, scope, input), byOrder)
  const listed = input.text === undefined ? ordered : await matching(call, scope, { input, ordered })
  const start = input.cursor === undefined ? 0 : scopeAfter(listed, input.cursor)
  const end = start + (input.limit ?? limits.pageDefault)
  const page = listed.slice(start, end)
  const last = end < listed.length ? page.at(-1) : undefined
  const stored = page.map((node) => ({ ...node.stored, depth: node.depth }))
  const items = await sentAll(lookFor(call, scope.branch, rules), stored)
  return serializeList({
    count: listed.length,
    items,
    nextCursor: last && encodeCursor([last.head.id, end]),
  })
}

async function nodesOf(
  call: Call,
  scope: Scope,
  { taxonomyId, parentId, depth }: Input,
): Promise<TreeNode[]> {
  if (parentId !== undefined) await findStructure(call, scope, { rules, id: parentId })
  const inTaxonomy = ofTaxonomy(taxonomyId)
  const first: Filter = { all: [inTaxonomy, parentId === undefined ? atTop : standingIn([parentId])] }
  const most = limits.treeNodes
  const part = { kind: 'category', first, depth, most } as const
  const nodes = await levelsOf(call.store.entities, scope.branch, part)
  if (nodes.length <= most) return nodes
  throw invalid([{ path: 'depth', message: `more than ${most} categories: ask for fewer levels` }])
}

function ofTaxonomy(taxonomyId: string): Filter {
  return { field: { path: 'taxonomyId', list: false }, op: 'eq', value: taxonomyId }
}

async function matching(
  call: Call,
  { branch }: Scope,
  { input: { taxonomyId, text = '' }, ordered }: { input: Input; ordered: readonly TreeNode[] },
): Promise<readonly TreeNode[]> {
  const found = new Set<string>()
  const query = { kind: 'category', filter: ofTaxonomy(taxonomyId), text: textQueryOf(text) } as const
  for await (const { id } of every(call.store.entities, branch, query)) found.add(id)
  return ordered.filter(({ head }) => found.has(head.id))
}

/** Where a page goes on: after what was last on the one before, or where that was. */
function scopeAfter(listed: readonly TreeNode[], cursor: string): number {
  const scope = decodeCursor(cursor)
  const [id, end]: unknown[] = Array.isArray(scope) ? scope : []
  if (typeof id !== 'string' || typeof end !== 'number' || !Number.isSafeInteger(end) || end < 0)
    throw badCursor()
  const last = listed.findIndex(({ head }) => head.id === id)
  return last < 0 ? end : last + 1
}
