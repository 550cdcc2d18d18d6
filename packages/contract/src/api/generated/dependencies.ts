// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { OnDelete } from './references.ts'

/** The operations of `dependencies`. What an item needs, and what needs it. */
export interface DependenciesApi {
  /**
   * Read what an item needs, and what needs it.
   *
   * In both directions, down to `depth`. An item needs the items, categories and folders that it
   * refers to, and their ancestors. Entities that you may not read are marked as missing in `needs`
   * and left out of `neededBy`; nothing is followed through them. At most 1000 nodes in each
   * direction.
   *
   * `GET /api/dependencies/{configId}/{itemId}`, with `packageName`
   * `/api/dependencies/{configId}/_package/{packageName}/{itemId}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.itemId - The item.
   * @param input.depth - How many edges to follow, 1 to 10.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: DependenciesGetInput, options?: CallOptions) => Promise<DependenciesGetOutput>
}

/** A dependency graph in one direction */
export interface DependencyGraph {
  /** Each node once, the nearest first; the first is the requested item */
  nodes: DependencyNode[]
  /** The edges that were followed between these nodes, including those that close a cycle */
  edges: DependencyEdge[]
  /** Whether there may be more within this depth than one call examines */
  isTruncated: boolean
}

/** A node of a dependency graph */
export interface DependencyNode {
  /** An id, as answered by the operation that created it */
  id: string
  kind: 'item' | 'folder' | 'category' | 'taxonomy'
  /** Null when it is missing */
  name: string | null
  /** Name of the content type of an item; null for everything else */
  type: string | null
  /** Number of edges on the shortest path to it; 0 for the requested item */
  depth: number
  /**
   * Whether nothing that you may read has this id: it is deleted, never existed, or you may not read
   * it
   */
  isMissing: boolean
}

/** An edge of a dependency graph: one reference */
export interface DependencyEdge {
  /** Id of the entity that refers */
  from: string
  /** Id of the entity that it refers to */
  to: string
  /**
   * Path of the field below `fields`; or `categories`, `taxonomy`, or `parent` for the parent folder
   * or category
   */
  path: string
  /**
   * When the target is deleted: `restrict` prevents the delete, `unset` removes the value, `ignore`
   * leaves it as it is
   */
  onDelete: OnDelete
}

/** The input of `dependencies.get` */
export interface DependenciesGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  itemId: string
  /**
   * How many edges to follow, 1 to 10
   * @default 1
   */
  depth?: number | undefined
}

/** The result of `dependencies.get` */
export interface DependenciesGetOutput {
  /** What it refers to, and what that refers to */
  needs: DependencyGraph
  /** What refers to it, and what refers to that */
  neededBy: DependencyGraph
}
