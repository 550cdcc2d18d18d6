import { z } from 'zod'
import { ProgramName, UserRef } from '../../conventions.ts'

/** The name of each item event in the activity of an item. */
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

/** An action in the activity of an item. */
export type ItemAction = (typeof itemActions)[keyof typeof itemActions]

const timestamp = z.string().describe('Time as an ISO timestamp')
const comment = z
  .string()
  .optional()
  .describe('The comment of the change; for changes from a merge, which package they came from')

/** An entry in the activity of an item (specification 2.11). */
export const ActivityEntry = z
  .object({
    version: z.string().describe('Number of the newest version afterwards'),
    action: z.enum(Object.values(itemActions)).describe('What was done'),
    timestamp,
    user: UserRef.describe('Who did it'),
    status: z.string().describe('Status of the item afterwards: `draft`, `published` or `archived`'),
    program: ProgramName,
    comment,
  })
  .meta({ id: 'ActivityEntry', description: 'An entry in the activity of an item (specification 2.11)' })

/** The kinds of entities in the activity log of a repository. */
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
  'account',
] as const

/** A kind of entity in the activity log. */
export type LogKind = (typeof logKinds)[number]

/** A call of an agent. */
export const AgentCall = z
  .object({
    operation: z.string().describe('`items.update`…'),
    outcome: z.string().describe('`ok`, or the code of the error'),
    bytes: z.int().describe('Bytes of the input and of the response, as far as they were known at its end'),
    warning: z
      .enum(['not_branch_only'])
      .optional()
      .describe('`not_branch_only`: the account may change main. Set `branchOnly` on it'),
  })
  .optional()
  .describe('Of `AGENT_CALLED`: the call')

/** An entry in the activity log of a repository. */
export const LogEntry = z
  .object({
    timestamp,
    event: z.string().describe('`ITEM_PUBLISHED`, `PACKAGE_MERGED`…'),
    entity: z
      .object({
        kind: z.enum(logKinds),
        id: z.string(),
        type: z.string().nullable().describe('Name of the content type of an item; null for everything else'),
        name: z.string().nullable().describe('Current name; null if it no longer exists'),
      })
      .describe('The entity that changed'),
    version: z.string().nullable().describe('Number of the newest version afterwards'),
    status: z.string().nullable().describe('Status of the item afterwards'),
    packageName: z
      .string()
      .nullable()
      .describe(
        'The package on whose branch it happened; null: main. Of `AGENT_CALLED`: the package that the call named',
      ),
    user: UserRef.describe('Who did it'),
    address: z
      .string()
      .nullable()
      .describe('Network address of the caller; null: the service itself, or not known'),
    requestId: z.string().describe('Id of the request; all entries of one request have the same id'),
    program: ProgramName,
    call: AgentCall,
    comment,
  })
  .meta({ id: 'LogEntry', description: 'An entry in the activity log of a repository' })

/** An entry in the activity log of a repository. */
export type LogEntry = z.output<typeof LogEntry>
