import { z } from 'zod'
import { RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleItem, exampleItemPath } from '../../content/items/examples.ts'
import { limits } from '../../limits.ts'
import { EventMessage } from './shapes.ts'
import { journalEvents } from './words.ts'

const event = z.enum(journalEvents, { error: ({ input }) => `there is no event ${JSON.stringify(input)}` })

/** What happens, while it happens. */
export const events = {
  stream: endpoint({
    binding: 'GET /api/events',
    summary: 'Follow what happens',
    description:
      'Everything that is written in the repositories that you may see, on main and in packages, in the order in which it was committed: what ' +
      'you may not read is left out, by your rights as they are at that moment. From now on, or from where an earlier stream ended: ' +
      '`lastEventId`. The stream ends with your token. At most ' +
      `${limits.streamsOfOne} streams of an account are open at a time, and ${limits.streamsOfAll} of all.`,
    permission: 'authenticated',
    input: z.strictObject({
      repositories: z
        .array(RepositoryRef)
        .min(1)
        .max(limits.inList)
        .optional()
        .describe('Only what happens in these repositories, by id or name. Default: all that you may see'),
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
          'The `id` of the last event that you have: what came after it is sent first. Default: from now on',
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
