import { z } from 'zod'
import { UnixMs, UserRef } from '../../conventions.ts'

/** An event, as the event stream sends it. */
export const EventMessage = z
  .object({
    id: z
      .string()
      .describe(
        'Position of the event: send it as `lastEventId` to continue a stream after it. The text differs for each reader',
      ),
    event: z.string().describe('`ITEM_PUBLISHED`, `PACKAGE_MERGED`…'),
    repositoryId: z.string().describe('Id of the repository'),
    packageName: z.string().nullable().describe('The package on whose branch it happened; null: main'),
    entityId: z.string().describe('Id of the item, folder, package… that changed'),
    entityType: z
      .string()
      .describe('Name of the content type of an item; the kind of everything else: `folder`, `package`…'),
    version: z.string().nullable().describe('Number of the newest version afterwards'),
    status: z.string().nullable().describe('Status of the item afterwards'),
    date: UnixMs.describe('Time in Unix milliseconds'),
    user: UserRef.describe('Who did it'),
    locales: z
      .array(z.string())
      .optional()
      .describe('Of an item in a repository with locales: those whose values or publication changed'),
    tags: z
      .array(z.string())
      .optional()
      .describe('Only of `CACHE_TAGS_PURGED`: the cache tags of public responses that changed'),
  })
  .meta({ id: 'EventMessage', description: 'An event' })

/** An event, as the event stream sends it. */
export type EventMessage = z.output<typeof EventMessage>
