import { limits } from '@quire/contract'
import { parseStored, type StructureJson } from './json.ts'
import type { StructureName } from './kind.ts'
import type { EntityQuery, EntityReader, Filter, Branch, PageCursor, StoredJson } from '../../ports/index.ts'

/** The part of a tree to read. */
export interface TreePart {
  readonly kind: StructureName
  /** The filter for the first level. */
  readonly first: Filter
  /**
   * The id of the entity above the part. It is skipped, because in a package with moves on main it
   * can be its own descendant.
   */
  readonly root?: string
  /** The number of levels to read. Default: all. */
  readonly depth?: number | undefined
  /** The most nodes to read. If there are more, one more is returned. */
  readonly max: number
}

/** A filter for the direct children of the given parents. */
export function childrenOf(parents: readonly string[]): Filter {
  return { field: { member: 'parentId' }, op: 'in', value: parents }
}

/**
 * Reads a part of a tree level by level. Each node is returned once, even in a cycle. Cost:
 * proportional to the number of nodes.
 */
export async function levelsOf(
  entities: EntityReader,
  branch: Branch,
  { kind, first, root, depth = Infinity, max }: TreePart,
): Promise<TreeNode[]> {
  const nodes = new Map<string, TreeNode>()
  let level: readonly Filter[] = [first]
  for (let at = 1; at <= depth && level.length > 0; at++) {
    const reached: string[] = []
    for await (const head of listAllOf(entities, branch, { kind, filters: level })) {
      if (nodes.has(head.id) || head.id === root) continue
      nodes.set(head.id, { head, stored: parseStored(head), depth: at })
      reached.push(head.id)
      if (nodes.size > max) return [...nodes.values()]
    }
    level = chunks(reached).map(childrenOf)
  }
  return [...nodes.values()]
}

async function* listAllOf(
  entities: EntityReader,
  branch: Branch,
  { kind, filters }: { kind: StructureName; filters: readonly Filter[] },
): AsyncGenerator<StoredJson> {
  for (const filter of filters) yield* listAll(entities, branch, { kind, filter })
}

/**
 * Lists every live head of a kind that matches, including archived ones, in the order of ids. Reads
 * page by page.
 */
export async function* listAll(
  entities: EntityReader,
  branch: Branch,
  { kind, filter, text }: Pick<EntityQuery, 'kind' | 'text'> & { readonly filter: Filter },
): AsyncGenerator<StoredJson> {
  let after: PageCursor | undefined
  do {
    const page = await entities.list(branch, {
      kind,
      reader: { types: 'all', roles: 'all' },
      filter,
      ...(text && { text }),
      archived: true,
      sort: [],
      limit: limits.pageMost,
      count: false,
      ...(after && { after }),
    })
    yield* page.entities
    after = page.next
  } while (after)
}

/** Splits ids into lists that are short enough for a filter. */
export function chunks(ids: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(ids.length / limits.inList)
  return Array.from({ length: count }, (_, n) => ids.slice(n * limits.inList, (n + 1) * limits.inList))
}

/**
 * Orders nodes so that each is followed by its descendants, and siblings are in the given order.
 */
export function inTreeOrder(
  nodes: readonly TreeNode[],
  compare: (a: TreeNode, b: TreeNode) => number,
): TreeNode[] {
  const below = Map.groupBy(nodes, ({ stored, depth }) => (depth === 1 ? null : stored.parentId))
  const ordered: TreeNode[] = []
  const due = (below.get(null) ?? []).toSorted(compare).toReversed()
  for (let node = due.pop(); node; node = due.pop()) {
    ordered.push(node)
    due.push(...(below.get(node.head.id) ?? []).toSorted(compare).toReversed())
  }
  return ordered
}

/** A filter for entities without a parent. */
export const atTop: Filter = { field: { member: 'parentId' }, op: 'exists', value: false }

/** Compares nodes by name, ignoring case, then by id. */
export function byName({ stored: a }: TreeNode, { stored: b }: TreeNode): number {
  return compareNames(a, b)
}

/** Compares nodes by `order`, then by name. */
export function byOrder({ stored: a }: TreeNode, { stored: b }: TreeNode): number {
  return compareOrders(a, b)
}

/** Compares stored entities by `order`, then by name. */
export function compareOrders(a: Ordered, b: Ordered): number {
  return (a.order ?? 0) - (b.order ?? 0) || compareNames(a, b)
}

type Ordered = Pick<StructureJson, 'id' | 'name' | 'order'>

function compareNames(a: Ordered, b: Ordered): number {
  return compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** An entity in a tree. */
export interface TreeNode {
  readonly head: StoredJson
  readonly stored: StructureJson
  /** Its level in the part that was read, from 1. */
  readonly depth: number
}
