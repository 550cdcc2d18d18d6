import type { QueryMember, QueryValue } from '@quire/core/ports'
import type { Dialect } from '../dialect.ts'
import type { SqlValue } from '../driver.ts'
import { always, and, never } from './logic.ts'
import { type Piece, piece, value } from './piece.ts'
import { type Test, anyOf, compare, textMatches } from './value-condition.ts'

type MemberType = 'string' | 'number' | 'boolean'

/** What each member holds; a value of another type equals none of them. */
const memberTypes: { readonly [M in QueryMember]: MemberType } = {
  id: 'string',
  type: 'string',
  name: 'string',
  slug: 'string',
  status: 'string',
  parentId: 'string',
  version: 'number',
  archived: 'boolean',
  published: 'boolean',
  createdDate: 'number',
  updatedDate: 'number',
  publishedDate: 'number',
  createdBy: 'string',
  updatedBy: 'string',
}

/** Whether a member may be absent. */
export function isNullable(member: QueryMember): boolean {
  return member === 'slug' || member === 'parentId' || member === 'publishedDate'
}

/** A member as a column. */
export interface MemberColumn {
  readonly member: QueryMember
  readonly expression: Piece
}

/** Whether a member of the entity passes. Never NULL. */
export function memberCondition(dialect: Dialect, { member, expression }: MemberColumn, test: Test): Piece {
  if (test.op === 'any') return always
  if (test.op === 'exists') return isNullable(member) ? piece`${expression} IS NOT NULL` : always
  const tested = presentCondition(dialect, { member, expression }, test)
  return isNullable(member) && tested !== never ? and([piece`${expression} IS NOT NULL`, tested]) : tested
}

/** A value of a member as its column holds it. */
export function toColumn(of: QueryValue): string | number {
  return typeof of === 'boolean' ? Number(of) : of
}

/** A value of a member's column as the member has it. */
export function fromColumn(member: QueryMember, of: SqlValue): QueryValue | null {
  return memberTypes[member] === 'boolean' ? of === 1 : of
}

function presentCondition(
  dialect: Dialect,
  column: MemberColumn,
  test: Exclude<Test, { op: 'exists' | 'any' }>,
): Piece {
  const type = memberTypes[column.member]
  if (test.op === 'in') {
    const fitting = test.value.filter((one) => typeof one === type)
    return fitting.length === 0 ? never : anyOf(dialect, column.expression, fitting.map(toColumn))
  }
  if (typeof test.value !== type) return never
  if (test.op === 'contains' || test.op === 'startsWith') return textMatches(dialect, column.expression, test)
  const bound = value(toColumn(test.value))
  return test.op === 'eq'
    ? piece`${column.expression} = ${bound}`
    : compare(column.expression, test.op, bound)
}
