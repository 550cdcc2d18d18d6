import { sql } from 'drizzle-orm'
import { type SqlPart, fixed, join, piece } from './sql-part.ts'

export const always = fixed('TRUE', sql`TRUE`)

export const never = fixed('FALSE', sql`FALSE`)

/** All of the parts; true when there are none. */
export function and(parts: readonly SqlPart[]): SqlPart {
  return parts.length === 0 ? always : balanced(parts, ' AND ')
}

/** Any of the parts; false when there are none. */
export function or(parts: readonly SqlPart[]): SqlPart {
  return parts.length === 0 ? never : balanced(parts, ' OR ')
}

/** Negates a part that is never NULL. */
export function not(part: SqlPart): SqlPart {
  return piece`NOT (${part})`
}

/**
 * SQLite refuses expressions that are more than 1 000 levels deep, and a plain chain is as deep as
 * it is long.
 */
const LONGEST_CHAIN = 64

function balanced(parts: readonly SqlPart[], operator: string): SqlPart {
  if (parts.length <= LONGEST_CHAIN) return piece`(${join(parts, operator)})`
  const middle = Math.ceil(parts.length / 2)
  const halves = [parts.slice(0, middle), parts.slice(middle)]
  return balanced(
    halves.map((half) => balanced(half, operator)),
    operator,
  )
}
