import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { findScope } from '../../engine/scope.ts'
import type { JsonObject } from '../../ports/index.ts'
import { definedType } from '../types/find.ts'
import { columnsOf, valueAt, type Column } from './columns.ts'
import { csvRows } from './csv.ts'

type Export = Contract['items']['exportRows']

/**
 * Items as rows, read page by page while they are sent. Errors: `not_found`; `invalid` for unknown
 * columns, filters and sorts.
 */
export async function exportRows(
  call: Call,
  { columns: given, ...listed }: ParsedOf<Export>,
): Promise<OutputOf<Export>> {
  const scope = await findScope(call, listed)
  const columns = columnsOf(await definedType(call, listed.type), given)
  // A wrong filter or sort is an error of the call, not of the stream.
  await pageOf(call, { ...listed, limit: 1 })
  const isCsv = prefersCsv(call.accept)
  const written = isCsv ? csvRows(columns.map(({ name }) => name)) : ndjsonRows
  return new ServedBytes({
    mimeType: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    fileName: `${scope.repository.name}-${listed.type}.${isCsv ? 'csv' : 'ndjson'}`,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: true,
    open: async () => written(rowsOf(call, columns, listed)),
  })
}

/** Whether the header `Accept` names CSV, and not NDJSON before it. */
function prefersCsv(accept = ''): boolean {
  const [named] = /text\/csv|application\/x-ndjson/.exec(accept.toLowerCase()) ?? []
  return named === 'text/csv'
}

type Row = JsonObject

async function* rowsOf(
  call: Call,
  columns: readonly Column[],
  listed: Omit<ParsedOf<Export>, 'columns'>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined
  do {
    call.signal?.throwIfAborted()
    const page = await pageOf(call, { ...listed, limit: 500, ...(cursor !== undefined && { cursor }) })
    yield page.items.map((item) =>
      // An item that was serialized is JSON.
      Object.fromEntries(
        columns.map(({ name, path }) => [name, valueAt(item as unknown as JsonObject, path)]),
      ),
    )
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function pageOf(call: Call, input: object) {
  return valueOf(
    await call.invoke('items.list', { sort: 'createdDate', ...input, archived: true, skipCount: true }),
  )
}

async function* ndjsonRows(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const page of pages) yield encoder.encode(page.map((row) => `${JSON.stringify(row)}\n`).join(''))
}
