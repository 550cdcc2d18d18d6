import { z } from 'zod'
import { Description, Id } from '../../conventions.ts'
import { AncestorPath, FolderContent, structureMembers } from '../folders/shapes.ts'

/** A taxonomy: a tree of categories. */
export const Taxonomy = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('Unique in the repository, in any case'),
    description: Description,
    ...structureMembers,
  })
  .meta({ id: 'Taxonomy', description: 'A taxonomy: a tree of categories' })

/** A taxonomy. */
export type Taxonomy = z.output<typeof Taxonomy>

/** Where a category stands among those beside it. */
export const CategoryOrder = z
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .describe('Its place among those beside it, the smallest first; alike ones are in the order of their names')

/** A category of a taxonomy. */
export const Category = z
  .object({
    id: Id,
    repositoryId: Id,
    taxonomyId: Id,
    name: z.string().describe('Among the categories beside it no other has it, in any case'),
    description: Description,
    parentId: Id.nullable().describe('The category that it stands in; null at the top'),
    order: CategoryOrder,
    ...structureMembers,
    path: AncestorPath,
  })
  .meta({ id: 'Category', description: 'A category of a taxonomy' })

/** A category. */
export type Category = z.output<typeof Category>

/** A category in the order of its tree. */
export const CategoryNode = Category.extend({
  depth: z.int().describe('1 for the first level of what was asked for'),
}).meta({ id: 'CategoryNode', description: 'A category in the order of its tree' })

/** What a taxonomy says: all that a save can change. */
export const TaxonomyContent = FolderContent.pick({ name: true, description: true })

/** What a category says: all that a save can change. */
export const CategoryContent = FolderContent.extend({ taxonomyId: Id, order: CategoryOrder })
