import { z } from 'zod'
import { Id, listInput, listOf, longListOf, pickInput, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { localeInput } from '../locales/inputs.ts'
import { exampleItem, exampleItemPath } from './examples.ts'
import { onItem, onRepository, version, someLocales } from './inputs.ts'
import { FieldChange, IssueShape, ReadItem, VersionInfo } from './shapes.ts'

const ScheduledChange = z
  .object({
    at: UnixMs.describe('After an attempt that failed: when it is tried again'),
    locales: z.array(z.string()).optional().describe('Only these; absent: all'),
  })
  .nullable()
  .describe('null: it is not scheduled')

/** Operations that read items. */
export const itemReads = {
  getBySlug: endpoint({
    binding: onBranch('GET /api/items/{configId}/slug/{slug}'),
    summary: 'Read an item by its slug',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({ ...onRepository, slug: z.string().min(1).describe('The slug'), ...pickInput }),
    output: ReadItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', slug: 'ink-that-remembers' }, output: exampleItem },
  }),
  list: endpoint({
    binding: onBranch('GET /api/items/{configId}'),
    summary: 'List items',
    permission: { key: 'items.read', on: 'each' },
    input: z.strictObject({
      ...onRepository,
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      folderId: Id.optional().describe('Only items in this folder'),
      recursive: z.boolean().optional().describe('With `folderId`: also items in the folders below it'),
      archived: z.boolean().optional().describe('Also archived items'),
      text: z
        .string()
        .max(limits.search)
        .optional()
        .describe('Words that must all occur; each matches as a prefix'),
      at: UnixMs.optional().describe(
        'The items as they were at this time, Unix milliseconds, in the order of their ids. With more than 2000 items send `skipCount`; ' +
          'then a page can have few items or none: continue with `nextCursor`',
      ),
      ...listInput,
      ...pickInput,
    }),
    output: longListOf(ReadItem),
    errors: ['not_found'],
    example: {
      input: {
        configId: 'magazine',
        type: 'article',
        filter: { 'fields.readingMinutes': { lte: 10 } },
        sort: '-updatedDate',
        limit: 25,
      },
      output: { count: 1, items: [exampleItem] },
    },
  }),
  get: endpoint({
    binding: onBranch('GET /api/items/{configId}/{id}'),
    summary: 'Read an item, or one of its versions',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onItem,
      version: version
        .optional()
        .describe('`latest` (default), `latestpublished` or a number (specification 3.3)'),
      at: UnixMs.optional().describe(
        'The item as it was at this time, Unix milliseconds. At a time to come: as it will be after what is scheduled for it, ' +
          'and after the packages that merge until then; if others have changed it as well as such a package, `merge_conflict`',
      ),
      ...pickInput,
    }),
    output: ReadItem,
    errors: ['not_found', 'version_forgotten', 'merge_conflict'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  versions: endpoint({
    binding: onBranch('GET /api/items/{configId}/{id}/versions'),
    summary: 'List the versions of an item, newest first',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({ ...onItem, limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(VersionInfo),
    errors: ['not_found'],
    example: {
      input: exampleItemPath,
      output: {
        count: 1,
        items: [
          {
            version: 1,
            name: exampleItem.name,
            slug: exampleItem.slug,
            updatedDate: exampleItem.createdDate,
            updatedByUser: exampleItem.createdByUser,
            isLatest: true,
            isLatestPublished: false,
          },
        ],
      },
    },
  }),
  diff: endpoint({
    binding: onBranch('GET /api/items/{configId}/{id}/diff'),
    summary: 'Compare two versions, field by field',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onItem,
      from: version.describe('The older version'),
      to: version.optional().describe('Default: latest'),
    }),
    output: z.object({ from: z.int(), to: z.int(), changes: z.array(FieldChange) }),
    errors: ['not_found'],
    example: {
      input: { ...exampleItemPath, from: '1' },
      output: {
        from: 1,
        to: 2,
        changes: [{ path: 'fields.readingMinutes', kind: 'changed', before: 5, after: 6 }],
      },
    },
  }),
  schedule: endpoint({
    binding: onBranch('GET /api/items/{configId}/{id}/schedule'),
    summary: 'Read when an item is to be published and unpublished',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject(onItem),
    output: z.object({ publish: ScheduledChange, unpublish: ScheduledChange }),
    errors: ['not_found'],
    example: {
      input: exampleItemPath,
      output: { publish: { at: 1_790_086_400_000 }, unpublish: null },
    },
  }),
  validate: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/validate'),
    summary: 'List what prevents an item from being published, field by field',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onItem,
      locales: someLocales.describe(
        'Only in a repository with locales: those in which it is to be published. Default: all',
      ),
    }),
    output: z.object({ valid: z.boolean(), issues: z.array(IssueShape) }),
    errors: ['not_found'],
    example: {
      input: exampleItemPath,
      output: { valid: false, issues: [{ path: 'fields.body', message: 'is required' }] },
    },
  }),
  preview: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/preview'),
    summary: 'Fetch the address at which your own front end shows an item',
    description:
      'Made of `settings.previewUrl` of the repository. Its `{token}` is a reading token: with it, the front end may read in this repository what you may read, on main and in packages, and nothing else. ' +
      'It works for an hour, and ends with your session. Not for agents, nor with a reading token.',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onItem,
      locale: localeInput.locale.describe(
        'The locale of `{slug}` and `{locale}`. Default: the default locale',
      ),
    }),
    output: z.object({
      url: z.string().describe('The address, with everything encoded'),
      expiresAt: UnixMs.nullable().describe('When its token ends; null: there is none in it'),
    }),
    errors: ['not_found', 'invalid_state'],
    example: {
      input: exampleItemPath,
      output: {
        url: 'https://www.example.com/preview/ink-that-remembers?package=&token=eyJhbGciOiJFZERTQSJ9',
        expiresAt: 1_790_003_600_000,
      },
    },
  }),
}
