import { type SQL, Placeholder, is, sql } from 'drizzle-orm'
import type { SqlValue, SqlValues } from '../driver.ts'
import type { RowSource, RowWrite } from '../row-write.ts'
import { postgresDialect } from './dialect.ts'

/** A write of one row or of any number of rows, as a part of a statement. */
export interface GroupedPart {
  readonly rows: RowWrite
  readonly isOne: boolean
}

/** A value, or the values of a column for all rows. */
export type GroupedParameter = SqlValue | readonly SqlValue[]

/** Several writes as one statement. */
export interface GroupedStatement {
  readonly text: string
  /**
   * The parameters in order, from the runs of each part. `encode` is applied to each value. Errors:
   * throws when a placeholder has no value.
   */
  readonly bind: (
    runs: readonly (readonly SqlValues[])[],
    encode: (value: SqlValue) => SqlValue,
  ) => GroupedParameter[]
}

/**
 * Compiles writes of different rows into one statement. The values of several rows are passed as an
 * array for each column.
 */
export function compileParts(parts: readonly GroupedPart[]): GroupedStatement {
  const built = parts.map(({ rows, isOne }, index) =>
    rows.build(isOne ? oneRow(index) : manyRows(index, rows)),
  )
  const { sql: text, params } = postgresDialect.compile(joined(built))
  const slots = params.map(toSlot)
  return {
    text,
    bind: (runs, encode) =>
      slots.map(({ part, name }) => {
        const values = (runs[part] ?? []).map((run) => encode(valueOf(run, name)))
        return parts[part]?.isOne ? (values[0] ?? null) : values
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
  return { value: (name) => placeholder({ part, name }), from: null }
}

function manyRows(part: number, { columns }: RowWrite): RowSource {
  const members = Object.keys(columns)
  const arrays = Object.entries(columns).map(([name, column]) => {
    const type = column.dataType === 'number' ? 'bigint' : 'text'
    return sql`${placeholder({ part, name })}::${sql.raw(type)}[]`
  })
  return {
    from: sql`unnest(${sql.join(arrays, sql`, `)}) AS w (${sql.join(members.map(memberName), sql`, `)})`,
    value: (name) => sql`w.${memberName(name, members.indexOf(name))}`,
  }
}

function memberName(_name: string, index: number): SQL {
  return sql.raw(`m${index}`)
}

interface Slot {
  readonly part: number
  readonly name: string
}

function placeholder({ part, name }: Slot): SQL {
  return sql`${sql.placeholder(`${part} ${name}`)}`
}

function toSlot(param: unknown): Slot {
  if (!is(param, Placeholder)) throw new TypeError('A grouped write has no parameters but its placeholders.')
  const [part, name = ''] = param.name.split(' ')
  return { part: Number(part), name }
}

function valueOf(run: SqlValues, name: string): SqlValue {
  const value = run[name]
  if (value === undefined) throw new TypeError(`The placeholder ${name} has no value.`)
  return value
}
