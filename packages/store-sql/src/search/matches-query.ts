import { sql } from 'drizzle-orm'
import type { DrivenQuery, Plan } from '../query/drive.ts'
import { type QueryLanguage, type Source, filterPiece } from '../query/filter.ts'
import type { PageColumns } from '../query/list-query.ts'
import { always, and, not, or } from '../query/logic.ts'
import { type SqlPart, fixed, piece, value } from '../query/sql-part.ts'
import { type Arm, overlay, visibility } from '../query/source.ts'
import { anyNumberOf } from '../query/value-condition.ts'
import type { Sought } from './sought.ts'

/** A search over its branches. */
export interface SearchParts {
  readonly query: DrivenQuery
  readonly plan: Plan
  readonly arms: readonly Arm[]
}

/**
 * Selects matching rows of the index below a row, last first, at most `limit`. Walks only the rows
 * that it returns.
 */
export function rowsQuery(
  { dialect, columns: { from, search } }: QueryLanguage,
  { sought, below, limit }: { sought: Sought; below: number; limit: number },
): SqlPart {
  return piece`SELECT ${search.row} FROM ${from.search} WHERE ${dialect.holds(sought)} AND ${search.row} < ${value(below)} ORDER BY ${search.row} DESC LIMIT ${value(limit)}`
}

/** Selects the heads of some index rows that pass everything else, in the order of the index. */
export function foundQuery(
  language: QueryLanguage,
  page: PageColumns,
  { rows, limit, parts }: { rows: readonly number[]; limit: number; parts: SearchParts },
): SqlPart {
  const { from, rows: at, heads } = language.columns
  const among = { from: from.rows, bound: anyNumberOf(language.dialect, at.row, rows) }
  const chosen = piece`SELECT ${heads.head} AS head, ${at.row} AS ${scope} ${passing(language, parts, among)} ORDER BY ${at.row} DESC LIMIT ${value(limit)}`
  return piece`SELECT ${page.columns}, p.${scope} FROM (${chosen}) p ${page.joined} ORDER BY p.${scope} DESC`
}

/**
 * Counts the matching rows and how many of them pass everything else, each up to a bound. The
 * matches are walked once.
 */
export function foundCount(
  language: QueryLanguage,
  parts: SearchParts,
  { sought, rows, most }: { sought: Sought; rows: number; most: number },
): SqlPart {
  const { dialect, columns } = language
  const { from, search, rows: at } = columns
  const held = piece`SELECT ${search.row} AS ${scope} FROM ${from.search} WHERE ${dialect.holds(sought)} LIMIT ${value(rows)}`
  const among = {
    from: piece`held m ${columns.lookUp} ${from.rows} ON ${at.row} = m.${scope}`,
    bound: always,
  }
  const passed = piece`SELECT 1 ${passing(language, parts, among)} LIMIT ${value(most)}`
  return piece`WITH held AS MATERIALIZED (${held}) SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM (${passed}) q)`
}

const scope = fixed('place', sql`place`)

/** The source of rows, and the condition that selects them. */
interface Rows {
  readonly from: SqlPart
  readonly bound: SqlPart
}

/** The heads of some rows that pass everything except the words. */
function passing(
  language: QueryLanguage,
  { query, plan, arms }: SearchParts,
  { from, bound }: Rows,
): SqlPart {
  const { from: tables, heads, rows, lookUp } = language.columns
  const source: Source = { from, head: heads.head, limited: heads.limited, members: heads }
  const where = and([
    bound,
    ...visibility(language, source, { query, plan }),
    ...plan.filters.map((filter) => filterPiece(language, source, filter)),
    ...arms.flatMap((arm) => shadowed(language, source, { query, arm })),
  ])
  return piece`FROM ${from} ${lookUp} ${tables.heads} ON ${heads.head} = ${rows.head} WHERE ${where}`
}

/**
 * The rows of all branches are mixed here, so each branch's condition is applied to its own rows
 * only.
 */
function shadowed(language: QueryLanguage, source: Source, at: { query: DrivenQuery; arm: Arm }): SqlPart[] {
  const { heads } = language.columns
  return overlay(language, source, at).map((visible) =>
    or([not(piece`${heads.branch} = ${value(at.arm.branch)}`), visible]),
  )
}
