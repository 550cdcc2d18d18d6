import { z } from 'zod'
import { UnixMs, UserRef } from '../../conventions.ts'

/** Something that happened, as whoever follows what happens is told it. */
export const EventMessage = z
  .object({
    id: z
      .string()
      .describe(
        'Its place: sent as `lastEventId`, it lets a stream go on after it. Another text for each reader',
      ),
    event: z.string().describe('`ITEM_PUBLISHED`, `PACKAGE_MERGED`…'),
    repositoryId: z.string().describe('The repository that it happened in'),
    packageName: z.string().nullable().describe('On the line of which package; null: on the main line'),
    entityId: z.string().describe('The item, folder, package… that it happened to'),
    entityType: z
      .string()
      .describe('Of an item the name of its content type, of everything else its kind: `folder`, `package`…'),
    version: z.string().nullable().describe('The number of the version that was the newest after it'),
    status: z.string().nullable().describe('The status of the item after it'),
    date: UnixMs.describe('When, Unix milliseconds'),
    user: UserRef.describe('Who did it'),
  })
  .meta({ id: 'EventMessage', description: 'Something that happened' })

/** Something that happened. */
export type EventMessage = z.output<typeof EventMessage>
