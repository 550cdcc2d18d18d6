import type { Condition, QueryValue } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import { listText } from '../list-text.ts'
import { encodeValue, typeRange } from './encode-value.ts'
import { smallAscii } from './small-ascii.ts'
import { always, and } from './logic.ts'
import { type SqlPart, apply, fixed, piece, value } from './sql-part.ts'

type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte'

const operators: { readonly [O in OrderOperator]: SqlPart } = {
  gt: fixed('>', sql.raw('>')),
  gte: fixed('>=', sql.raw('>=')),
  lt: fixed('<', sql.raw('<')),
  lte: fixed('<=', sql.raw('<=')),
}

/**
 * A condition without its field and without negation: the caller negates the result for `ne`, `nin`
 * and `exists: false`.
 */
export type Test =
  | { readonly op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'; readonly value: QueryValue }
  | { readonly op: 'in'; readonly value: readonly QueryValue[] }
  | { readonly op: 'contains' | 'startsWith'; readonly value: string }
  | { readonly op: 'exists' }
  /** Every row, including those of absent values. Only used to walk an index. */
  | { readonly op: 'any' }

/** One end of a range. */
export type Range = { readonly op: OrderOperator; readonly value: QueryValue }

/**
 * Both ends of a range of values of one type. Only used to walk an index from one end to the other.
 */
export interface Between {
  readonly op: 'between'
  readonly lower: Range
  readonly upper: Range
}

/** Whether a test is one end of a range. */
export function isRange<T extends { readonly op: string }>(test: T): test is T & Range {
  return test.op in operators
}

/** Whether this is the lower end of a range. */
export function isLower({ op }: Range): boolean {
  return op === 'gt' || op === 'gte'
}

/** A test, and whether the condition negates it. */
export interface Tested {
  readonly test: Test
  readonly negated: boolean
}

/** Splits a condition into a positive test and its negation. */
export function testOf(condition: Condition): Tested {
  switch (condition.op) {
    case 'ne':
      return { test: { op: 'eq', value: condition.value }, negated: true }
    case 'nin':
      return { test: { op: 'in', value: condition.value }, negated: true }
    case 'exists':
      return { test: { op: 'exists' }, negated: !condition.value }
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { test: { op: condition.op, value: condition.value }, negated: false }
    case 'in':
      return { test: { op: 'in', value: condition.value }, negated: false }
    case 'contains':
    case 'startsWith':
      return { test: { op: condition.op, value: condition.value }, negated: false }
    default:
      return condition satisfies never
  }
}

/** Whether an encoded custom value passes. Never NULL. Values of another type never pass. */
export function valueCondition(dialect: Dialect, encoded: SqlPart, test: Test): SqlPart {
  switch (test.op) {
    case 'eq':
      return piece`${encoded} = ${value(encodeValue(test.value))}`
    case 'in':
      return anyOf(dialect, encoded, test.value.map(encodeValue))
    case 'any':
      return always
    case 'exists':
      return piece`${encoded} > ${value('')}`
    case 'contains':
    case 'startsWith':
      return textCondition(dialect, encoded, test)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return rangeCondition(encoded, test.op, encodeValue(test.value))
    default:
      return test satisfies never
  }
}

/** The same for the value that the list is walked by. */
export function drivenCondition(dialect: Dialect, encoded: SqlPart, test: Test | Between): SqlPart {
  if (test.op !== 'between') return valueCondition(dialect, encoded, test)
  const ends = [test.lower, test.upper]
  return and(ends.map((end) => compare(encoded, end.op, value(encodeValue(end.value)))))
}

/** Whether a text is in a list, which is passed as one parameter whatever its length. */
export function anyOf(dialect: Dialect, expression: SqlPart, list: readonly string[]): SqlPart {
  return apply('anyOf', (of, among) => dialect.anyOf(of, among), expression, value(listText(list)))
}

/** The same for integers. */
export function anyNumberOf(dialect: Dialect, expression: SqlPart, list: readonly number[]): SqlPart {
  return apply(
    'anyNumberOf',
    (of, among) => dialect.anyNumberOf(of, among),
    expression,
    value(listText(list)),
  )
}

/** Whether a text contains, or starts with, the needle. Ignores the case of ASCII letters. */
export function textMatches(
  dialect: Dialect,
  text: SqlPart,
  test: { op: 'contains' | 'startsWith'; value: string },
): SqlPart {
  const needle = value(smallAscii(test.value))
  const position = apply('positionOf', (within, sought) => dialect.positionOf(within, sought), text, needle)
  return test.op === 'contains' ? piece`${position} > 0` : piece`${position} = 1`
}

function textCondition(
  dialect: Dialect,
  encoded: SqlPart,
  test: { op: 'contains' | 'startsWith'; value: string },
): SqlPart {
  const { first, end } = typeRange(encodeValue(''))
  const text = apply('withoutFirst', (of) => dialect.withoutFirst(of), encoded)
  return and([
    piece`${encoded} >= ${value(first)}`,
    piece`${encoded} < ${value(end)}`,
    textMatches(dialect, text, test),
  ])
}

function rangeCondition(encoded: SqlPart, op: OrderOperator, bound: string): SqlPart {
  const { first, end } = typeRange(bound)
  const upward = isLower({ op, value: bound })
  const other = upward ? piece`${encoded} < ${value(end)}` : piece`${encoded} >= ${value(first)}`
  return and([compare(encoded, op, value(bound)), other])
}

export function compare(left: SqlPart, op: OrderOperator, right: SqlPart): SqlPart {
  return piece`${left} ${operators[op]} ${right}`
}
