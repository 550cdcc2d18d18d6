import { z } from 'zod'
import { RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleItem, exampleItemPath } from '../../content/items/examples.ts'
import { limits } from '../../limits.ts'
import { EventMessage } from './shapes.ts'
import { journalEvents } from './words.ts'

const event = z.enum(journalEvents, { error: ({ input }) => `there is no event ${JSON.stringify(input)}` })

/** Events as they happen. */
export const events = {
  stream: endpoint({
    binding: 'GET /api/events',
    summary: 'Stream events as they happen',
    description:
      'Streams every change in the repositories that you may see, on main and in packages, in the order of commits. Changes that ' +
      'you may not read are left out, by your permissions at that moment. The stream starts now, or after `lastEventId` to continue ' +
      'an earlier stream. It ends when your token expires. At most ' +
      `${limits.streamsOfOne} streams can be open per account, and ${limits.streamsOfAll} in total.`,
    permission: 'authenticated',
    input: z.strictObject({
      repositories: z
        .array(RepositoryRef)
        .min(1)
        .max(limits.inList)
        .optional()
        .describe('Only events in these repositories, by id or name. Default: all that you may see'),
      events: z
        .array(event)
        .min(1)
        .max(journalEvents.length)
        .optional()
        .describe('Only these events: `ITEM_PUBLISHED,ITEM_ARCHIVED`. Default: all'),
      lastEventId: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe(
          'The `id` of the last event that you received: later events are sent first. Default: only new events',
        ),
    }),
    output: EventMessage,
    errors: ['too_many_requests'],
    answer: 'events',
    example: {
      input: { repositories: [exampleItemPath.configId], events: ['ITEM_PUBLISHED', 'ITEM_ARCHIVED'] },
      output: {
        id: 'WyJqb3VybmFsIiw0MjE3XQ',
        event: 'ITEM_PUBLISHED',
        repositoryId: exampleItem.repositoryId,
        packageName: null,
        entityId: exampleItem.id,
        entityType: exampleItem.type,
        version: '2',
        status: 'published',
        date: 1_790_000_700_000,
        user: exampleItem.updatedByUser,
      },
    },
  }),
}
