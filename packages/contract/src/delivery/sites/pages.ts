import { z } from 'zod'
import { Description, Id, longListOf, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { StructureName } from '../../content/folders/shapes.ts'
import { dryRun } from '../../content/items/inputs.ts'
import { CategoryOrder } from '../../content/taxonomies/shapes.ts'
import { examplePage, exampleSitePath } from './examples.ts'
import { inSite, onSite, siteListInput } from './inputs.ts'
import { Page, PageContent, PathPart } from './shapes.ts'

const { itemId, locales, meta, sectionId, template, visible } = PageContent.shape
const onPage = { ...inSite, id: Id.describe('The page') }
const examplePagePath = { ...exampleSitePath, id: examplePage.id }

/** Operations on the pages of a site. A page shows an item through a template. */
export const pages = {
  list: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/pages'),
    summary: 'List the pages of a site, ordered by name',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({
      ...onSite,
      sectionId: Id.optional().describe('Only pages directly in this section'),
      ...siteListInput,
    }),
    output: longListOf(Page),
    errors: ['not_found'],
    example: { input: exampleSitePath, output: { count: 1, items: [examplePage] } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/pages/{id}'),
    summary: 'Read a page',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({
      ...onPage,
      at: UnixMs.optional().describe('The page as it was or will be at this time, Unix milliseconds'),
    }),
    output: Page,
    errors: ['not_found', 'merge_conflict'],
    example: { input: examplePagePath, output: examplePage },
  }),
  create: endpoint({
    binding: onBranch('POST /api/sites/{configId}/{siteId}/pages'),
    summary: 'Create a page',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSite,
      sectionId,
      name: StructureName,
      slug: PathPart.optional(),
      description: Description.default(''),
      itemId: itemId.default(null),
      template: template.default('page'),
      order: CategoryOrder.default(0),
      visible: visible.default(true),
      meta: meta.default({}),
      locales,
    }),
    output: Page,
    success: 201,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: {
        ...exampleSitePath,
        sectionId: examplePage.sectionId,
        name: examplePage.name,
        itemId: examplePage.itemId,
      },
      output: examplePage,
    },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/sites/{configId}/{siteId}/pages/{id}'),
    summary: 'Change a page',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onPage,
      name: StructureName.optional(),
      slug: PathPart.optional(),
      description: Description.optional(),
      itemId: itemId.optional(),
      template: template.optional(),
      order: CategoryOrder.optional(),
      visible: visible.optional(),
      meta: meta.optional(),
      locales,
    }),
    output: Page,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'precondition_failed'],
    example: { input: { ...examplePagePath, visible: true }, output: examplePage },
  }),
  move: endpoint({
    binding: onBranch('POST /api/sites/{configId}/{siteId}/pages/{id}/move'),
    summary: 'Move a page to a section of its site',
    description: 'Once the site is published again, the old address redirects to the new one.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onPage,
      sectionId,
      slug: PathPart.optional(),
      order: CategoryOrder.optional(),
    }),
    output: Page,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...examplePagePath, sectionId: examplePage.sectionId }, output: examplePage },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/sites/{configId}/{siteId}/pages/{id}'),
    summary: 'Delete a page',
    description: 'The item that it shows is not deleted.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({ ...onPage, dryRun }),
    output: z.object({ deleted: Page }).optional(),
    success: 204,
    errors: ['not_found', 'invalid_state', 'precondition_failed'],
    example: { input: examplePagePath },
  }),
}
