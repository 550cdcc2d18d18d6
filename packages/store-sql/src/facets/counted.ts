import type { QueryMember } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import { type DrivenQuery, type Plan, walkedForValues } from '../query/drive.ts'
import { type QueryLanguage, memberPiece } from '../query/filter.ts'
import { always } from '../query/logic.ts'
import { type SqlPart, fixed, join, piece, value } from '../query/sql-part.ts'
import { type Arm, armSource } from '../query/source.ts'

/**
 * Rows whose `value` is counted. Each row stands for one entity that matches and has that value.
 */
export interface Counted {
  readonly from: SqlPart
  readonly where: SqlPart
  readonly value: SqlPart
}

/**
 * A query over its branches. `sort` names the members that are counted, so that the plan's source
 * provides them.
 */
export interface FacetParts {
  readonly query: DrivenQuery
  readonly plan: Plan
  readonly arms: readonly Arm[]
}

/** The rows to count. */
export interface CountedRows {
  /** Common table expressions that the query needs; may be empty. */
  readonly matches: readonly SqlPart[]
  readonly ofMember: (member: QueryMember) => readonly Counted[]
  readonly ofPath: (path: string) => readonly Counted[]
}

/**
 * If no filter has to look at the heads, each field is counted along an index with its values in
 * order, without sorting or temporary tables. Otherwise the matches are collected once, and the
 * values of each field are looked up.
 */
export function countedRows(language: QueryLanguage, parts: FacetParts): CountedRows {
  const isInOrder = walkedForValues(parts.query, parts.plan, '') !== null
  return isInOrder ? rowsInOrder(language, parts) : rowsOfMatches(language, parts)
}

function rowsInOrder(language: QueryLanguage, { query, plan, arms }: FacetParts): CountedRows {
  const ofPath = (path: string) =>
    arms.map((arm) => {
      const walked = walkedForValues(query, plan, path) ?? plan
      const { source, where } = armSource(language, query, { plan: walked, arm })
      return { from: source.from, where, value: source.driven?.expression ?? missing(path) }
    })
  const ofMember = (member: QueryMember) =>
    arms.map((arm) => {
      const { source, where } = armSource(language, query, { plan, arm })
      return { from: source.from, where, value: memberPiece(source, member) }
    })
  return { matches: [], ofMember, ofPath }
}

function missing(path: string): never {
  throw new TypeError(`A walk of the values of ${path} has them.`)
}

const matchesTable = fixed('m', sql`m`)
const matchedHead = fixed('m.head', sql`m.head`)

function rowsOfMatches(language: QueryLanguage, { query, plan, arms }: FacetParts): CountedRows {
  const { from, values, lookUp } = language.columns
  const members = query.sort.flatMap(({ field }) => ('member' in field ? [field.member] : []))
  const selects = arms.map((arm) => {
    const { source, where } = armSource(language, query, { plan, arm })
    const columns = members.map((member) => piece`, ${memberPiece(source, member)} AS ${nameOf(member)}`)
    return piece`SELECT ${source.head} AS head${join(columns, '')} FROM ${source.from} WHERE ${where}`
  })
  return {
    matches: [piece`m AS (${join(selects, ' UNION ALL ')})`],
    ofMember: (member) => [{ from: matchesTable, where: always, value: piece`m.${nameOf(member)}` }],
    ofPath: (path) => [
      {
        from: piece`m ${lookUp} ${from.values} ON ${values.head} = ${matchedHead}`,
        where: piece`${values.path} = ${value(path)} AND ${values.value} > ${value('')}`,
        value: values.value,
      },
    ],
  }
}

function nameOf(member: QueryMember): SqlPart {
  return fixed(member, sql`${sql.identifier(member)}`)
}
