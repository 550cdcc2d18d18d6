import type { Json } from '../../ports/index.ts'
import { mergedByValue, no, ok, plain, type Checked } from './rules.ts'

/** What kinds of number have in common. */
export const numeric = {
  ...plain,
  comparison: 'number',
  canBeUnique: true,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  convert: numberIn,
} as const

/** The number that a text is. What is no number, or none that JSON can hold, stays, and so does not fit. */
function numberIn(value: Json): Json {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : value
}

/** Checks a number against the bounds of its field. */
export function within(
  value: number,
  { min, max, step }: { min?: number | undefined; max?: number | undefined; step?: number | undefined },
): Checked {
  if (min !== undefined && value < min) return no(`must be at least ${min}`)
  if (max !== undefined && value > max) return no(`must be at most ${max}`)
  if (step !== undefined && !isMultiple(value, step)) return no(`must be a multiple of ${step}`)
  return ok(value)
}

// Decimal steps are not exact in binary (0.3 / 0.1): a quotient within rounding of an integer counts.
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4
}
