import { z } from 'zod'
import { Description, Id, longListOf, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { ParentFilter, recursive } from '../../content/folders/inputs.ts'
import { Named, StructureName } from '../../content/folders/shapes.ts'
import { dryRun } from '../../content/items/inputs.ts'
import { CategoryOrder } from '../../content/taxonomies/shapes.ts'
import { exampleSection, exampleSitePath } from './examples.ts'
import { inSite, onSite, siteListInput } from './inputs.ts'
import { PathPart, Section, SectionContent } from './shapes.ts'

const { layoutTemplate, locales, rootPageId } = SectionContent.shape
const onSection = { ...inSite, id: Id.describe('The section') }
const parentId = Id.nullable().describe('The parent section; null: the top level')
const exampleSectionPath = { ...exampleSitePath, id: exampleSection.id }

/** Operations on the sections of a site, a tree that contains the pages. */
export const sections = {
  list: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/sections'),
    summary: 'List the sections of a site, ordered by name',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({ ...onSite, parentId: ParentFilter.optional(), ...siteListInput }),
    output: longListOf(Section),
    errors: ['not_found'],
    example: { input: exampleSitePath, output: { count: 1, items: [exampleSection] } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/sections/{id}'),
    summary: 'Read a section',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({
      ...onSection,
      at: UnixMs.optional().describe('The section as it was or will be at this time, Unix milliseconds'),
    }),
    output: Section,
    errors: ['not_found', 'merge_conflict'],
    example: { input: exampleSectionPath, output: exampleSection },
  }),
  create: endpoint({
    binding: onBranch('POST /api/sites/{configId}/{siteId}/sections'),
    summary: 'Create a section',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSite,
      name: StructureName,
      slug: PathPart.optional(),
      description: Description.default(''),
      parentId: parentId.default(null),
      order: CategoryOrder.default(0),
      layoutTemplate: layoutTemplate.default(null),
      locales,
    }),
    output: Section,
    success: 201,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'idempotency_mismatch'],
    example: { input: { ...exampleSitePath, name: exampleSection.name }, output: exampleSection },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/sites/{configId}/{siteId}/sections/{id}'),
    summary: 'Change a section',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSection,
      name: StructureName.optional(),
      slug: PathPart.optional(),
      description: Description.optional(),
      order: CategoryOrder.optional(),
      rootPageId: rootPageId.optional(),
      layoutTemplate: layoutTemplate.optional(),
      locales,
    }),
    output: Section,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleSectionPath, name: exampleSection.name }, output: exampleSection },
  }),
  move: endpoint({
    binding: onBranch('POST /api/sites/{configId}/{siteId}/sections/{id}/move'),
    summary: 'Move a section and everything in it',
    description:
      'A section cannot be moved below itself, and a tree has at most 50 levels. Once the site is published again, the old addresses redirect to the new ones.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSection,
      parentId,
      slug: PathPart.optional(),
      order: CategoryOrder.optional(),
    }),
    output: Section,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...exampleSectionPath, parentId: exampleSection.parentId }, output: exampleSection },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/sites/{configId}/{siteId}/sections/{id}'),
    summary: 'Delete a section',
    description:
      'A section that is not empty needs `recursive`. Its sections and pages are then deleted too, at most 1000.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({ ...onSection, recursive, dryRun }),
    output: z
      .object({
        deleted: Section,
        sections: z.array(Named).describe('Sections that are deleted with it'),
        pages: z.array(Named).describe('Pages that are deleted with it'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleSectionPath, recursive: true } },
  }),
}
