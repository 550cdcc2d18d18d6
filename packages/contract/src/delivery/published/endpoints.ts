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

const inPublic = { configId: RepositoryRef }
const Slug = z.string().min(1).describe('The slug')
const Version = version
  .optional()
  .describe('`latest` and `latestpublished` are the published version, any other number is not found')

const access =
  'Without a token where the repository is public (specification 5.4), else with `items.read`. Only what is published and not archived.'

const ofAsset = {
  ...inPublic,
  rendition: RenditionName,
  version: Version,
  format: RenditionFormat.optional(),
  download: z
    .union([z.literal(true), z.string().max(20)])
    .transform(String)
    .optional()
    .describe('When set, whatever it says, the answer is to be saved'),
  ...madeToMeasure,
}

// Not parsed: that would compile the schema of items at every start.
const examplePublished = Object.fromEntries(
  Object.entries(exampleItem).filter(([name]) => name in PublishedItem.shape),
) as PublishedItem

/** What is published. */
export const published = {
  items: endpoint({
    binding: 'GET /api/published/items/{configId}',
    summary: 'List published items',
    description: `${access} Filters and sorts see the published version, never a draft.`,
    permission: 'published',
    input: publicAddressInput({
      ...inPublic,
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      folderId: Id.optional().describe('Only items in this folder'),
      recursive: z.boolean().optional().describe('With `folderId`: also in the folders below it'),
      text: z.string().max(limits.search).optional().describe('Words that must all occur, each as a prefix'),
      ...listInput,
      ...pickInput,
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
    input: publicAddressInput({ ...inPublic, id: Id, version: Version, ...pickInput }),
    output: ReadPublishedItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', id: exampleItem.id }, output: examplePublished },
  }),
  itemBySlug: endpoint({
    binding: 'GET /api/published/items/{configId}/slug/{slug}',
    summary: 'Read a published item by its slug',
    description: access,
    permission: 'published',
    input: publicAddressInput({ ...inPublic, slug: Slug, version: Version, ...pickInput }),
    output: ReadPublishedItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', slug: exampleItem.slug }, output: examplePublished },
  }),
  asset: endpoint({
    binding: 'GET /api/published/assets/{configId}/{assetId}/{rendition}',
    summary: 'Fetch a published asset or a rendition of it',
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
    summary: 'Fetch a published asset or a rendition of it by the slug of its item',
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
    summary: 'A page with the published asset in it, for an iframe',
    description: `${access} HTML without scripts: a picture, a player for film or sound, else a link to the file.`,
    permission: 'published',
    input: publicAddressInput({ ...inPublic, assetId: Id.describe('The asset') }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found'],
    example: { input: { ...exampleAssetPath } },
  }),
  oembed: endpoint({
    binding: 'GET /api/oembed',
    summary: 'What to show of an address of a published asset (oEmbed 1.0)',
    permission: 'published',
    input: publicAddressInput({
      url: z.string().min(1).max(2048).describe('An address of this service: an embed or a published asset'),
      maxwidth: Pixels.optional().describe('Pixels of the width at most'),
      maxheight: Pixels.optional().describe('Pixels of the height at most'),
      format: z.literal('json').optional().describe('JSON is what there is'),
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
