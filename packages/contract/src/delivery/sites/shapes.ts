import { z } from 'zod'
import { Description, Id, KebabName, UnixMs, UserRef } from '../../conventions.ts'
import { AncestorPath, StructureName, structureMembers } from '../../content/folders/shapes.ts'
import { limits } from '../../limits.ts'
import { CategoryOrder } from '../../content/taxonomies/shapes.ts'

// What Windows takes for a device. Such a folder of a ZIP cannot be unpacked there.
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])$/

/** What stands for a section or page in addresses, and names a folder of static files. */
export const PathPart = z
  .string()
  .max(limits.slug)
  .regex(
    /^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+)*$/u,
    'must be lower-case words with dashes between',
  )
  .refine(
    (slug) => new TextEncoder().encode(slug).length <= limits.pathPartBytes,
    `has more than ${limits.pathPartBytes} bytes of UTF-8: no folder can be called so everywhere`,
  )
  .refine((slug) => !devices.test(slug), {
    error: ({ input }) =>
      `"${String(input)}" is what Windows calls a device: no folder can be called so there`,
  })
  .describe('Its part of addresses; among those beside it no other has it. Default: made of the name')

/** The name of a template of a site. */
export const TemplateName = z
  .string()
  .max(limits.templateName)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be lower-case words with dashes between')
  .describe('The name of one of the templates of the site')

/** The templates of a site by name. */
export const Templates = z
  .record(TemplateName, z.string().max(limits.template))
  .refine(
    (templates) => Object.keys(templates).length <= limits.templates,
    `has more than ${limits.templates} templates`,
  )
  .describe(
    'Liquid templates by name. Pages name theirs, layouts wrap what pages give, `not-found` is shown where there is no page, any other is for `{% render %}`',
  )

/** Settings and meta values: plain values by name, for templates. */
export const TemplateValues = z
  .record(
    z.string().min(1).max(limits.name),
    z.union([z.string().max(limits.description), z.number(), z.boolean(), z.null()]),
  )
  .refine((values) => Object.keys(values).length <= 100, 'has more than 100 members')

/** Where a site will be found once it is hosted elsewhere. */
export const SiteBaseUrl = z
  .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)])
  .transform((url) => url.replace(/\/+$/, ''))
  .describe(
    'Its public address without a trailing slash, for sitemap and canonical links; empty: where this service serves it',
  )

/** What a site says: all that a save can change. */
export const SiteContent = z.object({
  name: StructureName,
  slug: KebabName.describe('Its part of addresses: `/sites/<slug>/`. Among published sites no other has it'),
  description: Description,
  baseUrl: SiteBaseUrl,
  templates: Templates,
  layoutTemplate: TemplateName.nullable().describe('The template around every page; null: none'),
  homeSectionId: Id.nullable().describe(
    'The section whose root page is the home page, and whose slug is in no address; null: none',
  ),
  settings: TemplateValues.describe('Plain values that templates read as `site.settings`'),
})

/** A site. */
export const Site = z
  .object({ id: Id, repositoryId: Id, ...SiteContent.shape, ...structureMembers })
  .meta({ id: 'Site', description: 'A site: sections with pages, published together' })

/** A site. */
export type Site = z.output<typeof Site>

/** What a section says: all that a save can change. */
export const SectionContent = z.object({
  siteId: Id,
  parentId: Id.nullable().describe('The section that it stands in; null at the top'),
  name: StructureName,
  slug: PathPart,
  description: Description,
  order: CategoryOrder,
  rootPageId: Id.nullable().describe(
    'The page that is shown at the address of the section itself; null: none',
  ),
  layoutTemplate: TemplateName.nullable().describe(
    'The template around its pages, within that of the site; null: that of the section it stands in',
  ),
})

/** A section of a site. */
export const Section = z
  .object({ id: Id, repositoryId: Id, ...SectionContent.shape, ...structureMembers, path: AncestorPath })
  .meta({ id: 'Section', description: 'A section of a site' })

/** A section of a site. */
export type Section = z.output<typeof Section>

/** What a page says: all that a save can change. */
export const PageContent = z.object({
  siteId: Id,
  sectionId: Id.describe('The section that it stands in'),
  name: StructureName,
  slug: PathPart,
  description: Description,
  itemId: Id.nullable().describe('The item that it shows; null: none, then the page is its template alone'),
  template: TemplateName.describe('The template of the site that shows the item'),
  order: CategoryOrder,
  visible: z.boolean().describe('Whether it is published'),
  meta: TemplateValues.describe('Plain values that templates read as `page.meta`'),
})

/** A page of a site. */
export const Page = z
  .object({
    id: Id,
    repositoryId: Id,
    ...PageContent.shape,
    ...structureMembers,
    path: AncestorPath.describe('The sections that it stands in, the top first'),
  })
  .meta({ id: 'Page', description: 'A page of a site: an item, shown through a template' })

/** A page of a site. */
export type Page = z.output<typeof Page>

/** Something in the tree of a site. */
export const SiteNode = z
  .object({
    kind: z.enum(['section', 'page']),
    id: Id,
    name: z.string(),
    slug: z.string(),
    parentId: Id.nullable().describe('The section that it stands in; null at the top'),
    depth: z.int().describe('1 at the top'),
    path: z.string().describe('Its address within the site, without slashes around; empty: the home page'),
    isRoot: z.boolean().describe('Of a page: whether it is the root page of its section'),
    itemId: Id.nullable().describe('Of a page: the item that it shows'),
    visible: z.boolean().describe('Of a page: whether it is published'),
  })
  .meta({ id: 'SiteNode', description: 'A section or page in the order of the tree of its site' })

/** A publication: one immutable published state of a site. */
export const Publication = z
  .object({
    id: Id,
    repositoryId: Id,
    siteId: Id,
    number: z.int().describe('1, 2, 3… for each site'),
    isActive: z.boolean().describe('Whether it is the one that is served'),
    pages: z.int().describe('Pages in it'),
    rendered: z.int().describe('Pages that were rendered for it; the others were taken from the one before'),
    files: z.int().describe('Files in it: pages, pictures, sitemap and robots'),
    bytes: z.int().describe('Bytes of all files'),
    redirects: z.int().describe('Addresses of pages that moved, which lead to where they are now'),
    comment: z.string().describe('What was said of it'),
    createdDate: UnixMs,
    createdByUser: UserRef,
  })
  .meta({ id: 'Publication', description: 'One immutable published state of a site' })

/** A publication. */
export type Publication = z.output<typeof Publication>

/** Where an item is shown (specification 2.12). */
export const SiteReference = z
  .object({
    siteId: z.string(),
    siteName: z.string(),
    sectionName: z.string(),
    sectionSlug: z.string(),
    path: z
      .array(z.object({ name: z.string(), slug: z.string().nullable() }))
      .optional()
      .describe('Ancestor sections from the top level down to the containing section'),
    pageName: z.string().nullable().optional(),
    pageSlug: z.string().nullable().optional(),
    isRoot: z
      .boolean()
      .optional()
      .describe("Whether the page is its section's root page, so that it is not repeated in a breadcrumb"),
    packageName: z.string().nullable().optional(),
  })
  .meta({ id: 'SiteReference', description: 'Where an item is shown (specification 2.12)' })

/** Where an item is shown. */
export type SiteReference = z.output<typeof SiteReference>
