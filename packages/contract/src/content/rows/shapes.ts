import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The names of columns, in order, with what each contains. */
export const Columns = z
  .record(z.string().min(1).max(limits.name), z.string().min(1).max(limits.name))
  .describe(
    'The columns by name, each with the member that it holds: `{ "Title": "fields.title", "SKU": "fields.sku" }`. ' +
      'Default: members are their own columns',
  )

/** A row that was not saved. */
const RowRefusal = z.object({
  row: z.int().describe('The number of the row, from 1; the header does not count'),
  path: z.string().describe('The member that is wrong; empty: the row'),
  message: z.string(),
})

/** What an import of rows did, or would do. */
export const RowsReport = z
  .object({
    rows: z.int().describe('Rows in the file'),
    create: z.int().describe('Rows that created an item'),
    update: z.int().describe('Rows that changed an item'),
    unchanged: z.int().describe('Rows whose item had these values already'),
    refuse: z.int().describe('Rows that were not saved'),
    saved: z
      .array(z.object({ row: z.int(), kind: z.enum(['create', 'update']), id: Id }))
      .describe('The first 1000 items that were created or changed'),
    refused: z.array(RowRefusal).describe('The first 1000 rows that were not saved, and why'),
  })
  .meta({ id: 'RowsReport', description: 'What an import of rows did, or would do' })

/** What an import of rows did, or would do. */
export type RowsReport = z.output<typeof RowsReport>
