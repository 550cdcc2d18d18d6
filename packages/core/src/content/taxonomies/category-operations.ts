import {
  limits,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type Category,
  QuireError,
} from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import type { Scope } from '../../engine/scope.ts'
import { deleteAll, namesOf, reportDeletion, saveAndSerialize } from '../structure/change.ts'
import { contentOf } from '../structure/content.ts'
import { findStructure, noSuch, openHead, openStructure } from '../structure/find.ts'
import {
  listAll,
  inTreeOrder,
  levelsOf,
  childrenOf,
  type TreePart,
  atTop,
  byOrder,
  type TreeNode,
} from '../structure/tree.ts'
import { parentLookup, serializeOne, withPaths, type StructureJson } from '../structure/json.ts'
import { levelsAt } from '../structure/past-tree.ts'
import { pastHead, pastLookup, serializeAt, serializeList } from '../structure/reads.ts'
import { openTaxonomy } from './category.ts'
import { categoryRules as rules, taxonomyRules } from './kinds.ts'
import { holdersOf, unsetHolders, type NamedHolder } from '../items/holders.ts'
import { liveHeads } from '../kinds/heads.ts'
import { type Filter, type Entity, type Branch, type Transaction } from '../../ports/index.ts'
import { textQueryOf } from '../../adapters/words.ts'

export { deleteCategory as delete }
export { getCategory as get, listCategories as list }
export { createCategory as create, changeCategory as move, changeCategory as update }

type List = Contract['categories']['list']
type Input = ParsedOf<List>

/**
 * Lists the categories of a taxonomy, or those below one category, in tree order. With `text` it
 * lists only those that match.
 * Errors: `not_found`, `forbidden`; `invalid` for a cursor of another list, and for a tree of more
 * than 10 000 categories.
 */
async function listCategories(call: Call, input: Input): Promise<Answer<OutputOf<List>>> {
  const at = input.at === call.now ? undefined : input.at
  const scope = at === undefined ? await openTaxonomy(call, input, ['read']) : await openPast(call, input, at)
  const nodes =
    at === undefined ? await nodesOf(call, scope, input) : await pastNodes(call, scope, { input, at })
  const ordered = inTreeOrder(nodes, byOrder)
  const listed = input.text === undefined ? ordered : await matching(call, scope, { input, ordered })
  const start = input.cursor === undefined ? 0 : positionAfter(listed, input.cursor)
  const end = start + (input.limit ?? limits.pageDefault)
  const page = listed.slice(start, end)
  const last = end < listed.length ? page.at(-1) : undefined
  const stored = page.map((node) => ({ ...node.stored, depth: node.depth }))
  const lookup =
    at === undefined ? parentLookup(call, scope.branch, rules) : pastLookup(call, scope, { rules, at })
  const items = await withPaths(lookup, stored)
  return serializeList({
    count: listed.length,
    items,
    nextCursor: last && encodeCursor([last.head.id, end]),
  })
}

/** Errors: `not_found` for a taxonomy that did not exist then; `invalid` for a search. */
async function openPast(call: Call, { taxonomyId, text, ...ref }: Input, at: number): Promise<Scope> {
  if (text !== undefined) throw invalid([{ path: 'text', message: 'cannot be combined with `at`' }])
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (await pastHead(call, scope, { kind: 'taxonomy', id: taxonomyId, at })) return scope
  throw noSuch(taxonomyRules)
}

function pastNodes(
  call: Call,
  scope: Scope,
  { input: { taxonomyId, parentId, depth }, at }: { input: Input; at: number },
): Promise<TreeNode[]> {
  const isWanted = (stored: StructureJson) => stored.taxonomyId === taxonomyId
  return levelsAt(call, scope, { rules, at, parentId, depth, max: limits.treeNodes, isWanted })
}

async function nodesOf(
  call: Call,
  scope: Scope,
  { taxonomyId, parentId, depth }: Input,
): Promise<TreeNode[]> {
  if (parentId !== undefined) await findStructure(call, scope, { rules, id: parentId })
  const inTaxonomy = ofTaxonomy(taxonomyId)
  const first: Filter = { all: [inTaxonomy, parentId === undefined ? atTop : childrenOf([parentId])] }
  const max = limits.treeNodes
  const part = { kind: 'category', first, depth, max } as const
  const nodes = await levelsOf(call.store.entities, scope.branch, part)
  if (nodes.length <= max) return nodes
  throw invalid([{ path: 'depth', message: `there are more than ${max} categories: request fewer levels` }])
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
  for await (const { id } of listAll(call.store.entities, branch, query)) found.add(id)
  return ordered.filter(({ head }) => found.has(head.id))
}

/**
 * The index at which the next page starts: after the last entry of the previous page, or at its old
 * index if that entry is gone.
 */
function positionAfter(listed: readonly TreeNode[], cursor: string): number {
  const position = decodeCursor(cursor)
  const [id, end]: unknown[] = Array.isArray(position) ? position : []
  if (typeof id !== 'string' || typeof end !== 'number' || !Number.isSafeInteger(end) || end < 0)
    throw badCursor()
  const last = listed.findIndex(({ head }) => head.id === id)
  return last < 0 ? end : last + 1
}

