import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { ItemStatus } from '../items/shapes.ts'

/** What happens to a reference when its target is deleted. */
export const OnDelete = z
  .enum(['restrict', 'unset', 'ignore'])
  .describe(
    'When the target is deleted: `restrict` prevents the delete, `unset` removes the value, `ignore` leaves it as it is',
  )

/** An item that refers to another, and the field in which it does. */
export const ItemReference = z
  .object({
    item: z.object({
      id: Id,
      name: z.string(),
      type: z.string().describe('Name of the content type'),
      slug: z.string(),
      status: ItemStatus,
    }),
    path: z.string().describe('Path of the referring field below `fields`: `author`, `seo.image`'),
    onDelete: OnDelete,
  })
  .meta({
    id: 'ItemReference',
    description: 'An item that refers to another, and the field in which it does',
  })

/** The kinds of entities in a dependency graph. */
export const dependencyKinds = ['item', 'folder', 'category', 'taxonomy'] as const

/** A kind of entity in a dependency graph. */
export type DependencyKind = (typeof dependencyKinds)[number]

/** A node of a dependency graph. */
export const DependencyNode = z
  .object({
    id: Id,
    kind: z.enum(dependencyKinds),
    name: z.string().nullable().describe('Null when it is missing'),
    type: z.string().nullable().describe('Name of the content type of an item; null for everything else'),
    depth: z.int().min(0).describe('Number of edges on the shortest path to it; 0 for the requested item'),
    isMissing: z
      .boolean()
      .describe(
        'Whether nothing that you may read has this id: it is deleted, never existed, or you may not read it',
      ),
  })
  .meta({ id: 'DependencyNode', description: 'A node of a dependency graph' })

/** A node of a dependency graph. */
export type DependencyNode = z.output<typeof DependencyNode>

/** An edge of a dependency graph: one reference. */
export const DependencyEdge = z
  .object({
    from: Id.describe('Id of the entity that refers'),
    to: Id.describe('Id of the entity that it refers to'),
    path: z
      .string()
      .describe(
        'Path of the field below `fields`; or `categories`, `taxonomy`, or `parent` for the parent folder or category',
      ),
    onDelete: OnDelete,
  })
  .meta({ id: 'DependencyEdge', description: 'An edge of a dependency graph: one reference' })

/** A dependency graph in one direction. */
export const DependencyGraph = z
  .object({
    nodes: z
      .array(DependencyNode)
      .describe('Each node once, the nearest first; the first is the requested item'),
    edges: z
      .array(DependencyEdge)
      .describe('The edges that were followed between these nodes, including those that close a cycle'),
    isTruncated: z.boolean().describe('Whether there may be more within this depth than one call examines'),
  })
  .meta({ id: 'DependencyGraph', description: 'A dependency graph in one direction' })

/** A dependency graph in one direction. */
export type DependencyGraph = z.output<typeof DependencyGraph>
