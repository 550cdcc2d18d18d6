import type { QueryField } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import { statuses } from '../entities/written-rows.ts'
import type { QueryLanguage } from '../query/filter.ts'
import { type SqlPart, fixed, join, piece, value } from '../query/sql-part.ts'
import { type Counted, type CountedRows, type FacetParts, countedRows } from './counted.ts'

/**
 * Counts all fields in one statement, so that all counts come from the same state of the store.
 * Rows: the index of the field, a value and its count, in order.
 */
export function facetQuery(
  language: QueryLanguage,
  parts: FacetParts,
  { fields, limit }: { fields: readonly QueryField[]; limit: number },
): SqlPart {
  const rows = countedRows(language, parts)
  const combined = fields.some(isTypeOrStatus) ? [typeAndStatusCounts(rows)] : []
  const before = [...rows.matches, ...combined]
  const counts = fields.map((field, index) => {
    const scope = fixed(String(index), sql.raw(String(index)))
    return piece`SELECT * FROM (SELECT ${scope} AS field, value, n FROM (${countsOf(rows, field)}) c WHERE n > 0 ORDER BY n DESC, value LIMIT ${value(limit)}) c`
  })
  const first = before.length === 0 ? piece`` : piece`WITH ${join(before, ', ')} `
  return piece`${first}${join(counts, ' UNION ALL ')} ORDER BY field, n DESC, value`
}

/**
 * Type and status are counted in one walk: by type, in the order of an index, and within a type by
 * each of the few statuses.
 */
export function isTypeOrStatus(field: QueryField): boolean {
  return 'member' in field && (field.member === 'type' || field.member === 'status')
}

function typeAndStatusCounts({ ofMember }: CountedRows): SqlPart {
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

/** The branches of an overlay show different entities, so their counts are added. */
function groups(counted: readonly Counted[]): SqlPart {
  const selects = counted.map(
    ({ from, where, value: of }) =>
      piece`SELECT ${of} AS value, count(*) AS n FROM ${from} WHERE ${where} AND ${of} IS NOT NULL GROUP BY ${of}`,
  )
  const all = join(selects, ' UNION ALL ')
  return selects.length === 1 ? all : piece`SELECT value, sum(n) AS n FROM (${all}) g GROUP BY value`
}
