import type { Filter } from '../../ports/index.ts'
import type { TreeNode } from './levels.ts'
import type { StructureJson } from './json.ts'

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
