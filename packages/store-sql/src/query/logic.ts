import { sql } from 'drizzle-orm'
import { type SqlPart, fixed, join, piece } from './sql-part.ts'

/** What always holds. */
export const always = fixed('TRUE', sql`TRUE`)

/** What never holds. */
export const never = fixed('FALSE', sql`FALSE`)

/** All of them; holds when there are none. */
export function and(parts: readonly SqlPart[]): SqlPart {
  return parts.length === 0 ? always : balanced(parts, ' AND ')
}

/** Any of them; never holds when there are none. */
export function or(parts: readonly SqlPart[]): SqlPart {
  return parts.length === 0 ? never : balanced(parts, ' OR ')
}

/** The opposite of a piece that is never NULL. */
export function not(part: SqlPart): SqlPart {
  return piece`NOT (${part})`
}

/** SQLite refuses an expression deeper than 1 000; a plain chain is as deep as it is long. */
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
