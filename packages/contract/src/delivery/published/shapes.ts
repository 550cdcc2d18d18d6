import { z } from 'zod'
import { Item } from '../../content/items/shapes.ts'

/** An item as the public sees it: what it says, and nothing about the people who work on it or of what is not published yet. */
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
}).meta({ id: 'PublishedItem', description: 'The published version of an item' })

/** A published item whole. */
export type PublishedItem = z.output<typeof PublishedItem>

/** A published item as read: with `select` only the chosen members, with `include` the published items it refers to. */
export const ReadPublishedItem = PublishedItem.partial()
  .extend({
    id: PublishedItem.shape.id,
    included: z
      .record(z.string(), z.array(PublishedItem))
      .optional()
      .describe('With `include`: the published items that each named field refers to, in its order'),
  })
  .meta({
    id: 'ReadPublishedItem',
    description: 'A published item, or the members of it that `select` names',
  })

/** oEmbed 1.0. */
export const OEmbed = z
  .object({
    version: z.literal('1.0'),
    type: z.enum(['photo', 'video', 'rich']),
    title: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    cache_age: z.int().describe('Seconds'),
    url: z.string().optional().describe('Of a photo: the picture'),
    html: z.string().optional().describe('Of a video or rich content: what to put into a page'),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'OEmbed', description: 'An oEmbed 1.0 answer' })
