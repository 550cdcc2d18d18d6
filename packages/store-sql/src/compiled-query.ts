import { type SQL, Param, Placeholder, is, sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'
import type { Query, SqlValue, SqlValues } from './driver.ts'
import type { RowSource } from './row-write.ts'

/**
 * A query ready for a driver: its text, and a function that turns the values of a call into
 * parameters.
 */
export interface CompiledQuery {
  readonly text: string
  /** The parameters in order. Errors: throws when a placeholder has no value. */
  readonly bind: (values: SqlValues) => SqlValue[]
}

type Slot = { readonly name: string } | { readonly value: SqlValue }

/**
 * Compiles a query. Placeholders are resolved here, because drizzle's own filling inspects the
 * class of every parameter on every call.
 */
export function compileQuery(dialect: Dialect, query: Query): CompiledQuery {
  const { sql: text, params } = dialect.compile(toSql(query))
  const slots = params.map(toSlot)
  return { text, bind: (values) => slots.map((slot) => fill(slot, values)) }
}

/** A `RowWrite` writes one row. */
function toSql(query: Query): SQL {
  if ('build' in query) return query.build(placeholders)
  return 'query' in query ? query.query : query
}

const placeholders: RowSource = { value: (name) => sql`${sql.placeholder(name)}`, from: null }

function toSlot(param: unknown): Slot {
  if (is(param, Placeholder)) return { name: param.name }
  const value: unknown = is(param, Param) ? param.value : param
  if (value === null || typeof value === 'string' || typeof value === 'number') return { value }
  throw new TypeError(`A parameter must be text, a number or null, not ${typeof value}: encode it first.`)
}

function fill(slot: Slot, values: SqlValues): SqlValue {
  if ('value' in slot) return slot.value
  const value = values[slot.name]
  if (value === undefined) throw new TypeError(`The placeholder ${slot.name} has no value.`)
  return value
}
