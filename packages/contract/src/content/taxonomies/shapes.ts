import { z } from 'zod'
import { Description, Id } from '../../conventions.ts'
import { AncestorPath, FolderContent, structureMembers } from '../folders/shapes.ts'

/** A taxonomy: a tree of categories. */
export const Taxonomy = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('Unique in the repository, ignoring case'),
    description: Description,
    ...structureMembers,
  })
  .meta({ id: 'Taxonomy', description: 'A taxonomy: a tree of categories' })

/** A taxonomy. */
export type Taxonomy = z.output<typeof Taxonomy>

/** The position of a node among its siblings. */
export const CategoryOrder = z
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .describe(
    'Position among its siblings, the smallest first; siblings with the same number are ordered by name',
  )

/** A category of a taxonomy. */
export const Category = z
  .object({
    id: Id,
    repositoryId: Id,
    taxonomyId: Id,
    name: z.string().describe('Unique among its sibling categories, ignoring case'),
    description: Description,
    parentId: Id.nullable().describe('The parent category; null at the top level'),
    order: CategoryOrder,
    ...structureMembers,
    path: AncestorPath,
  })
  .meta({ id: 'Category', description: 'A category of a taxonomy' })

/** A category. */
export type Category = z.output<typeof Category>

/** A category in a list in tree order. */
export const CategoryNode = Category.extend({
  depth: z.int().describe('1 for the first level of the response'),
}).meta({ id: 'CategoryNode', description: 'A category in a list in tree order' })

/** The content of a taxonomy: everything that a save can change. */
export const TaxonomyContent = FolderContent.pick({ name: true, description: true })

/** The content of a category: everything that a save can change. */
export const CategoryContent = FolderContent.extend({ taxonomyId: Id, order: CategoryOrder })
