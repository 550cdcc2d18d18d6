import { z } from 'zod'
import { Description, Id, listInput, listOf, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { recursive, TreeDepth } from '../folders/inputs.ts'
import { HolderShape, Named, StructureName } from '../folders/shapes.ts'
import { dryRun, onRepository } from '../items/inputs.ts'
import { limits } from '../../limits.ts'
import { exampleCategory, exampleCategoryPath } from './examples.ts'
import { Category, CategoryNode, CategoryOrder } from './shapes.ts'

const onTaxonomy = { ...onRepository, taxonomyId: Id.describe('The taxonomy') }
const onCategory = { ...onTaxonomy, id: Id.describe('The category') }
const parentId = Id.nullable().describe('The parent category; null: the top level')

const { id: _id, ...exampleAll } = exampleCategoryPath

/** The categories of a taxonomy. */
export const categories = {
  list: endpoint({
    binding: onBranch('GET /api/content/management/taxonomies/{configId}/{taxonomyId}/categories'),
    summary: 'List the categories of a taxonomy, in tree order',
    description:
      'Each category is followed by the categories in it; siblings are ordered by `order`, then by name. ' +
      'At most 10000 categories: request fewer levels of a larger tree.',
    permission: { key: 'taxonomies.read', on: 'repository' },
    input: z.strictObject({
      ...onTaxonomy,
      parentId: Id.optional().describe('Only categories below this one'),
      depth: TreeDepth,
      text: z
        .string()
        .max(limits.search)
        .optional()
        .describe('Words in the name or description; each matches as a prefix'),
      at: UnixMs.optional().describe('The categories as they were at this time, Unix milliseconds'),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(CategoryNode),
    errors: ['not_found'],
    example: { input: exampleAll, output: { count: 1, items: [{ ...exampleCategory, depth: 2 }] } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}'),
    summary: 'Read a category',
    permission: { key: 'taxonomies.read', on: 'repository' },
    input: z.strictObject({
      ...onCategory,
      at: UnixMs.optional().describe('The category as it was or will be at this time, Unix milliseconds'),
    }),
    output: Category,
    errors: ['not_found', 'merge_conflict'],
    example: { input: exampleCategoryPath, output: exampleCategory },
  }),
  create: endpoint({
    binding: onBranch('POST /api/content/management/taxonomies/{configId}/{taxonomyId}/categories'),
    summary: 'Create a category',
    permission: { key: 'taxonomies.create', on: 'repository' },
    input: z.strictObject({
      ...onTaxonomy,
      name: StructureName,
      description: Description.default(''),
      parentId: parentId.default(null),
      order: CategoryOrder.default(0),
    }),
    output: Category,
    success: 201,
    errors: ['not_found', 'name_taken', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { ...exampleAll, name: exampleCategory.name, parentId: exampleCategory.parentId },
      output: exampleCategory,
    },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}'),
    summary: 'Rename, describe or reorder a category',
    description: 'Items show the new name at once; they do not get a new version.',
    permission: { key: 'taxonomies.update', on: 'repository' },
    input: z.strictObject({
      ...onCategory,
      name: StructureName.optional(),
      description: Description.optional(),
      order: CategoryOrder.optional(),
    }),
    output: Category,
    errors: ['not_found', 'name_taken', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleCategoryPath, name: exampleCategory.name }, output: exampleCategory },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}'),
    summary: 'Delete a category and remove it from its items',
    description:
      'Each item in the category gets a new version without it. A category with child categories needs `recursive`. All or nothing, and at most 1000 ' +
      'categories and items.',
    permission: { key: 'taxonomies.delete', on: 'repository' },
    input: z.strictObject({ ...onCategory, recursive, dryRun }),
    output: z
      .object({
        deleted: Category,
        categories: z.array(Named).describe('Categories that are deleted with it'),
        decategorized: z.array(HolderShape).describe('Items that lose a category'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'invalid_state', 'precondition_failed'],
    example: { input: exampleCategoryPath },
  }),
  move: endpoint({
    binding: onBranch('POST /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}/move'),
    summary: 'Move a category and everything below it',
    description: 'Only within its taxonomy, and not below itself. A tree has at most 50 levels.',
    permission: { key: 'taxonomies.update', on: 'repository' },
    input: z.strictObject({
      ...onCategory,
      parentId,
      name: StructureName.optional(),
      order: CategoryOrder.optional(),
    }),
    output: Category,
    errors: ['not_found', 'name_taken', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: {
      input: { ...exampleCategoryPath, parentId: exampleCategory.parentId },
      output: exampleCategory,
    },
  }),
}
