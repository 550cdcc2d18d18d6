import {
  dateInOrder,
  mostBackMs,
  type JournalEntry,
  type JournalRow,
  type JournalWriter,
} from '@quire/core/ports'
import { getTableColumns, sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'
import type { Prepared, SqlWriteDriver } from './driver.ts'
import { formatPerson } from './entities/head-row.ts'
import { type JournalReads, createJournalReader } from './journal.ts'
import type { Layer } from './layer.ts'
import { type RowSource, insertComputed } from './row-write.ts'

export type JournalAppend = Prepared<never>

export function prepareJournalAppend(
  driver: SqlWriteDriver,
  { tables: { journal }, isShared }: Dialect,
): JournalAppend {
  const { sequence, ...columns } = getTableColumns(journal)
  const newest = sql`(SELECT ${journal.date} AS newest FROM ${journal} ORDER BY ${sequence} DESC LIMIT 1) AS n`
  const notBeforeNewest = (value: RowSource['value']) =>
    sql`coalesce((SELECT newest FROM ${newest} WHERE newest > ${value('date')} AND newest - ${sql.raw(String(mostBackMs))} < ${value('date')}), ${value('date')})`
  const computed = isShared ? { date: notBeforeNewest } : {}
  return driver.prepare<never>(insertComputed(journal, columns, { key: [], computed }))
}

/** The statements of a writer, which also reads. */
interface JournalStatements {
  readonly reads: JournalReads
  readonly append: JournalAppend
}

/**
 * Reads and writes the journal in a transaction. Where others run at the same time, entries wait for
 * the commit, which gives them their numbers; until then they are read with numbers above all others.
 */
export function createJournalWriter(
  { reads, append }: JournalStatements,
  layer: Layer,
  newest: NewestEntry,
): JournalWriter {
  const stored = createJournalReader(reads, layer)
  return {
    ...stored,
    async read({ after, limit, ...scope }) {
      const rows = await stored.read({ after, limit, ...scope })
      const own = waitingRows(layer, scope).filter(({ sequence }) => sequence > after)
      return [...rows, ...own].slice(0, limit)
    },
    async readBack({ before = Number.MAX_SAFE_INTEGER, limit, ...scope }) {
      const rows = await stored.readBack({ before, limit, ...scope })
      const own = waitingRows(layer, scope).filter(({ sequence }) => sequence < before)
      return [...own.toReversed(), ...rows].slice(0, limit)
    },
    async record(entry) {
      layer.requireOpen()
      if (layer.footprint) layer.entries.push(entry)
      else await appendEntries(append, [entry], newest)
    },
  }
}

/** The entries of a repository or an entity that wait for the commit. */
function waitingRows(
  layer: Layer,
  scope: Partial<Pick<JournalRow, 'repositoryId' | 'entityId'>>,
): JournalRow[] {
  const entries = layer.waitingEntries()
  const first = Number.MAX_SAFE_INTEGER - entries.length
  return entries
    .map((entry, index) => ({ ...entry, sequence: first + index }))
    .filter(
      ({ repositoryId, entityId }) =>
        repositoryId === (scope.repositoryId ?? repositoryId) && entityId === (scope.entityId ?? entityId),
    )
}

/** The date of the newest entry of this process. */
export interface NewestEntry {
  date: number
}

/** Appends the entries of transactions that are committed together. */
export async function appendEntries(
  append: JournalAppend,
  entries: readonly JournalEntry[],
  newest: NewestEntry,
): Promise<void> {
  for (const { user, details, ...entry } of entries) {
    newest.date = dateInOrder(entry.date, newest.date)
    const written = { ...entry, date: newest.date, person: formatPerson(user) }
    await append.send({ ...written, details: JSON.stringify(details) })
  }
}
