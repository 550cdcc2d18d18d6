import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { listInput } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { onRepository } from '../items/inputs.ts'
import { localeInput, oneLocale } from '../locales/inputs.ts'
import { Columns, RowsReport } from './shapes.ts'

const onType = {
  ...onRepository,
  type: z.string().min(1).max(limits.name).describe('The content type of the items'),
}

const exampleColumns = { Title: 'fields.title', Minutes: 'fields.readingMinutes' }

/** Items as rows of a table. */
export const rows = {
  exportRows: endpoint({
    binding: onBranch('POST /api/items/{configId}/rows/export'),
    withoutRoom: true,
    summary: 'Export items as rows',
    description:
      'Streams the items that you may read as CSV if `Accept` prefers `text/csv`, otherwise as NDJSON: one flat JSON object per line. ' +
      'In CSV, lists and objects are JSON, and a text that a spreadsheet would take for a formula begins with an apostrophe.',
    permission: { key: 'items.read', on: 'each' },
    input: z.strictObject({
      ...onType,
      columns: Columns.optional(),
      filter: listInput.filter,
      sort: listInput.sort,
      locale: oneLocale,
      fallback: localeInput.fallback,
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found'],
    example: { input: { configId: 'magazine', type: 'article', columns: exampleColumns } },
  }),
  importRows: endpoint({
    binding: onBranch('POST /api/items/{configId}/rows/import'),
    summary: 'Import rows as items',
    description:
      'The body is CSV with a header if its `Content-Type` is `text/csv`, otherwise NDJSON; at most 64 MiB. Each row creates an item, or changes the one that its `key` names. ' +
      'Every row is saved by itself: a row that is refused is reported with its number and keeps no other from being saved. ' +
      'Importing the same rows again by a key changes nothing.',
    permission: { key: ['items.create', 'items.update'], on: 'each', byLocale: true },
    input: z.strictObject({
      ...onType,
      columns: Columns.optional(),
      key: z
        .string()
        .min(1)
        .max(limits.name)
        .optional()
        .describe(
          'The member by which existing items are found: `id`, `slug` or a field such as `fields.sku`',
        ),
      locale: oneLocale,
      publish: z
        .boolean()
        .default(false)
        .describe('Whether to publish what is created or changed; with `locale` only there'),
      dryRun: z.boolean().default(false).describe('Only answer what would happen'),
      file: FileIn,
    }),
    output: RowsReport,
    body: 'file',
    plansItself: true,
    errors: ['not_found', 'too_large', 'too_many_requests'],
    example: {
      input: {
        configId: 'magazine',
        type: 'article',
        columns: exampleColumns,
        dryRun: true,
        file: new File(['Title,Minutes\n'], 'articles.csv', { type: 'text/csv' }),
      },
      output: {
        rows: 1,
        create: 0,
        update: 0,
        unchanged: 0,
        refuse: 1,
        saved: [],
        refused: [{ row: 1, path: 'fields.readingMinutes', message: 'must be an integer' }],
      },
    },
  }),
}
