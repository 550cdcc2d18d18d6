import { z } from 'zod'
import { exampleAsset, exampleAssetPath } from '../../files/assets/examples.ts'
import { madeToMeasure, Pixels, RenditionFormat, RenditionName } from '../../files/assets/shapes.ts'
import { BytesOut } from '../../binary.ts'
import { Id, listInput, longListOf, pickInput, publicAddressInput, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleItem } from '../../content/items/examples.ts'
import { version } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'
import { OEmbed, PublishedItem, ReadPublishedItem } from './shapes.ts'

/** What is public is a version for each locale, so a read is in one of them. */
const pickedInput = {
  ...pickInput,
  locale: pickInput.locale.describe(
    'Only in a repository with locales. The locale whose published version to read. Default: the default locale',
  ),
}

const inPublic = { configId: RepositoryRef }
const Slug = z.string().min(1).describe('The slug')
const Version = version
  .optional()
  .describe('`latest`, `latestpublished` or the number of the published version; any other number is 404')

const access =
  'Without a token if the repository is public (specification 5.4), otherwise with `items.read`. Only content that is published and not archived.'

const ofAsset = {
  ...inPublic,
  rendition: RenditionName,
  version: Version,
  format: RenditionFormat.optional(),
  download: z
    .union([z.literal(true), z.string().max(20)])
    .transform(String)
    .optional()
    .describe('If present, whatever its value, browsers save the response as a file'),
  ...madeToMeasure,
}

// Not parsed: that would compile the schema of items at every start.
const examplePublished = Object.fromEntries(
  Object.entries(exampleItem).filter(([name]) => name in PublishedItem.shape),
) as PublishedItem

/** Operations on published content. */
export const published = {
  items: endpoint({
    binding: 'GET /api/published/items/{configId}',
    summary: 'List published items',
    description: `${access} Filters and sorts use the published version, never a draft.`,
    permission: 'published',
    input: publicAddressInput({
      ...inPublic,
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      folderId: Id.optional().describe('Only items in this folder'),
      recursive: z.boolean().optional().describe('With `folderId`: also items in the folders below it'),
      text: z
        .string()
        .max(limits.search)
        .optional()
        .describe('Words that must all occur; each matches as a prefix'),
      ...listInput,
      ...pickedInput,
    }),
    output: longListOf(ReadPublishedItem),
    errors: ['not_found'],
    example: {
      input: { configId: 'magazine', type: 'article', sort: '-publishedDate', limit: 10 },
      output: { count: 1, items: [examplePublished] },
    },
  }),
  item: endpoint({
    binding: 'GET /api/published/items/{configId}/{id}',
    summary: 'Read a published item',
    description: access,
    permission: 'published',
    input: publicAddressInput({ ...inPublic, id: Id, version: Version, ...pickedInput }),
    output: ReadPublishedItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', id: exampleItem.id }, output: examplePublished },
  }),
  itemBySlug: endpoint({
    binding: 'GET /api/published/items/{configId}/slug/{slug}',
    summary: 'Read a published item by its slug',
    description: access,
    permission: 'published',
    input: publicAddressInput({ ...inPublic, slug: Slug, version: Version, ...pickedInput }),
    output: ReadPublishedItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', slug: exampleItem.slug }, output: examplePublished },
  }),
  asset: endpoint({
    binding: 'GET /api/published/assets/{configId}/{assetId}/{rendition}',
    summary: 'Fetch a published asset or one of its renditions',
    description: access,
    permission: 'published',
    input: publicAddressInput({ ...ofAsset, assetId: Id.describe('The asset') }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
    example: { input: { ...exampleAssetPath, rendition: 'thumbnail' } },
  }),
  assetBySlug: endpoint({
    binding: 'GET /api/published/assets/{configId}/slug/{slug}/{rendition}',
    summary: 'Fetch a published asset or one of its renditions, by the slug of its item',
    description: access,
    permission: 'published',
    input: publicAddressInput({ ...ofAsset, slug: Slug }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
    example: { input: { configId: 'magazine', slug: exampleAsset.slug, rendition: 'thumbnail' } },
  }),
  embed: endpoint({
    binding: 'GET /api/embed/{configId}/{assetId}',
    summary: 'Fetch a page that shows a published asset, for an iframe',
    description: `${access} HTML without scripts: a picture, a player for video or audio, or a link to any other file.`,
    permission: 'published',
    input: publicAddressInput({ ...inPublic, assetId: Id.describe('The asset') }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found'],
    example: { input: { ...exampleAssetPath } },
  }),
  oembed: endpoint({
    binding: 'GET /api/oembed',
    summary: 'Describe how to embed a published asset (oEmbed 1.0)',
    description: access,
    permission: 'published',
    input: publicAddressInput({
      url: z.string().min(1).max(2048).describe('A URL of this service: an embed page or a published asset'),
      maxwidth: Pixels.optional().describe('Maximum width in pixels'),
      maxheight: Pixels.optional().describe('Maximum height in pixels'),
      format: z.literal('json').optional().describe('Only JSON is supported'),
    }),
    output: OEmbed,
    errors: ['not_found'],
    example: {
      input: { format: 'json', url: `https://cms.example.org/api/embed/magazine/${exampleAsset.id}` },
      output: {
        version: '1.0',
        type: 'photo',
        title: exampleAsset.name,
        provider_name: 'Quire',
        provider_url: 'https://cms.example.org',
        cache_age: 300,
        url: `https://cms.example.org/api/published/assets/magazine/${exampleAsset.id}/original`,
        width: 1600,
        height: 1200,
      },
    },
  }),
}
