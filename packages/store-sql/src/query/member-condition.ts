import type { QueryMember, QueryValue } from '@quire/core/ports'
import type { Dialect } from '../dialect.ts'
import type { SqlValue } from '../driver.ts'
import { always, and, never } from './logic.ts'
import { type SqlPart, piece, value } from './sql-part.ts'
import { type Test, anyNumberOf, anyOf, compare, textMatches } from './value-condition.ts'
import { wholeBound } from './whole-bound.ts'

type MemberType = 'string' | 'number' | 'boolean'

/** The type of each member. A value of another type equals none of its values. */
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

export interface MemberColumn {
  readonly member: QueryMember
  readonly expression: SqlPart
}

/** Whether a member of the entity passes a test. Never NULL. */
export function memberCondition(dialect: Dialect, { member, expression }: MemberColumn, test: Test): SqlPart {
  if (test.op === 'any') return always
  if (test.op === 'exists') return isNullable(member) ? piece`${expression} IS NOT NULL` : always
  const tested = existsCondition(dialect, { member, expression }, test)
  return isNullable(member) && tested !== never ? and([piece`${expression} IS NOT NULL`, tested]) : tested
}

function toColumn(of: QueryValue): string | number {
  return typeof of === 'boolean' ? Number(of) : of
}

/**
 * A cursor's value in the form that the member's column compares with. Null for a value of the
 * wrong type, as a forged cursor may contain.
 */
export function scopeInColumn(member: QueryMember, of: QueryValue | null): string | number | null {
  if (of === null || typeof of !== memberTypes[member]) return null
  return typeof of === 'number' ? wholeBound('gt', of) : toColumn(of)
}

/** Decodes a value of a member's column. */
export function fromColumn(member: QueryMember, of: SqlValue): QueryValue | null {
  return memberTypes[member] === 'boolean' ? of === 1 : of
}

function existsCondition(
  dialect: Dialect,
  column: MemberColumn,
  test: Exclude<Test, { op: 'exists' | 'any' }>,
): SqlPart {
  if (test.op === 'in') return inCondition(dialect, column, test.value)
  if (typeof test.value !== memberTypes[column.member]) return never
  if (test.op === 'contains' || test.op === 'startsWith') return textMatches(dialect, column.expression, test)
  if (typeof test.value === 'number') return numberCondition(column, test.op, test.value)
  const bound = value(toColumn(test.value))
  return test.op === 'eq'
    ? piece`${column.expression} = ${bound}`
    : compare(column.expression, test.op, bound)
}

function inCondition(
  dialect: Dialect,
  { member, expression }: MemberColumn,
  list: readonly QueryValue[],
): SqlPart {
  if (memberTypes[member] === 'string') {
    const texts = list.filter((one) => typeof one === 'string')
    return texts.length === 0 ? never : anyOf(dialect, expression, texts)
  }
  const fitting = list.filter((one) => typeof one === memberTypes[member]).map(Number)
  const whole = fitting.filter(Number.isSafeInteger)
  return whole.length === 0 ? never : anyNumberOf(dialect, expression, whole)
}

function numberCondition(
  { expression }: MemberColumn,
  op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte',
  bound: number,
): SqlPart {
  if (op !== 'eq') return compare(expression, op, value(wholeBound(op, bound)))
  return Number.isSafeInteger(bound) ? piece`${expression} = ${value(bound)}` : never
}
