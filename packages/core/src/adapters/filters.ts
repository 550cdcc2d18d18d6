import type { Condition, Filter, QueryField, QueryValue } from '../ports/index.ts'

/** The present values of a field: none, one, or those of a list. */
type ValuesOf = (field: QueryField) => readonly QueryValue[]

/** Whether values meet a filter (see `Filter` for what each operator means). */
export function meetsFilter(filter: Filter, valuesOf: ValuesOf): boolean {
  if ('all' in filter) return filter.all.every((inner) => meetsFilter(inner, valuesOf))
  if ('any' in filter) return filter.any.some((inner) => meetsFilter(inner, valuesOf))
  if ('not' in filter) return !meetsFilter(filter.not, valuesOf)
  return meets(valuesOf(filter.field), filter)
}

function meets(values: readonly QueryValue[], condition: Condition): boolean {
  switch (condition.op) {
    case 'eq':
      return values.includes(condition.value)
    case 'ne':
      return !values.includes(condition.value)
    case 'in':
      return values.some((value) => condition.value.includes(value))
    case 'nin':
      return !values.some((value) => condition.value.includes(value))
    case 'exists':
      return values.length > 0 === condition.value
    case 'contains':
    case 'startsWith':
      return values.some((value) => textMeets(value, condition))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return values.some((value) => orderMeets(value, condition))
    default:
      return condition satisfies never
  }
}

function textMeets(
  value: QueryValue,
  { op, value: part }: Extract<Condition, { value: string; op: 'contains' | 'startsWith' }>,
): boolean {
  if (typeof value !== 'string') return false
  const folded = foldAscii(value)
  return op === 'contains' ? folded.includes(foldAscii(part)) : folded.startsWith(foldAscii(part))
}

/** Values of different kinds have no order: they never match. */
function orderMeets(
  value: QueryValue,
  { op, value: operand }: Extract<Condition, { op: 'gt' | 'gte' | 'lt' | 'lte' }>,
): boolean {
  if (typeof value !== typeof operand) return false
  const order = compareValues(value, operand)
  if (op === 'gt') return order > 0
  if (op === 'gte') return order >= 0
  return op === 'lt' ? order < 0 : order <= 0
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Order of two values: absent first, then false, true, numbers, and text by code point. */
export function compareValues(a: QueryValue | null, b: QueryValue | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return Number(a) - Number(b)
}

const kinds: readonly string[] = ['boolean', 'number', 'string']

/**
 * Compares by Unicode code point, like UTF-8 bytes; UTF-16 code units order surrogates before
 * U+E000 to U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

// Surrogates represent code points above all others, so they are moved after U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
