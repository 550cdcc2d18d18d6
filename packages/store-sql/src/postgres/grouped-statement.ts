import { type SQL, Placeholder, is, sql } from 'drizzle-orm'
import type { SqlValue, SqlValues } from '../driver.ts'
import type { RowSource, RowWrite } from '../row-write.ts'
import { postgresDialect } from './dialect.ts'

/** A write of one row or of any number of rows, as a part of a statement. */
export interface GroupedPart {
  readonly rows: RowWrite
  readonly isOne: boolean
}

type Encode = (value: SqlValue) => SqlValue

/** A value, or the values of a column for all rows. */
export type GroupedParameter = SqlValue | readonly SqlValue[]

/** Several writes as one statement. */
export interface GroupedStatement {
  readonly text: string
  /**
   * The parameters in order, from the runs of each part. `encode` is applied to each value. Errors:
   * throws when a placeholder has no value.
   */
  readonly bind: (runs: readonly (readonly SqlValues[])[], encode: Encode) => GroupedParameter[]
}

/** Compiles writes of different rows into one statement. */
export function compileParts(parts: readonly GroupedPart[]): GroupedStatement {
  const built = parts.map(({ rows, isOne }, index) =>
    rows.build(isOne ? oneRow(index) : manyRows(index, rows)),
  )
  const { sql: text, params } = postgresDialect.compile(joined(built))
  const slots = params.map(toSlot)
  return {
    text,
    bind: (runs, encode) =>
      slots.map((slot) => {
        const all = runs[slot.part] ?? []
        if (slot.holds === 'rows') return jsonOf(all, parts[slot.part], encode)
        const values = all.map((run) => encode(valueOf(run, slot.name)))
        return slot.holds === 'values' ? values : (values[0] ?? null)
      }),
  }
}

function joined(parts: readonly SQL[]): SQL {
  const last = parts.at(-1) ?? sql``
  if (parts.length < 2) return last
  const others = parts.slice(0, -1).map((part, index) => sql`${sql.identifier(`p${index}`)} AS (${part})`)
  return sql`WITH ${sql.join(others, sql`, `)} ${last}`
}

function oneRow(part: number): RowSource {
  return { value: (name) => placeholder({ part, name, holds: 'value' }), from: null }
}

/** The rows as a JSON array of objects. */
function jsonOf(runs: readonly SqlValues[], part: GroupedPart | undefined, encode: Encode): string {
  const names = Object.keys(part?.rows.columns ?? {})
  const rows = runs.map((run) =>
    Object.fromEntries(names.map((name, index) => [`m${index}`, encode(valueOf(run, name))])),
  )
  return JSON.stringify(rows)
}

/**
 * JSON takes half of the time of arrays here, and as much as arrays in the database. But PostgreSQL
 * expects a hundred rows of it, for which it would rather walk a table than look them up.
 */
function manyRows(part: number, { columns, looksUp }: RowWrite): RowSource {
  const members = Object.keys(columns)
  const types = Object.values(columns).map(({ dataType }) => (dataType === 'number' ? 'bigint' : 'text'))
  return {
    from: looksUp ? arrays(part, members, types) : records(part, types),
    value: (name) => sql`w.${memberName(members.indexOf(name))}`,
  }
}

function arrays(part: number, names: readonly string[], types: readonly string[]): SQL {
  const all = names.map(
    (name, index) => sql`${placeholder({ part, name, holds: 'values' })}::${sql.raw(types[index] ?? '')}[]`,
  )
  return sql`unnest(${sql.join(all, sql`, `)}) AS w (${sql.join(
    names.map((_, index) => memberName(index)),
    sql`, `,
  )})`
}

function records(part: number, types: readonly string[]): SQL {
  const members = types.map((type, index) => sql`${memberName(index)} ${sql.raw(type)}`)
  return sql`json_to_recordset(${placeholder({ part, name: '', holds: 'rows' })}::json) AS w (${sql.join(members, sql`, `)})`
}

function memberName(index: number): SQL {
  return sql.raw(`m${index}`)
}

/** What a parameter holds: a value, the values of a column, or whole rows. */
interface Slot {
  readonly part: number
  readonly name: string
  readonly holds: 'value' | 'values' | 'rows'
}

function placeholder(slot: Slot): SQL {
  return sql`${sql.placeholder(JSON.stringify(slot))}`
}

function toSlot(param: unknown): Slot {
  if (!is(param, Placeholder)) throw new TypeError('A grouped write has no parameters but its placeholders.')
  const slot: Slot = JSON.parse(param.name)
  return slot
}

function valueOf(run: SqlValues, name: string): SqlValue {
  const value = run[name]
  if (value === undefined) throw new TypeError(`The placeholder ${name} has no value.`)
  return value
}
