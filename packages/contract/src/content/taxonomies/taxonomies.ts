import { z } from 'zod'
import { Description, Id, listInput, longListOf, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { recursive } from '../folders/inputs.ts'
import { HolderShape, Named, StructureName } from '../folders/shapes.ts'
import { dryRun, onRepository } from '../items/inputs.ts'
import { limits } from '../../limits.ts'
import { exampleTaxonomy, exampleTaxonomyPath } from './examples.ts'
import { Taxonomy } from './shapes.ts'

const onTaxonomy = { ...onRepository, id: Id.describe('The taxonomy') }

/** Taxonomies, each a tree of categories. */
export const taxonomies = {
  list: endpoint({
    binding: onBranch('GET /api/content/management/taxonomies/{configId}'),
    summary: 'List taxonomies, ordered by name',
    permission: { key: 'taxonomies.read', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      text: z
        .string()
        .max(limits.search)
        .optional()
        .describe('Words in the name or description; each matches as a prefix'),
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
    }),
    output: longListOf(Taxonomy),
    errors: ['not_found'],
    example: { input: { configId: 'magazine' }, output: { count: 1, items: [exampleTaxonomy] } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/content/management/taxonomies/{configId}/{id}'),
    summary: 'Read a taxonomy',
    permission: { key: 'taxonomies.read', on: 'repository' },
    input: z.strictObject({
      ...onTaxonomy,
      at: UnixMs.optional().describe('The taxonomy as it was or will be at this time, Unix milliseconds'),
    }),
    output: Taxonomy,
    errors: ['not_found', 'merge_conflict'],
    example: { input: exampleTaxonomyPath, output: exampleTaxonomy },
  }),
  create: endpoint({
    binding: onBranch('POST /api/content/management/taxonomies/{configId}'),
    summary: 'Create a taxonomy',
    permission: { key: 'taxonomies.create', on: 'repository' },
    input: z.strictObject({ ...onRepository, name: StructureName, description: Description.default('') }),
    output: Taxonomy,
    success: 201,
    errors: ['not_found', 'name_taken', 'invalid_state', 'idempotency_mismatch'],
    example: { input: { configId: 'magazine', name: exampleTaxonomy.name }, output: exampleTaxonomy },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/content/management/taxonomies/{configId}/{id}'),
    summary: 'Rename or describe a taxonomy',
    permission: { key: 'taxonomies.update', on: 'repository' },
    input: z.strictObject({
      ...onTaxonomy,
      name: StructureName.optional(),
      description: Description.optional(),
    }),
    output: Taxonomy,
    errors: ['not_found', 'name_taken', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleTaxonomyPath, name: exampleTaxonomy.name }, output: exampleTaxonomy },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/content/management/taxonomies/{configId}/{id}'),
    summary: 'Delete a taxonomy',
    description:
      'A taxonomy with categories needs `recursive`. Its categories are then deleted too and removed from their items: all or nothing, and at most 1000 ' +
      'categories and 1000 items. Rejected while a content type has a field for its categories.',
    permission: { key: 'taxonomies.delete', on: 'repository' },
    input: z.strictObject({ ...onTaxonomy, recursive, dryRun }),
    output: z
      .object({
        deleted: Taxonomy,
        categories: z.array(Named).describe('Categories that are deleted with it'),
        decategorized: z.array(HolderShape).describe('Items that lose a category'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleTaxonomyPath, recursive: true } },
  }),
}
