import type { JournalEntry, JournalReader, JournalRow, JournalWriter } from '@quire/core/ports'
import { type SQL, getTableColumns, sql } from 'drizzle-orm'
import type { Dialect, Tables } from './dialect.ts'
import type { Prepared, SqlDriver, SqlWriteDriver } from './driver.ts'
import { formatPerson, parseObject, parsePerson } from './entities/head-row.ts'
import { wholeBound } from './query/whole-bound.ts'
import { type RowOf, insertInto, selected } from './row-of.ts'
import type { Session } from './session.ts'

function journalColumns({ journal }: Tables) {
  const {
    sequence,
    repositoryId,
    packageId,
    entityId,
    entityType,
    event,
    version,
    status,
    date,
    person,
    requestId,
    details,
  } = journal
  return [
    sequence,
    repositoryId,
    packageId,
    entityId,
    entityType,
    event,
    version,
    status,
    date,
    person,
    requestId,
    details,
  ] as const
}

type Read = RowOf<ReturnType<typeof journalColumns>>

/** The reads of the journal, one for each thing it may be narrowed to. */
export type JournalReads = ReturnType<typeof prepareJournalReads>

/** Prepares the reads of the journal. */
export function prepareJournalReads(driver: SqlDriver, { tables }: Dialect) {
  const { journal } = tables
  const ofRepository = sql`${journal.repositoryId} = ${sql.placeholder('repositoryId')}`
  const ofEntity = sql`${journal.entityId} = ${sql.placeholder('entityId')}`
  const columns = selected(journalColumns(tables))
  const limit = sql.placeholder('limit')
  const forward = (narrowed: SQL) =>
    driver.prepare<Read>(
      sql`SELECT ${columns} FROM ${journal} WHERE ${narrowed} AND ${journal.sequence} > ${sql.placeholder('after')} ORDER BY ${journal.sequence} LIMIT ${limit}`,
    )
  const back = (narrowed: SQL) =>
    driver.prepare<Read>(
      sql`SELECT ${columns} FROM ${journal} WHERE ${narrowed} AND ${journal.sequence} < ${sql.placeholder('before')} ORDER BY ${journal.sequence} DESC LIMIT ${limit}`,
    )
  const narrowed = (read: (narrowed: SQL) => Prepared<Read>) => ({
    all: read(sql`TRUE`),
    repository: read(ofRepository),
    entity: read(ofEntity),
    both: read(sql`${ofEntity} AND ${ofRepository}`),
  })
  return { forward: narrowed(forward), back: narrowed(back) }
}

/** The journal as a session reads it. */
export function createJournalReader({ forward, back }: JournalReads, session: Session): JournalReader {
  const readBy = async (reads: NarrowedReads, { repositoryId, entityId, ...place }: Asked) => {
    session.requireOpen()
    const narrowed = {
      ...(repositoryId !== undefined && { repositoryId }),
      ...(entityId !== undefined && { entityId }),
    }
    const rows = await narrowest(reads, { repositoryId, entityId }).all({ ...place, ...narrowed })
    return rows.map(decode)
  }
  return {
    read: ({ after, ...query }) => readBy(forward, { ...query, after: wholeBound('gt', after) }),
    readBack: ({ before = Number.MAX_SAFE_INTEGER, ...query }) =>
      readBy(back, { ...query, before: wholeBound('lt', before) }),
  }
}

type NarrowedReads = JournalReads['forward']

interface Asked {
  readonly repositoryId?: string
  readonly entityId?: string
  readonly limit: number
  readonly after?: number
  readonly before?: number
}

interface Narrowed {
  readonly repositoryId: string | undefined
  readonly entityId: string | undefined
}

function narrowest(reads: NarrowedReads, { repositoryId, entityId }: Narrowed): Prepared<Read> {
  if (entityId !== undefined) return repositoryId === undefined ? reads.entity : reads.both
  return repositoryId === undefined ? reads.all : reads.repository
}

function decode(row: Read): JournalRow {
  const [
    sequence,
    repositoryId,
    packageId,
    entityId,
    entityType,
    event,
    version,
    status,
    date,
    person,
    requestId,
    details,
  ] = row
  const user = parsePerson(person)
  return {
    sequence,
    repositoryId,
    packageId,
    entityId,
    entityType,
    event,
    version,
    status,
    date,
    user,
    requestId,
    details: parseObject(details),
  }
}

/** The one write of the journal. */
export type JournalAppend = Prepared<never>

/** Prepares the write of the journal. */
export function prepareJournalAppend(
  driver: SqlWriteDriver,
  { tables: { journal } }: Dialect,
): JournalAppend {
  const { sequence: _, ...columns } = getTableColumns(journal)
  return driver.prepare<never>(insertInto(journal, columns))
}

/** The journal of a transaction. */
export function createJournalWriter(
  { reads, append }: { reads: JournalReads; append: JournalAppend },
  session: Session,
): JournalWriter {
  return {
    ...createJournalReader(reads, session),
    async record({ user, details, ...entry }: JournalEntry) {
      session.requireOpen()
      await append.send({ ...entry, person: formatPerson(user), details: JSON.stringify(details) })
    },
  }
}
