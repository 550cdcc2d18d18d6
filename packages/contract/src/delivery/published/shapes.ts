import { z } from 'zod'
import { Item } from '../../content/items/shapes.ts'

/**
 * An item as the public sees it: its content, but nothing about its authors or about unpublished
 * versions.
 */
export const PublishedItem = Item.pick({
  id: true,
  repositoryId: true,
  name: true,
  type: true,
  slug: true,
  slugSearch: true,
  description: true,
  folderId: true,
  fields: true,
  taxonomies: true,
  currentVersion: true,
  createdDate: true,
  updatedDate: true,
  publishedDate: true,
  fileExtension: true,
  originalFileName: true,
  asset: true,
  renditions: true,
  cardPreview: true,
  locale: true,
  fallbacks: true,
}).meta({ id: 'PublishedItem', description: 'The published version of an item' })

/** A complete published item. */
export type PublishedItem = z.output<typeof PublishedItem>

/**
 * A published item as a read returns it: with `select` only the chosen members, with `include` also
 * the published items it refers to. The OpenAPI document lists all members of a published item as
 * required, as it does for `ReadItem`.
 */
export const ReadPublishedItem = PublishedItem.partial()
  .extend({
    id: PublishedItem.shape.id,
    included: z
      .record(z.string(), z.array(PublishedItem))
      .optional()
      .describe(
        'With `include`: the published items that each of these fields refers to, in the order of the field',
      ),
  })
  .meta({
    id: 'ReadPublishedItem',
    description: 'A published item. If the request has `select`, it has only the members that `select` names',
  })

/** An oEmbed 1.0 response. */
export const OEmbed = z
  .object({
    version: z.literal('1.0'),
    type: z.enum(['photo', 'video', 'rich']),
    title: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    cache_age: z.int().describe('Seconds for which the response may be cached'),
    url: z.string().optional().describe('For a photo: the URL of the picture'),
    html: z.string().optional().describe('For a video or rich content: the HTML to put into a page'),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'OEmbed', description: 'An oEmbed 1.0 response' })
