import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { ItemStatus } from '../items/shapes.ts'

/** What becomes of a reference when what it points at is deleted. */
export const OnDelete = z
  .enum(['restrict', 'unset', 'ignore'])
  .describe(
    'When the target is deleted: `restrict` refuses it, `unset` takes the value away, `ignore` leaves it as it is',
  )

/** An item that refers to another, and where. */
export const ItemReference = z
  .object({
    item: z.object({
      id: Id,
      name: z.string(),
      type: z.string().describe('Name of the content type'),
      slug: z.string(),
      status: ItemStatus,
    }),
    path: z.string().describe('The field that refers, by its path below `fields`: `author`, `seo.image`'),
    onDelete: OnDelete,
  })
  .meta({ id: 'ItemReference', description: 'An item that refers to another, and where' })

/** The kinds of things that depend on one another. */
export const dependencyKinds = ['item', 'folder', 'category', 'taxonomy'] as const

/** One of them. */
export type DependencyKind = (typeof dependencyKinds)[number]

/** Something in a graph of dependencies. */
export const DependencyNode = z
  .object({
    id: Id,
    kind: z.enum(dependencyKinds),
    name: z.string().nullable().describe('Null when it is missing'),
    type: z.string().nullable().describe('Of an item the name of its content type; null for everything else'),
    depth: z.int().min(0).describe('How many edges it is away, by the shortest way; 0: what was asked for'),
    isMissing: z
      .boolean()
      .describe('Nothing that you may read has this id: it is gone, never was, or is not for you'),
  })
  .meta({ id: 'DependencyNode', description: 'Something that depends, or is depended on' })

/** A node of a graph of dependencies. */
export type DependencyNode = z.output<typeof DependencyNode>

/** One reason why something depends on something. */
export const DependencyEdge = z
  .object({
    from: Id.describe('What refers'),
    to: Id.describe('What it refers to'),
    path: z
      .string()
      .describe(
        'The field, by its path below `fields`; or `categories`, `taxonomy`, `parent`: the folder or category above',
      ),
    onDelete: OnDelete,
  })
  .meta({ id: 'DependencyEdge', description: 'One reason why something depends on something' })

/** What one end of a graph reaches. */
export const DependencyGraph = z
  .object({
    nodes: z.array(DependencyNode).describe('The nearest first, each once; the first is what was asked for'),
    edges: z
      .array(DependencyEdge)
      .describe('Those between the nodes that were followed; cycles have all of theirs'),
    isTruncated: z.boolean().describe('There may be more, within this depth, than are looked at in one call'),
  })
  .meta({ id: 'DependencyGraph', description: 'What one end of a graph of dependencies reaches' })

/** One way of a graph of dependencies. */
export type DependencyGraph = z.output<typeof DependencyGraph>
