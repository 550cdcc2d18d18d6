import type { Condition, Filter, QueryField, QueryMember } from '@quire/core/ports'
import type { Dialect } from '../dialect.ts'
import type { MemberSql, QueryColumns } from './columns.ts'
import { and, not, or } from './logic.ts'
import { memberCondition } from './member-condition.ts'
import { type SqlPart, piece, value } from './sql-part.ts'
import { testOf, valueCondition } from './value-condition.ts'

/** What every part of a query is built from. */
export interface QueryLanguage {
  readonly dialect: Dialect
  readonly columns: QueryColumns
}

/** The rows that a query reads: heads, or values that stand for their heads. */
export interface Source {
  readonly from: SqlPart
  readonly head: SqlPart
  readonly limited: SqlPart
  readonly members: MemberSql
}

/**
 * A member as an expression of the source. Errors: throws when the source lacks it, because it was
 * chosen without asking `membersOf`.
 */
export function memberPiece(source: Source, member: QueryMember): SqlPart {
  const found = source.members[member]
  if (!found) throw new TypeError(`The source of this list does not hold ${member}.`)
  return found
}

/** The members that a filter reads. */
export function membersOf(filter: Filter): readonly QueryMember[] {
  if ('all' in filter) return filter.all.flatMap(membersOf)
  if ('any' in filter) return filter.any.flatMap(membersOf)
  if ('not' in filter) return membersOf(filter.not)
  return memberOf(filter.field)
}

/** The member that a field names; empty for a path. */
export function memberOf(field: QueryField): readonly QueryMember[] {
  return 'member' in field ? [field.member] : []
}

/** The top-level conditions of a filter, all of which must hold. */
export function conjuncts(filter: Filter | undefined): readonly Filter[] {
  if (!filter) return []
  return 'all' in filter ? filter.all.flatMap(conjuncts) : [filter]
}

/** A filter as SQL over a source. Never NULL, so that it can be negated. */
export function filterPiece(language: QueryLanguage, source: Source, filter: Filter): SqlPart {
  if ('all' in filter) return and(filter.all.map((one) => filterPiece(language, source, one)))
  if ('any' in filter) return or(filter.any.map((one) => filterPiece(language, source, one)))
  if ('not' in filter) return not(filterPiece(language, source, filter.not))
  return conditionPiece(language, source, filter)
}

function conditionPiece(language: QueryLanguage, source: Source, condition: Condition): SqlPart {
  const { test, negated } = testOf(condition)
  const { field } = condition
  const tested =
    'member' in field
      ? memberCondition(
          language.dialect,
          { member: field.member, expression: memberPiece(source, field.member) },
          test,
        )
      : existsValue(language, source, {
          path: field.path,
          passes: (encoded) => valueCondition(language.dialect, encoded, test),
        })
  return negated ? not(tested) : tested
}

function existsValue(
  { columns: { from, values } }: QueryLanguage,
  source: Source,
  { path, passes }: { path: string; passes: (encoded: SqlPart) => SqlPart },
): SqlPart {
  return piece`EXISTS (SELECT 1 FROM ${from.values} WHERE ${values.head} = ${source.head} AND ${values.path} = ${value(path)} AND ${passes(values.value)})`
}
