import type { Filter } from '../ports/index.ts'
import type { TreeNode } from './levels.ts'

/** What stands in nothing. */
export const atTop: Filter = { field: { member: 'parentId' }, op: 'exists', value: false }

/** By name in any case, then by id. */
export function byName({ kept: a }: TreeNode, { kept: b }: TreeNode): number {
  return compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.id, b.id)
}

/** By `order`, then by name. */
export function byOrder(a: TreeNode, b: TreeNode): number {
  return (a.kept.order ?? 0) - (b.kept.order ?? 0) || byName(a, b)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
