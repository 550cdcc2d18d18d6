import {
  limits,
  type DependencyGraph,
  type DependencyNode,
  dependencyKinds,
  type DependencyKind,
  type PermissionKey,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayReadBy } from '../../engine/access/role-lists.ts'
import type { GraphEdge, Branch, Entity, EntityKind } from '../../ports/index.ts'

/** The start, direction and depth of a traversal. */
interface Reach {
  readonly branch: Branch
  readonly start: DependencyNode
  /**
   * The end of the edges from which to start: `source` leads to what is needed, `target` to what
   * needs it.
   */
  readonly end: 'source' | 'target'
  readonly depth: number
}

/** Edges to read in one direction. Bounds the cost of a node to which everything refers. */
const maxEdges = 10_000

// Heads to read at once. Few are read in vain if the graph reaches its limit.
const batch = 250

/**
 * Finds what can be reached from an item, level by level, nearest first. Each node is in the graph
 * once, however many paths lead to it, so cycles end. Follows only what the caller may read. A
 * needed entity that is deleted or that the caller may not read becomes a missing node, because its
 * id is visible in what refers to it. An entity that needs another and that the caller may not read
 * is left out.
 */
export async function reach(call: Call, { branch, start, end, depth }: Reach): Promise<DependencyGraph> {
  const nodes = new Map([[start.id, start]])
  const edges: GraphEdge[] = []
  let level: readonly string[] = [start.id]
  let isTruncated = false
  for (let away = 1; away <= depth && level.length > 0 && !isTruncated; away += 1) {
    const limit = maxEdges - edges.length
    const found = await call.store.entities.edges(branch, { end, ids: level, limit })
    edges.push(...found)
    const refs = othersOf(found, end).filter(({ id }) => !nodes.has(id))
    const { added, isMore } = await nodesAt(call, {
      branch,
      refs,
      end,
      depth: away,
      room: limits.dependencies + 1 - nodes.size,
    })
    for (const node of added) nodes.set(node.id, node)
    level = added.filter(({ isMissing }) => !isMissing).map(({ id }) => id)
    isTruncated = isMore || found.length === limit
  }
  const between = edges.filter(({ sourceId, targetId }) => nodes.has(sourceId) && nodes.has(targetId))
  return { nodes: [...nodes.values()], edges: between.map(edgeOf), isTruncated }
}

/** The other ends of edges, each once, in order. */
function othersOf(edges: readonly GraphEdge[], end: Reach['end']): Ref[] {
  const refs = edges.flatMap(({ sourceId, sourceKind, targetId }): Ref[] => {
    if (end === 'source') return [{ id: targetId, kind: kindOf(targetId) }]
    return isNodeKind(sourceKind) ? [{ id: sourceId, kind: sourceKind }] : []
  })
  return [...new Map(refs.map((ref) => [ref.id, ref])).values()]
}

interface Level {
  readonly branch: Branch
  readonly refs: readonly Ref[]
  readonly end: Reach['end']
  readonly depth: number
  /** How many more nodes the graph may have. */
  readonly room: number
}

/** The nodes of refs, as many as there is room for, and whether there are more. */
async function nodesAt(
  call: Call,
  { branch, refs, end, depth, room }: Level,
): Promise<{ added: DependencyNode[]; isMore: boolean }> {
  const yieldToLoop = yieldingToLoop()
  const added: DependencyNode[] = []
  for (let start = 0; start < refs.length && added.length <= room; start += batch) {
    const some = refs.slice(start, start + batch)
    const readable = await readableNodes(call, { branch, refs: some, depth })
    const visible = some.flatMap((ref) => {
      const node = readable.get(ref.id)
      if (node) return [node]
      return end === 'source' ? [missingNode(ref, depth)] : []
    })
    added.push(...visible)
    await yieldToLoop()
  }
  return { added: added.slice(0, room), isMore: added.length > room }
}

function edgeOf({ sourceId, targetId, path, onDelete }: GraphEdge): DependencyGraph['edges'][number] {
  return { from: sourceId, to: targetId, path, onDelete }
}

/** A reference to a possible node. */
interface Ref {
  readonly kind: DependencyKind
  readonly id: string
}

const kinds: { readonly [K in DependencyKind]: { readonly prefix: string; readonly key: PermissionKey } } = {
  item: { prefix: 'CONT_', key: 'items.read' },
  folder: { prefix: 'FOLD_', key: 'folders.read' },
  category: { prefix: 'CATG_', key: 'taxonomies.read' },
  taxonomy: { prefix: 'TAXO_', key: 'taxonomies.read' },
}

/**
 * The kind of a target, from the prefix of its id. Any other prefix means an item, because a field
 * may name any item.
 */
function kindOf(id: string): DependencyKind {
  return dependencyKinds.find((kind) => id.startsWith(kinds[kind].prefix)) ?? 'item'
}

/** Whether entities of a kind can be nodes. */
function isNodeKind(kind: EntityKind): kind is DependencyKind {
  return dependencyKinds.some((known) => known === kind)
}

/**
 * The nodes of refs whose live head the caller may read, by id, at a given depth. At most 1 000
 * refs.
 */
async function readableNodes(
  call: Call,
  { branch, refs, depth }: { branch: Branch; refs: readonly Ref[]; depth: number },
): Promise<ReadonlyMap<string, DependencyNode>> {
  const byKind = [...Map.groupBy(refs, ({ kind }) => kind)]
  const found = byKind.map(async ([kind, ofKind]) => {
    const ids = ofKind.map(({ id }) => id)
    const heads = await call.store.entities.getMany(branch, kind, ids)
    const { permissions } = call.identity
    return heads
      .filter((head) => head.deletedDate === null && mayReadBy(permissions, kinds[kind].key, head))
      .map((head) => nodeOf(head, { kind, depth }))
  })
  return new Map((await Promise.all(found)).flat().map((node) => [node.id, node]))
}

/** Makes the node of a head. */
export function nodeOf(
  { id, name, type }: Entity,
  { kind, depth }: { kind: DependencyKind; depth: number },
): DependencyNode {
  return { id, kind, name, type: kind === 'item' ? type : null, depth, isMissing: false }
}

/** Makes a node of which only the id and kind are known. */
function missingNode({ id, kind }: Ref, depth: number): DependencyNode {
  return { id, kind, name: null, type: null, depth, isMissing: true }
}
