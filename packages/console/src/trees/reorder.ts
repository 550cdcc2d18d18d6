import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { queries } from '../service.ts'

/** Where somebody put something among others. */
interface Reordering {
  readonly id: string
  readonly parentId: string | null
  /** The ids of all in the parent, in their new order. */
  readonly siblings: readonly string[]
  /** All nodes of the tree, as they were. */
  readonly nodes: readonly {
    readonly id: string
    readonly parentId: string | null
    readonly order: number
  }[]
}

/** What moves a node to a position in another parent, and what gives it another position in its own. */
interface Reorderer {
  readonly move: (id: string, parentId: string | null, order: number) => Promise<unknown>
  readonly number: (id: string, order: number) => Promise<unknown>
}

/** Puts one among others, in several calls: it may fail half-way. */
export function useReorder(reorderer: Reorderer): UseMutationResult<void, Error, Reordering> {
  return useMutation({
    mutationFn: (moved: Reordering) => reorder(moved, reorderer),
    // Those before the failed one have another position.
    onError: () => queries.invalidateQueries(),
  })
}

/** Numbers those whose position changes, and then moves one among them. */
async function reorder(
  { id, parentId, siblings, nodes }: Reordering,
  { move, number }: Reorderer,
): Promise<void> {
  const before = new Map(nodes.map((node) => [node.id, node]))
  const position = siblings.indexOf(id)
  for (const [index, sibling] of siblings.entries())
    if (sibling !== id && before.get(sibling)?.order !== index) await number(sibling, index)
  if (before.get(id)?.parentId === parentId) await number(id, position)
  else await move(id, parentId, position)
}
