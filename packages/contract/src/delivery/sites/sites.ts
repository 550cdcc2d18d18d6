import { z } from 'zod'
import { BytesOut } from '../../binary.ts'
import { Description, Id, KebabName, longListOf, publicAddressInput, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { recursive } from '../../content/folders/inputs.ts'
import { Named, StructureName } from '../../content/folders/shapes.ts'
import { comment, dryRun, onRepository } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'
import { exampleJob } from '../../automation/queue/examples.ts'
import { Job } from '../../automation/queue/shapes.ts'
import { examplePage, examplePublication, exampleSection, exampleSite, exampleSitePath } from './examples.ts'
import { onSite, siteListInput } from './inputs.ts'
import { Publication, Site, SiteBaseUrl, SiteContent, SiteNode, Templates } from './shapes.ts'

const { layoutTemplate, homeSectionId, settings } = SiteContent.shape

const FilePath = z.string().max(4000).default('').describe('Path within the site; empty: the home page')

const Template = Templates.optional().describe(
  'Templates by name; they replace all existing ones. Default for a new site: a plain layout and page',
)

/** Operations on sites. The sections and pages of a site are published together. */
export const sites = {
  list: endpoint({
    binding: onBranch('GET /api/sites/{configId}'),
    summary: 'List the sites of a repository, ordered by name',
    description: 'Only sites that you may see.',
    permission: { key: 'sites.view', on: 'each' },
    input: z.strictObject({ ...onRepository, ...siteListInput }),
    output: longListOf(Site),
    errors: ['not_found'],
    example: { input: { configId: 'magazine' }, output: { count: 1, items: [exampleSite] } },
  }),
  get: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}'),
    summary: 'Read a site',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({
      ...onSite,
      at: UnixMs.optional().describe('The site as it was or will be at this time, Unix milliseconds'),
    }),
    output: Site,
    errors: ['not_found', 'merge_conflict'],
    example: { input: exampleSitePath, output: exampleSite },
  }),
  create: endpoint({
    binding: onBranch('POST /api/sites/{configId}'),
    summary: 'Create a site',
    description:
      'Without templates it gets a plain layout and a plain page, so that it can be published at once.',
    permission: { key: 'sites.update', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      name: StructureName,
      slug: KebabName,
      description: Description.default(''),
      baseUrl: SiteBaseUrl.default(''),
      templates: Template,
      layoutTemplate: layoutTemplate
        .optional()
        .describe('The template around every page. Default: `layout`, if there is one'),
      settings: settings.default({}),
    }),
    output: Site,
    success: 201,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: { configId: 'magazine', name: exampleSite.name, slug: exampleSite.slug },
      output: exampleSite,
    },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/sites/{configId}/{siteId}'),
    summary: 'Change a site',
    description: 'The published site stays as it is until it is published again.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSite,
      name: StructureName.optional(),
      slug: KebabName.optional(),
      description: Description.optional(),
      baseUrl: SiteBaseUrl.optional(),
      templates: Template,
      layoutTemplate: layoutTemplate.optional(),
      homeSectionId: homeSectionId.optional(),
      settings: settings.optional(),
    }),
    output: Site,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'precondition_failed'],
    example: {
      input: { ...exampleSitePath, homeSectionId: exampleSite.homeSectionId },
      output: exampleSite,
    },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/sites/{configId}/{siteId}'),
    summary: 'Delete a site',
    description:
      'A site with sections needs `recursive`. Its sections and pages are then deleted too, at most 1000. A site that is deleted on main is no longer served.',
    permission: { key: 'sites.update', on: 'site', to: 'change' },
    input: z.strictObject({ ...onSite, recursive, dryRun }),
    output: z
      .object({
        deleted: Site,
        sections: z.array(Named).describe('Sections that are deleted with it'),
        pages: z.array(Named).describe('Pages that are deleted with it'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'invalid_state', 'precondition_failed'],
    example: { input: { ...exampleSitePath, recursive: true } },
  }),
  tree: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/tree'),
    summary: 'Read the tree of a site: its sections and pages with their paths',
    description:
      'Each section is followed by its pages, then by the sections in it; siblings are ordered by `order`, then by name. ' +
      'At most 10000 entries.',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({
      ...onSite,
      at: UnixMs.optional().describe('The tree as it was or will be at this time, Unix milliseconds'),
    }),
    output: z.object({ count: z.int().describe('Entries in the response'), items: z.array(SiteNode) }),
    errors: ['not_found', 'merge_conflict'],
    example: {
      input: exampleSitePath,
      output: {
        count: 2,
        items: [
          {
            kind: 'section',
            id: exampleSection.id,
            name: exampleSection.name,
            slug: exampleSection.slug,
            parentId: null,
            depth: 1,
            path: '',
            isRoot: false,
            itemId: null,
            visible: true,
            order: exampleSection.order,
          },
          {
            kind: 'page',
            id: examplePage.id,
            name: examplePage.name,
            slug: examplePage.slug,
            parentId: exampleSection.id,
            depth: 2,
            path: examplePage.slug,
            isRoot: false,
            itemId: examplePage.itemId,
            visible: true,
            order: examplePage.order,
          },
        ],
      },
    },
  }),
  publish: endpoint({
    binding: 'POST /api/sites/{configId}/{siteId}/publish',
    summary: 'Publish a site',
    description:
      'Queues a job and returns it. The new publication contains every visible page whose item is published, and replaces the previous one ' +
      'atomically. Pages that would not change are not rendered again. If a template fails or an item is missing, the job fails ' +
      'with the page, template and line, and the site stays as it was.',
    permission: { key: 'sites.publish', on: 'site', to: 'change' },
    input: z.strictObject({
      ...onSiteOfMain(),
      comment,
      full: z.boolean().default(false).describe('Render every page again'),
    }),
    output: Job,
    success: 202,
    errors: ['not_found', 'idempotency_mismatch'],
    example: { input: exampleSitePath, output: exampleJob },
  }),
  publications: endpoint({
    binding: 'GET /api/sites/{configId}/{siteId}/publications',
    summary: 'List the publications of a site, newest first',
    description: `The active publication and the ${limits.publications} newest are kept.`,
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject(onSiteOfMain()),
    output: z.object({ count: z.int(), items: z.array(Publication) }),
    errors: ['not_found'],
    example: { input: exampleSitePath, output: { count: 1, items: [examplePublication] } },
  }),
  rollback: endpoint({
    binding: 'POST /api/sites/{configId}/{siteId}/publications/{id}/activate',
    withoutRoom: true,
    summary: 'Serve an earlier publication again',
    description:
      'It is served at the current address of the site, even if the slug of the site has changed since.',
    permission: { key: 'sites.publish', on: 'site', to: 'change' },
    input: z.strictObject({ ...onSiteOfMain(), id: Id.describe('The publication') }),
    output: Publication,
    errors: ['not_found', 'idempotency_mismatch'],
    example: {
      input: { ...exampleSitePath, id: examplePublication.id },
      output: examplePublication,
    },
  }),
  export: endpoint({
    binding: 'GET /api/sites/{configId}/{siteId}/publications/{id}/zip',
    summary: 'Download a publication as static files',
    description:
      'A ZIP archive that any static host can serve as it is. The old address of a moved page is a page that redirects.',
    permission: { key: 'sites.view', on: 'site' },
    input: z.strictObject({ ...onSiteOfMain(), id: Id.describe('The publication') }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'too_many_requests'],
    example: { input: { ...exampleSitePath, id: examplePublication.id } },
  }),
  preview: endpoint({
    binding: onBranch('GET /api/sites/{configId}/{siteId}/preview/{path*}'),
    summary: 'Preview a page on main or in a package as it would be published',
    description:
      'HTML, rendered on request from the newest versions, drafts included, as far as you may read them. Scripts and forms are blocked, so that the page cannot act on behalf of its viewer.',
    permission: { key: 'sites.view', on: 'site' },
    input: publicAddressInput({
      ...onSite,
      path: FilePath,
      at: UnixMs.optional().describe(
        'The page at this time, Unix milliseconds: as it was, or as it will be after what is scheduled for its items, and after the packages that merge until then',
      ),
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'invalid_state', 'version_forgotten', 'merge_conflict'],
    example: { input: { ...exampleSitePath, path: 'articles/ink' } },
  }),
  serve: endpoint({
    binding: 'GET /sites/{siteSlug}/{path*}',
    summary: 'Fetch a page or a file of a published site',
    description:
      'Without a token if the repository is public (specification 5.4), otherwise with `sites.view`. A caller that prefers `text/html` gets a 404 ' +
      'as a page: from the template `not-found`, or a plain one.',
    permission: 'published',
    input: publicAddressInput({ siteSlug: KebabName, path: FilePath }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'range_not_satisfiable'],
    example: { input: { siteSlug: exampleSite.slug, path: 'articles/ink' } },
  }),
}

/** Publications are made only from main. */
function onSiteOfMain() {
  const { configId, siteId } = onSite
  return { configId, siteId }
}
