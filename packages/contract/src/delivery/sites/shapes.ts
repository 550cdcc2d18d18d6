import { z } from 'zod'
import { Description, Id, KebabName, UnixMs, UserRef } from '../../conventions.ts'
import { AncestorPath, StructureName, structureMembers } from '../../content/folders/shapes.ts'
import { limits } from '../../limits.ts'
import { CategoryOrder } from '../../content/taxonomies/shapes.ts'

// Names that Windows reserves for devices: a ZIP with such a folder cannot be unpacked there.
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])$/

/** The path segment of a section or page. It is also the name of a folder of static files. */
export const PathPart = z
  .string()
  .max(limits.slug)
  .regex(
    /^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{Nd}\p{M}]*(-[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{Nd}\p{M}]*)*$/u,
    'must be lower-case words with dashes in between',
  )
  .refine((slug) => slug === slug.normalize('NFC'), 'must be in the normal form C of Unicode')
  .refine(
    (slug) => new TextEncoder().encode(slug).length <= limits.pathPartBytes,
    `has more than ${limits.pathPartBytes} bytes of UTF-8: not every file system allows such a folder name`,
  )
  .refine((slug) => !devices.test(slug), {
    error: ({ input }) =>
      `"${String(input)}" is a device name on Windows: a folder there cannot have this name`,
  })
  .describe('Its path segment in addresses, unique among its siblings. Default: made from the name')

/** The name of a template of a site. */
export const TemplateName = z
  .string()
  .max(limits.templateName)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be lower-case words with dashes in between')
  .describe('The name of one of the templates of the site')

/** The templates of a site by name. */
export const Templates = z
  .record(TemplateName, z.string().max(limits.template))
  .refine(
    (templates) => Object.keys(templates).length <= limits.templates,
    `has more than ${limits.templates} templates`,
  )
  .describe(
    'Liquid templates by name. Each page names its template, layouts wrap the result, `not-found` is shown if there is no page; other templates can be used with `{% render %}`',
  )

/** Settings and metadata: plain values by name, for use in templates. */
export const TemplateValues = z
  .record(
    z.string().min(1).max(limits.name),
    z.union([z.string().max(limits.description), z.number(), z.boolean(), z.null()]),
  )
  .refine((values) => Object.keys(values).length <= 100, 'has more than 100 members')

/** Settings of a site: values by name, for use in templates. `locales` decides how it is published. */
export const SiteSettings = z
  .record(
    z.string().min(1).max(limits.name),
    z.union([
      z.string().max(limits.description),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.string().max(limits.name)).max(100),
    ]),
  )
  .refine((values) => Object.keys(values).length <= 100, 'has more than 100 members')
  .describe(
    'Plain values and lists of texts that templates read as `site.settings`. `locales`: the codes of the locales in which the site is published; ' +
      'the default locale without a prefix, the others under `/<code>/`. Default: the default locale alone',
  )

/** The public address of a site that is hosted elsewhere. */
export const SiteBaseUrl = z
  .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)])
  .transform((url) => url.replace(/\/+$/, ''))
  .describe(
    'Public address of the site without a trailing slash, for the sitemap and canonical links; empty: the address at which this service serves it',
  )

/** The content of a site: everything that a save can change. */
export const SiteContent = z.object({
  name: StructureName,
  slug: KebabName.describe('The path segment of the site: `/sites/<slug>/`. Unique among published sites'),
  description: Description,
  baseUrl: SiteBaseUrl,
  templates: Templates,
  layoutTemplate: TemplateName.nullable().describe('The template around every page; null: none'),
  homeSectionId: Id.nullable().describe(
    'The section whose root page is the home page. Its slug is left out of addresses; null: none',
  ),
  settings: SiteSettings,
})

/** A site. */
export const Site = z
  .object({ id: Id, repositoryId: Id, ...SiteContent.shape, ...structureMembers })
  .meta({ id: 'Site', description: 'A site: sections with pages, published together' })

/** A site. */
export type Site = z.output<typeof Site>

