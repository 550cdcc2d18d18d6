import type { JobQuery, JobState } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Prepared, Row, SqlDriver, SqlValues } from '../driver.ts'
import { listText } from '../list-text.ts'
import { selected } from '../row-of.ts'
import { type JobRow, jobColumns } from './job-row.ts'

const begun: readonly JobState[] = ['running', 'succeeded', 'failed', 'cancelled']

/** Sorts after every id: the last Unicode code point. */
const ABOVE = '\u{10ffff}'

/** The filters of a list other than the state. */
type Narrowing = Pick<JobQuery, 'kind' | 'subject' | 'repositoryIds'>

export type ListJobs = (query: JobQuery) => Promise<JobRow[]>

/** The number of jobs that match, at most the limit. */
export type CountJobs = (query: Omit<JobQuery, 'before'>) => Promise<number>

/**
 * Prepares lists, one statement for each combination of filters. Plans are made for each run, with
 * the actual limit: without it, PostgreSQL expects many rows and walks all jobs.
 */
export function prepareJobList(driver: SqlDriver, dialect: Dialect): ListJobs {
  const all = driver.prepare<JobRow>(allQuery(dialect))
  const narrowed = new Map(
    allNarrowings.map((members) => [
      members.join(),
      driver.prepare<JobRow>(narrowedQuery(dialect, members), 'eachRun'),
    ]),
  )
  return async (query) => {
    const values = { before: query.before ?? ABOVE, limit: query.limit }
    const members = allMembers.filter((member) => query[member] !== undefined)
    if (members.length === 0 && query.state === undefined) return all.all(values)
    return statementOf(narrowed, members).all({ ...values, ...valuesOf(query) })
  }
}

/** Prepares counts, one statement for each combination of filters. */
export function prepareJobCount(driver: SqlDriver, dialect: Dialect): CountJobs {
  const narrowed = new Map(
    allNarrowings.map((members) => [
      members.join(),
      driver.prepare<readonly [number]>(countQuery(dialect, members), 'eachRun'),
    ]),
  )
  return async (query) => {
    const members = allMembers.filter((member) => query[member] !== undefined)
    const values = { limit: query.limit, ...valuesOf(query) }
    const [count] = (await statementOf(narrowed, members).get(values)) ?? [0]
    return count
  }
}

const allMembers = ['kind', 'subject', 'repositoryIds'] as const

type Members = readonly (keyof Narrowing)[]

/** Every subset, in the order of `allMembers`. */
const allNarrowings: readonly Members[] = allMembers.reduce<readonly Members[]>(
  (subsets, member) => [...subsets, ...subsets.map((subset) => [...subset, member])],
  [[]],
)

function statementOf<R extends Row>(
  narrowed: ReadonlyMap<string, Prepared<R>>,
  members: Members,
): Prepared<R> {
  const found = narrowed.get(members.join())
  if (!found) throw new TypeError(`No list is narrowed to ${members.join()}.`)
  return found
}

function valuesOf({ kind, subject, repositoryIds, state }: JobQuery): SqlValues {
  return {
    states: listText(begun.filter((one) => state === undefined || state === one).map((one) => [one])),
    queued: state === undefined || state === 'queued' ? 1 : 0,
    ...(kind !== undefined && { kind }),
    ...(subject !== undefined && { subject }),
    ...(repositoryIds && { repositories: listText([...new Set(repositoryIds)].map((id) => [id])) }),
  }
}

function allQuery({ tables }: Dialect): SQL {
  const { jobs } = tables
  return sql`SELECT ${selected(jobColumns(tables))} FROM ${jobs} WHERE ${jobs.id} < ${sql.placeholder('before')} ORDER BY ${jobs.id} DESC LIMIT ${sql.placeholder('limit')}`
}

/** Merges the newest jobs that were started with the newest that are queued. */
function narrowedQuery(dialect: Dialect, members: Members): SQL {
  const { jobs } = dialect.tables
  const { id } = jobs
  const limit = sql.placeholder('limit')
  const both = sql`SELECT b.id FROM (${begunQuery(dialect, members)}) b UNION ALL SELECT q.id FROM (${queuedQuery(dialect, members)}) q`
  const merged = sql`SELECT n.id FROM (${both}) n ORDER BY n.id DESC LIMIT ${limit}`
  return sql`WITH RECURSIVE ${groups(dialect, members)} SELECT ${selected(jobColumns(dialect.tables))} FROM (${merged}) m ${dialect.joinInOrder} ${jobs} ON ${id} = m.id ORDER BY ${id} DESC`
}

/** Counts the started jobs, group after group, and the queued ones, up to the limit. */
function countQuery(dialect: Dialect, members: Members): SQL {
  const { jobs } = dialect.tables
  const limit = sql.placeholder('limit')
  const begunOnes = sql`SELECT 1 FROM groups p ${dialect.joinInOrder} ${jobs} ON ${isInGroup(dialect, members)} WHERE p.repository IS NOT NULL LIMIT ${limit}`
  const both = sql`SELECT 1 FROM (${begunOnes}) b UNION ALL SELECT 1 FROM (${queuedIds(dialect, members)} LIMIT ${limit}) q`
  return sql`WITH RECURSIVE ${groups(dialect, members)} SELECT count(*) FROM (SELECT 1 FROM (${both}) n LIMIT ${limit}) m`
}

