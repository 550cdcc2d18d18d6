import { limits } from '@quire/contract'
import { storedOf, type StructureJson } from './json.ts'
import type { StructureName } from './kind.ts'
import type { EntityQuery, EntityReader, Filter, Branch, PageCursor, StoredJson } from '../../ports/index.ts'

/** Part of a tree. */
export interface TreePart {
  readonly kind: StructureName
  /** What the first level is. */
  readonly first: Filter
  /** What it is part of: in a package that main moved under, it may stand below itself. */
  readonly root?: string
  /** Levels to read. Default: all. */
  readonly depth?: number | undefined
  /** As many are answered, and one more where there are more. */
  readonly most: number
}

/** What stands directly in one of some things. */
export function standingIn(parents: readonly string[]): Filter {
  return { field: { member: 'parentId' }, op: 'in', value: parents }
}

/** Things of a tree, level by level. Cost: proportional to what is answered. */
export async function levelsOf(
  entities: EntityReader,
  branch: Branch,
  { kind, first, root, depth = Infinity, most }: TreePart,
): Promise<TreeNode[]> {
  const nodes = new Map<string, TreeNode>()
  let level: readonly Filter[] = [first]
  for (let at = 1; at <= depth && level.length > 0; at++) {
    const reached: string[] = []
    for await (const head of everyOf(entities, branch, { kind, filters: level })) {
      if (nodes.has(head.id) || head.id === root) continue
      nodes.set(head.id, { head, stored: storedOf(head), depth: at })
      reached.push(head.id)
      if (nodes.size > most) return [...nodes.values()]
    }
    level = chunks(reached).map(standingIn)
  }
  return [...nodes.values()]
}

async function* everyOf(
  entities: EntityReader,
  branch: Branch,
  { kind, filters }: { kind: StructureName; filters: readonly Filter[] },
): AsyncGenerator<StoredJson> {
  for (const filter of filters) yield* every(entities, branch, { kind, filter })
}

/** Every live head of a kind that matches, archived ones too, by id. */
export async function* every(
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

/** Ids in lists as long as a filter takes. */
export function chunks(ids: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(ids.length / limits.inList)
  return Array.from({ length: count }, (_, n) => ids.slice(n * limits.inList, (n + 1) * limits.inList))
}

/** Each followed by what stands in it; those beside each other in an order. */
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

/** What stands in nothing. */
export const atTop: Filter = { field: { member: 'parentId' }, op: 'exists', value: false }

/** By name in any case, then by id. */
export function byName({ stored: a }: TreeNode, { stored: b }: TreeNode): number {
  return compareNames(a, b)
}

/** By `order`, then by name. */
export function byOrder({ stored: a }: TreeNode, { stored: b }: TreeNode): number {
  return compareOrders(a, b)
}

/** Things by `order`, then by name. */
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

/** Something in a tree, with how deep it stands there, from 1. */
export interface TreeNode {
  readonly head: StoredJson
  readonly stored: StructureJson
  readonly depth: number
}