type Group = Contract['categories']

/** Reads a category, now or at a given time. Errors: `not_found`, `forbidden`, `merge_conflict`. */
async function getCategory(
  call: Call,
  { id, at, taxonomyId, ...ref }: ParsedOf<Group['get']>,
): Promise<Serialized<Category>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (at === undefined || at === call.now) {
    const head = await findStructure(call, scope, { rules, id, ownerId: taxonomyId })
    return serializeOne(call, scope.branch, { rules, head })
  }
  const then = await serializeAt(call, scope, { rules, id, at })
  if (then.value().taxonomyId !== taxonomyId) throw noSuch(rules)
  return then
}

/**
 * Creates a category.
 * Errors: `not_found` for the repository, package or taxonomy, `forbidden`, `name_taken`,
 * `invalid_state`; `invalid` if the parent category is not in the taxonomy or the tree would become
 * too deep.
 */
function createCategory(
  call: Call,
  { name, description, parentId, order, ...ref }: ParsedOf<Group['create']>,
): Promise<Serialized<Category>> {
  return call.write(async (call) => {
    const scope = await openTaxonomy(call, ref, ['read', 'create'])
    const content = { name, description, parentId, order, taxonomyId: ref.taxonomyId }
    return saveAndSerialize(call, { rules, scope, previous: null, content })
  })
}

/** What an update or a move may send. */
type CategoryChange = ParsedOf<Group['update']> & Partial<ParsedOf<Group['move']>>

/**
 * Changes the members that are sent. A category moves with everything below it. Errors:
 * `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`; `invalid` if it
 * cannot be moved to that parent.
 */
function changeCategory(
  call: Call,
  { name, description, parentId, order, ...ref }: CategoryChange,
): Promise<Serialized<Category>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openHead(call, ref, {
      rules,
      act: 'update',
      ownerId: ref.taxonomyId,
    })
    const content = { ...contentOf(previous), ...sentMembers({ name, description, parentId, order }) }
    return saveAndSerialize(call, { rules, scope, previous, content })
  })
}

type Delete = Contract['categories']['delete']

/**
 * Soft-deletes a category and removes it from its items. With `recursive` it also deletes the
 * categories below it. With `dryRun` the answer lists what would be deleted.
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` if it
 * contains categories and `recursive` is not set, and for more than 1 000 categories or items.
 */
function deleteCategory(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Delete>,
): Promise<OutputOf<Delete>> {
  return call.write(async (call) => {
    const { scope, head } = await openHead(call, ref, { rules, act: 'delete', ownerId: ref.taxonomyId })
    return reportDeletion(call, { rules, scope, head, dryRun }, async () => {
      const first = childrenOf([head.id])
      const below = await categoriesAt(call.store, scope.branch, { first, root: head.id })
      requireRecursive(recursive, { what: 'category', count: below.length })
      const decategorized = await removeCategories(call, { scope, categories: [head, ...below] })
      return { categories: namesOf(below), decategorized }
    })
  })
}

/** Errors: `referenced` if there are categories to delete and `recursive` is not set. */
export function requireRecursive(
  recursive: boolean | undefined,
  { what, count }: { what: string; count: number },
): void {
  if (recursive === true || count === 0) return
  const message = `The ${what} contains ${count} categories: send recursive=true to delete them too.`
  throw new QuireError('referenced', message, { details: { categories: count } })
}

/**
 * Reads the categories of a first level and all below them, parents first. Errors: `referenced` for
 * more than 1 000.
 */
export async function categoriesAt(
  { entities }: Transaction,
  branch: Branch,
  part: Pick<TreePart, 'first' | 'root'>,
): Promise<readonly Entity[]> {
  const max = limits.deletedAtOnce
  const nodes = await levelsOf(entities, branch, { kind: 'category', ...part, max })
  if (nodes.length > max) {
    const message = `It contains more than ${max} categories: delete them in parts.`
    throw new QuireError('referenced', message, { details: { most: max } })
  }
  const ids = nodes.map(({ head }) => head.id)
  const heads = await liveHeads(entities, branch, { kind: 'category', ids })
  return ids.flatMap((id) => heads.get(id) ?? [])
}

/**
 * Deletes categories, given parents first, and removes them from their items. Returns the removed
 * references that the caller may read. Errors: `referenced` for more than 1 000 references.
 */
export async function removeCategories(
  call: WriteCall,
  { scope, categories }: { scope: Scope; categories: readonly Entity[] },
): Promise<NamedHolder[]> {
  const ids = categories.map(({ id }) => id)
  const holders = await holdersOf(call.store, scope.branch, ids)
  const decategorized = await unsetHolders(call, { scope, holders, event: 'ITEM_DECATEGORIZED' })
  await deleteAll(call, { rules, scope, heads: categories })
  return decategorized
}
