import type { FacetCount, FacetQuery, QueryField, QueryMember, QueryValue } from '@quire/core/ports'
import type { SqlDriver, SqlValue } from '../driver.ts'
import type { Scope } from '../branches.ts'
import { type DrivenQuery, planOf } from '../query/drive.ts'
import { decodeValue } from '../query/encode-value.ts'
import type { QueryLanguage } from '../query/filter.ts'
import { fromColumn } from '../query/member-condition.ts'
import { type Shapes, createShapes } from '../query/shapes.ts'
import { armsOf } from '../query/source.ts'
import { facetQuery, isTypeOrStatus } from './facet-query.ts'

/**
 * A count as selected: the index of the field in the query, the value, the number of entities that
 * have it.
 */
type FacetRow = readonly [number, SqlValue, number]

/** What facet queries need. */
export interface FacetReads {
  readonly language: QueryLanguage
  readonly facets: Shapes<FacetRow>
}

/** Prepares the counting of facets, on the connection for slow reads. */
export function prepareFacets(heavy: SqlDriver): Pick<FacetReads, 'facets'> {
  return { facets: createShapes(heavy) }
}

/**
 * Counts the values of some fields among the matches, with the branch's overlay and the reader's
 * permissions applied.
 */
export async function readFacets(
  { language, facets }: FacetReads,
  scope: Scope,
  facetsOf: FacetQuery,
): Promise<readonly (readonly FacetCount[])[]> {
  const { fields, limit } = facetsOf
  const query = listOf(facetsOf)
  const plan = planOf(query)
  const arms = armsOf(scope)
  const isEmpty = plan.types?.length === 0 || arms.length === 0 || fields.length === 0
  const rows = isEmpty ? [] : await facets.all(facetQuery(language, { query, plan, arms }, { fields, limit }))
  return fields.map((field, index) => rows.filter(([at]) => at === index).map((row) => decode(field, row)))
}

/**
 * A list query with the same matches. Its sort names the counted members, so that the plan's source
 * provides them.
 */
function listOf({ fields, ...query }: FacetQuery): DrivenQuery {
  const members = [...new Set(fields.flatMap(countedMembers))]
  return { ...query, sort: members.map((member) => ({ field: { member }, descending: false })) }
}

function countedMembers(field: QueryField): readonly QueryMember[] {
  if ('path' in field) return []
  return isTypeOrStatus(field) ? ['type', 'status'] : [field.member]
}

function decode(field: QueryField, [, value, count]: FacetRow): FacetCount {
  return {
    value: existing('path' in field ? decodeValue(String(value)) : fromColumn(field.member, value)),
    count,
  }
}

function existing(value: QueryValue | null): QueryValue {
  if (value === null) throw new TypeError('Absent values are not counted.')
  return value
}