/**
 * The newest started jobs of each group (kind, state and repository), merged. Values that the
 * filter does not name are found by looking up one after the other. Only groups whose newest job is
 * among the newest of all are read.
 */
function begunQuery(dialect: Dialect, members: Members): SQL {
  const { jobs } = dialect.tables
  const { id } = jobs
  const limit = sql.placeholder('limit')
  const inGroup = sql`${isInGroup(dialect, members)} AND ${id} < ${sql.placeholder('before')}`
  const newest = sql`(SELECT max(${id}) FROM ${jobs} WHERE ${inGroup})`
  const opened = sql`SELECT p.kind, p.state, p.repository FROM groups p WHERE p.repository IS NOT NULL ORDER BY ${newest} DESC NULLS LAST LIMIT ${limit}`
  const each = dialect.lateral([id], sql`FROM ${jobs} WHERE ${inGroup} ORDER BY ${id} DESC LIMIT ${limit}`)
  return sql`SELECT ${each.member(0)} AS id FROM (${opened}) p ${dialect.joinInOrder} ${each.from} ON TRUE ORDER BY ${each.member(0)} DESC LIMIT ${limit}`
}

function isInGroup(dialect: Dialect, members: Members): SQL {
  const { jobs } = dialect.tables
  return sql`${inScope(dialect, members)} AND ${jobs.kind} = p.kind AND ${jobs.state} = p.state AND ${jobs.repositoryId} = p.repository`
}

/**
 * The newest queued jobs. All queued jobs are looked at: an index that also orders them by id would
 * cost a write for every new job and another when it is started, and few jobs are queued for long.
 */
function queuedQuery(dialect: Dialect, members: Members): SQL {
  const found = queuedIds(dialect, members)
  return sql`SELECT f.id FROM (${found}) f WHERE f.id < ${sql.placeholder('before')} ORDER BY f.id DESC LIMIT ${sql.placeholder('limit')}`
}

function queuedIds(dialect: Dialect, members: Members): SQL {
  const { jobs } = dialect.tables
  const { id, kind, subject, state, repositoryId } = jobs
  const named = dialect.rowsOf(sql.placeholder('repositories'))
  const narrowed = {
    kind: sql`AND ${kind} = ${sql.placeholder('kind')}`,
    subject: sql`AND ${subject} = ${sql.placeholder('subject')}`,
    repositoryIds: sql`AND ${repositoryId} IN (SELECT ${named.member(0)} FROM ${named.from})`,
  }
  const conditions = sql.join(
    members.map((member) => narrowed[member]),
    sql` `,
  )
  // The concatenation keeps the planner from using the index of ids, which holds all jobs.
  return sql`SELECT ${id} || '' AS id FROM ${jobs} WHERE ${state} = 'queued' AND ${sql.placeholder('queued')} = 1 ${conditions}`
}

/** The conditions before the columns of a group in its index. Queued jobs are not in that index. */
function inScope({ tables: { jobs } }: Dialect, members: Members): SQL {
  const indexed = sql`${jobs.state} <> 'queued'`
  return members.includes('subject')
    ? sql`${indexed} AND ${jobs.subject} = ${sql.placeholder('subject')}`
    : indexed
}

/**
 * The groups that may have started jobs: kinds, their states, their repositories. Each list ends
 * with a null.
 */
function groups(dialect: Dialect, members: Members): SQL {
  const states = dialect.rowsOf(sql.placeholder('states'))
  return sql`kinds (kind) AS (${kinds(dialect, members)}), states (kind, state) AS (SELECT p.kind, ${states.member(0)} FROM kinds p ${dialect.joinInOrder} ${states.from} ON TRUE WHERE p.kind IS NOT NULL), groups (kind, state, repository) AS (${repositories(dialect, members)})`
}

function kinds(dialect: Dialect, members: Members): SQL {
  if (members.includes('kind')) return sql`SELECT ${sql.placeholder('kind')}`
  const { jobs } = dialect.tables
  const next = (bound: SQL) =>
    sql`(SELECT min(${jobs.kind}) FROM ${jobs} WHERE ${inScope(dialect, members)} ${bound})`
  return sql`SELECT ${next(sql``)} UNION ALL SELECT ${next(sql`AND ${jobs.kind} > p.kind`)} FROM kinds p WHERE p.kind IS NOT NULL`
}

function repositories(dialect: Dialect, members: Members): SQL {
  if (members.includes('repositoryIds')) {
    const named = dialect.rowsOf(sql.placeholder('repositories'))
    return sql`SELECT p.kind, p.state, ${named.member(0)} FROM states p ${dialect.joinInOrder} ${named.from} ON TRUE`
  }
  const { jobs } = dialect.tables
  const next = (bound: SQL) =>
    sql`(SELECT min(${jobs.repositoryId}) FROM ${jobs} WHERE ${inScope(dialect, members)} AND ${jobs.kind} = p.kind AND ${jobs.state} = p.state ${bound})`
  return sql`SELECT p.kind, p.state, ${next(sql``)} FROM states p UNION ALL SELECT p.kind, p.state, ${next(sql`AND ${jobs.repositoryId} > p.repository`)} FROM groups p WHERE p.repository IS NOT NULL`
}
