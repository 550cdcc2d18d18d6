import type { JournalReader, JournalRow, JournalTally, Tallied } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, Tables } from './dialect.ts'
import type { Prepared, SqlDriver } from './driver.ts'
import { parseObject, parsePerson, personPrefix } from './entities/head-row.ts'
import { wholeBound } from './query/whole-bound.ts'
import { type RowOf, selected } from './row-of.ts'
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

export type JournalReads = ReturnType<typeof prepareJournalReads>

/**
 * Prepares the reads of the journal, one for each combination of filters; counts run on `heavy`.
 */
export function prepareJournalReads(driver: SqlDriver, { tables }: Dialect, heavy: SqlDriver = driver) {
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
  const both = sql`${ofEntity} AND ${ofRepository}`
  return {
    forward: narrowed(forward),
    back: narrowed(back),
    tally: {
      repository: prepareTally(heavy, tables, ofRepository),
      both: prepareTally(heavy, tables, both),
    },
  }
}

type Group = readonly [
  packageId: string | null,
  entityId: string,
  entityType: string,
  event: string,
  details: string | null,
  count: number,
]

/**
 * Counts the newest entries: one statement finds where they end, the other groups the entries after
 * that point.
 */
function prepareTally(driver: SqlDriver, { journal }: Tables, narrowed: SQL) {
  const { packageId, entityId, entityType, event, details, date, person, sequence } = journal
  const given = (name: string) => sql`${sql.placeholder(name)}`
  const before = sql`${journal} WHERE ${narrowed} AND ${sequence} < ${given('before')}`
  const begins = (text: SQL, name: string) => sql`substr(${text}, 1, length(${given(name)})) = ${given(name)}`
  // An empty string or an open bound stands for no filter.
  const conditions = sql.join(
    [
      sql`${sequence} > ${given('after')}`,
      sql`${given('packageId')} IN ('', ${packageId}, ${entityId})`,
      sql`${given('event')} IN ('', ${event})`,
      begins(sql`${person}`, 'person'),
      sql`${date} >= ${given('since')}`,
      sql`${date} < ${given('until')}`,
    ],
    sql` AND `,
  )
  const reported = sql`CASE WHEN ${begins(sql`${event}`, 'detailed')} THEN ${details} END`
  const counted = sql`SELECT ${packageId} AS branch, ${entityId} AS entity, ${entityType} AS type, ${event} AS event, ${reported} AS details FROM ${before} AND ${conditions}`
  return {
    end: driver.prepare<readonly [sequence: number, date: number]>(
      sql`SELECT ${sequence}, ${date} FROM ${before} ORDER BY ${sequence} DESC LIMIT 1 OFFSET ${given('limit')}`,
    ),
    groups: driver.prepare<Group>(
      sql`SELECT c.branch, c.entity, min(c.type), c.event, c.details, count(*) FROM (${counted}) c GROUP BY c.entity, c.branch, c.event, c.details`,
    ),
  }
}

async function tallied({ tally }: JournalReads, query: JournalTally): Promise<Tallied> {
  const { repositoryId, entityId, userName, limit } = query
  const { end, groups } = entityId === undefined ? tally.repository : tally.both
  const narrowed = {
    repositoryId,
    ...(entityId !== undefined && { entityId }),
    before: wholeBound('lt', query.before ?? Number.MAX_SAFE_INTEGER),
  }
  const [after, older] = (await end.get({ ...narrowed, limit })) ?? [0, null]
  const rows = await groups.all({
    ...narrowed,
    after,
    packageId: query.packageId ?? '',
    event: query.event ?? '',
    person: userName === undefined ? '' : personPrefix(userName),
    since: query.since ?? 0,
    until: query.until ?? Number.MAX_SAFE_INTEGER,
    detailed: query.detailed ?? noEvent,
  })
  return {
    older,
    groups: rows.map(([packageId, entity, entityType, event, details, count]) => {
      const reported = details === null ? {} : parseObject(details)
      return { repositoryId, packageId, entityId: entity, entityType, event, details: reported, count }
    }),
  }
}

/** A prefix that no event has. */
const noEvent = ' '

/** Reads the journal in a session. */
export function createJournalReader(reads: JournalReads, session: Session): JournalReader {
  const { forward, back } = reads
  const readBy = async (narrowed: NarrowedReads, { repositoryId, entityId, ...scope }: JournalQuery) => {
    session.requireOpen()
    const values = {
      ...(repositoryId !== undefined && { repositoryId }),
      ...(entityId !== undefined && { entityId }),
    }
    const rows = await narrowest(narrowed, { repositoryId, entityId }).all({ ...scope, ...values })
    return rows.map(decode)
  }
  return {
    read: ({ after, ...query }) => readBy(forward, { ...query, after: wholeBound('gt', after) }),
    readBack: ({ before = Number.MAX_SAFE_INTEGER, ...query }) =>
      readBy(back, { ...query, before: wholeBound('lt', before) }),
    async tally(query) {
      session.requireOpen()
      return tallied(reads, query)
    },
  }
}

type NarrowedReads = JournalReads['forward']

interface JournalQuery {
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
