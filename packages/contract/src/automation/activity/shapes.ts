import { z } from 'zod'
import { UserRef } from '../../conventions.ts'

/** What the activity of an item calls its events: the one table. */
export const itemActions = {
  ITEM_CREATED: 'created',
  ITEM_UPDATED: 'updated',
  ITEM_DELETED: 'deleted',
  ITEM_UNDELETED: 'undeleted',
  ITEM_PUBLISHED: 'published',
  ITEM_UNPUBLISHED: 'unpublished',
  ITEM_ARCHIVED: 'archived',
  ITEM_UNARCHIVED: 'unarchived',
  ITEM_CATEGORIZED: 'categorized',
  ITEM_DECATEGORIZED: 'decategorized',
} as const

/** What was done to an item. */
export type ItemAction = (typeof itemActions)[keyof typeof itemActions]

const timestamp = z.string().describe('When, an ISO timestamp')
const comment = z
  .string()
  .optional()
  .describe('What was said of it; of what a merge brought, from which package')

/** One thing that was done to an item (specification 2.11). */
export const ActivityEntry = z
  .object({
    version: z.string().describe('The number of the version that was the newest after it'),
    action: z.enum(Object.values(itemActions)).describe('What was done'),
    timestamp,
    user: UserRef.describe('Who did it'),
    status: z.string().describe('The status of the item after it: `draft`, `published` or `archived`'),
    comment,
  })
  .meta({ id: 'ActivityEntry', description: 'One thing that was done to an item (specification 2.11)' })

/** What the log of a repository can be about. */
export const logKinds = [
  'item',
  'folder',
  'taxonomy',
  'category',
  'site',
  'section',
  'page',
  'package',
  'autoPackageRule',
  'renditionPreset',
  'query',
  'webhook',
  'index',
  'repository',
] as const

/** One of them. */
export type LogKind = (typeof logKinds)[number]

/** One entry of the log of a repository. */
export const LogEntry = z
  .object({
    timestamp,
    event: z.string().describe('`ITEM_PUBLISHED`, `PACKAGE_MERGED`…'),
    entity: z
      .object({
        kind: z.enum(logKinds),
        id: z.string(),
        type: z
          .string()
          .nullable()
          .describe('Of an item the name of its content type; null for everything else'),
        name: z.string().nullable().describe('What it is called now; null when it is gone'),
      })
      .describe('What it happened to'),
    version: z.string().nullable().describe('The number of the version that was the newest after it'),
    status: z.string().nullable().describe('The status of the item after it'),
    packageName: z.string().nullable().describe('On the line of which package; null: on the main line'),
    user: UserRef.describe('Who did it'),
    address: z
      .string()
      .nullable()
      .describe('The network address that it came from; null: from within, or not known'),
    requestId: z.string().describe('Of the request that did it; what one request did has one'),
    comment,
  })
  .meta({ id: 'LogEntry', description: 'One entry of the log of a repository' })

/** An entry of the log of a repository. */
export type LogEntry = z.output<typeof LogEntry>
