import type { QueryField } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import { statuses } from '../entities/written-rows.ts'
import type { QueryLanguage } from '../query/filter.ts'
import { type SqlPart, fixed, join, piece, value } from '../query/sql-part.ts'
import { type Counted, type CountedRows, type FacetParts, countedRows } from './counted.ts'

/** The counts of every field in one statement: rows of the field's place, a value and its count, in order. One state of the store answers all. */
export function facetQuery(
  language: QueryLanguage,
  parts: FacetParts,
  { fields, limit }: { fields: readonly QueryField[]; limit: number },
): SqlPart {
  const rows = countedRows(language, parts)
  const state = fields.some(isAccent) ? [accentsPiece(rows)] : []
  const before = [...rows.matches, ...state]
  const counts = fields.map((field, index) => {
    const scope = fixed(String(index), sql.raw(String(index)))
    return piece`SELECT * FROM (SELECT ${scope} AS field, value, n FROM (${countsOf(rows, field)}) c WHERE n > 0 ORDER BY n DESC, value LIMIT ${value(limit)}) c`
  })
  const first = before.length === 0 ? piece`` : piece`WITH ${join(before, ', ')} `
  return piece`${first}${join(counts, ' UNION ALL ')} ORDER BY field, n DESC, value`
}

/** Type and status are counted in one walk: by type, which an index has in order, and within it by each of the few statuses. */
export function isAccent(field: QueryField): boolean {
  return 'member' in field && (field.member === 'type' || field.member === 'status')
}

function accentsPiece({ ofMember }: CountedRows): SqlPart {
  const status = ofMember('status')
  const selects = ofMember('type').map(({ from, where, value: type }, index) => {
    const counts = statuses.map(
      (one) =>
        piece`, count(*) FILTER (WHERE ${status[index]?.value ?? type} = ${value(one)}) AS ${named(one)}`,
    )
    return piece`SELECT ${type} AS type${join(counts, '')} FROM ${from} WHERE ${where} GROUP BY ${type}`
  })
  return piece`marks AS (${join(selects, ' UNION ALL ')})`
}

function countsOf(rows: CountedRows, field: QueryField): SqlPart {
  if ('path' in field) return groups(rows.ofPath(field.path))
  if (field.member === 'type') return typeCounts
  return field.member === 'status' ? statusCounts : groups(rows.ofMember(field.member))
}

function named(name: string): SqlPart {
  return fixed(name, sql`${sql.identifier(name)}`)
}

const typeCounts = piece`SELECT type AS value, sum(${join(statuses.map(named), ' + ')}) AS n FROM marks GROUP BY type`

const statusCounts = join(
  statuses.map(
    (one) =>
      piece`SELECT ${fixed(`'${one}'`, sql.raw(`'${one}'`))} AS value, sum(${named(one)}) AS n FROM marks`,
  ),
  ' UNION ALL ',
)

/** The branches of an overlay show different entities: their counts add up. */
function groups(counted: readonly Counted[]): SqlPart {
  const selects = counted.map(
    ({ from, where, value: of }) =>
      piece`SELECT ${of} AS value, count(*) AS n FROM ${from} WHERE ${where} AND ${of} IS NOT NULL GROUP BY ${of}`,
  )
  const all = join(selects, ' UNION ALL ')
  return selects.length === 1 ? all : piece`SELECT value, sum(n) AS n FROM (${all}) g GROUP BY value`
}
