import { z } from 'zod'
import { endlessListOf, Id, listInput, PackageName, RepositoryRef, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { journalEvents } from '../events/words.ts'
import { exampleItem, exampleItemPath } from '../../content/items/examples.ts'
import { onRepository } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'
import { ActivityEntry, LogEntry } from './shapes.ts'

const page = { limit: listInput.limit, cursor: listInput.cursor }
const nextCursor = z
  .string()
  .optional()
  .describe(
    'Cursor of the next page: send it as `cursor`. Absent on the last page. A short page can still have a next one',
  )
const { configId } = exampleItemPath
const timestamp = '2026-09-21T14:25:00.000Z'
const user = exampleItem.updatedByUser

/** The history of content: what was done, and by whom. Append-only: entries are never changed. */
export const activity = {
  get: endpoint({
    binding: onBranch('GET /api/activity/{configId}/{assetId}'),
    summary: 'List what was done to an item, newest first',
    description:
      `Specification 2.11. In a package that has changed or pinned the item, this is its history there. Returns the newest ${limits.pageMost} entries, ` +
      'unless `limit` asks for fewer.',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({ ...onRepository, assetId: Id.describe('The item or asset'), ...page }),
    output: z.object({
      versionHistory: z
        .array(z.string())
        .describe(`The numbers of its versions, newest first, at most ${limits.pageMost}`),
      activity: z.array(ActivityEntry).describe('Newest first'),
      nextCursor,
    }),
    errors: ['not_found'],
    example: {
      input: { configId, assetId: exampleItem.id },
      output: {
        versionHistory: ['2', '1'],
        activity: [
          {
            version: '2',
            action: 'published',
            timestamp,
            user,
            status: 'published',
            comment: 'Goes to press',
          },
        ],
      },
    },
  }),
  list: endpoint({
    binding: 'GET /api/activity/{configId}',
    summary: 'List what was done in a repository, newest first',
    description:
      'Who did what, when and from where, on main and in packages. Entries about content that you may not read are left out. A page can have fewer ' +
      'entries than `limit` and still have a next page, especially with filters.',
    permission: { key: 'activity.view', on: 'repository' },
    input: z.strictObject({
      configId: RepositoryRef,
      entityId: Id.optional().describe('Only entries about the item, folder, package… with this id'),
      user: z.string().min(1).max(limits.id).optional().describe('Only what this user did, by `userName`'),
      event: z
        .enum(journalEvents)
        .optional()
        .describe('Only this event. Default: all except `AGENT_CALLED`, the calls of agents'),
      packageName: PackageName.optional().describe(
        'Only what was done on the branch of this package, and to the package itself',
      ),
      since: UnixMs.optional().describe('Only from this time on, Unix milliseconds'),
      until: UnixMs.optional().describe('Only before this time, Unix milliseconds'),
      ...page,
      skipCount: listInput.skipCount,
    }),
    output: endlessListOf(LogEntry),
    errors: ['not_found'],
    example: {
      input: { configId, event: 'ITEM_PUBLISHED', limit: 10 },
      output: {
        count: 1,
        items: [
          {
            timestamp,
            event: 'ITEM_PUBLISHED',
            entity: { kind: 'item', id: exampleItem.id, type: exampleItem.type, name: exampleItem.name },
            version: '2',
            status: 'published',
            packageName: null,
            user,
            address: '192.0.2.7',
            requestId: 'REQ_01JB2Q7V2X4Z6B8D0F2H4K6M8P',
            comment: 'Goes to press',
          },
        ],
      },
    },
  }),
}