/** What a section has in another locale than the default one. */
export const SectionTranslation = z.strictObject({
  name: StructureName.optional(),
  slug: PathPart.optional().describe('Its path segment in this locale'),
  description: Description.optional(),
})

/** What a page has in another locale than the default one. */
export const PageTranslation = SectionTranslation.extend({
  meta: TemplateValues.optional().describe('Values besides those of the page, or instead of them'),
})

const localesOf = <T extends z.ZodType>(translation: T) =>
  z
    .record(z.string().min(1).max(limits.localeCode), translation)
    .refine(
      (byCode) => Object.keys(byCode).length <= limits.locales,
      `has more than ${limits.locales} members`,
    )
    .describe(
      'By the code of a locale, other than the default one: what differs there. What a locale lacks is that of its fallback',
    )

/** The content of a section: everything that a save can change. */
export const SectionContent = z.object({
  siteId: Id,
  parentId: Id.nullable().describe('The parent section; null at the top level'),
  name: StructureName,
  slug: PathPart,
  description: Description,
  order: CategoryOrder,
  rootPageId: Id.nullable().describe('The page that is shown at the address of the section; null: none'),
  layoutTemplate: TemplateName.nullable().describe(
    'The template around its pages, inside the layout of the site; null: the template of the parent section',
  ),
  locales: localesOf(SectionTranslation).optional(),
})

/** A section of a site. */
export const Section = z
  .object({ id: Id, repositoryId: Id, ...SectionContent.shape, ...structureMembers, path: AncestorPath })
  .meta({ id: 'Section', description: 'A section of a site' })

/** A section of a site. */
export type Section = z.output<typeof Section>

/** The content of a page: everything that a save can change. */
export const PageContent = z.object({
  siteId: Id,
  sectionId: Id.describe('The section that the page is in'),
  name: StructureName,
  slug: PathPart,
  description: Description,
  itemId: Id.nullable().describe('The item that the page shows; null: none, the page is only its template'),
  template: TemplateName.describe('The template that shows the item'),
  order: CategoryOrder,
  visible: z.boolean().describe('Whether the page is included when the site is published'),
  meta: TemplateValues.describe('Plain values that templates read as `page.meta`'),
  locales: localesOf(PageTranslation).optional(),
})

/** A page of a site. */
export const Page = z
  .object({
    id: Id,
    repositoryId: Id,
    ...PageContent.shape,
    ...structureMembers,
    path: AncestorPath.describe('The sections that the page is in, the topmost first'),
  })
  .meta({ id: 'Page', description: 'A page of a site: an item, shown through a template' })

/** A page of a site. */
export type Page = z.output<typeof Page>

/** A section or page in the tree of a site. */
export const SiteNode = z
  .object({
    kind: z.enum(['section', 'page']),
    id: Id,
    name: z.string(),
    slug: z.string(),
    parentId: Id.nullable().describe('The parent section; null at the top level'),
    depth: z.int().describe('1 at the top level'),
    path: z
      .string()
      .describe('Path within the site, without leading and trailing slashes; empty: the home page'),
    isRoot: z.boolean().describe('For a page: whether it is the root page of its section'),
    itemId: Id.nullable().describe('For a page: the item that it shows'),
    visible: z.boolean().describe('For a page: whether it is included when the site is published'),
    order: CategoryOrder,
  })
  .meta({ id: 'SiteNode', description: 'A section or page in the tree of a site' })

/** A publication: one immutable published state of a site. */
export const Publication = z
  .object({
    id: Id,
    repositoryId: Id,
    siteId: Id,
    number: z.int().describe('1, 2, 3… for each site'),
    isActive: z.boolean().describe('Whether it is the publication that is served'),
    pages: z.int().describe('Number of pages'),
    rendered: z
      .int()
      .describe(
        'Number of pages that were rendered for it; the others were reused from the previous publication',
      ),
    files: z.int().describe('Number of files: pages, pictures, sitemap and robots.txt'),
    bytes: z.int().describe('Size of all files in bytes'),
    redirects: z.int().describe('Number of redirects from old addresses of moved pages'),
    comment: z.string().describe('Comment of the publish'),
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
