import { type Column, type SQL, type Table, getTableName, sql } from 'drizzle-orm'
import type { SqlValue, SqlValues } from '../driver.ts'

type Hole = (index: number) => SQL

/**
 * A part of a query whose shape repeats while its values change. Key, values and SQL are made by
 * the same walk, so a compiled statement found by `key` always fits `values`. SQL is built only for
 * shapes that were not seen before.
 */
export interface SqlPart {
  /** Identifies the shape: equal keys produce equal SQL. */
  readonly key: string
  /** The values of its placeholders, in the order of the text. */
  readonly values: readonly SqlValue[]
  readonly build: (hole: Hole, first: number) => SQL
}

/** Builds a part from SQL text and other parts. */
export function piece(strings: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlPart {
  let key = strings[0] ?? ''
  const values: SqlValue[] = []
  for (const [index, part] of parts.entries()) {
    key += part.key + (strings[index + 1] ?? '')
    if (part.values.length > 0) values.push(...part.values)
  }
  return { key, values, build: (hole, first) => sql(strings, ...buildAll(parts, hole, first)) }
}

/** A value that may differ from call to call. */
export function value(of: SqlValue): SqlPart {
  return { key: '?', values: [of], build: (hole, first) => hole(first) }
}

/** Constant SQL; `name` must identify it. */
export function fixed(name: string, built: SQL | Column | Table): SqlPart {
  return { key: name, values: [], build: () => sql`${built}` }
}

export function column(of: Column): SqlPart {
  return fixed(`${getTableName(of.table)}.${of.name}`, of)
}

/** Applies a dialect's function to other parts. */
export function apply(
  name: string,
  write: (...inner: readonly SQL[]) => SQL,
  ...inner: readonly SqlPart[]
): SqlPart {
  return {
    key: `${name}(${inner.map((part) => part.key).join()})`,
    values: inner.flatMap((part) => part.values),
    build: (hole, first) => write(...buildAll(inner, hole, first)),
  }
}

/** Parts with `separator` between them. */
export function join(parts: readonly SqlPart[], separator: string): SqlPart {
  return {
    key: parts.map((part) => part.key).join(separator),
    values: parts.flatMap((part) => part.values),
    build: (hole, first) => sql.join(buildAll(parts, hole, first), sql.raw(separator)),
  }
}

/** The SQL of a whole query, with named placeholders in order. */
export function toQuery(whole: SqlPart): SQL {
  return whole.build((index) => sql`${sql.placeholder(nameOf(index))}`, 0)
}

/** The values of a whole query, by the names of its placeholders. */
export function toValues(whole: SqlPart): SqlValues {
  return Object.fromEntries(whole.values.map((of, index) => [nameOf(index), of]))
}

function buildAll(parts: readonly SqlPart[], hole: Hole, first: number): SQL[] {
  let next = first
  return parts.map((part) => {
    const built = part.build(hole, next)
    next += part.values.length
    return built
  })
}

function nameOf(index: number): string {
  return `v${index}`
}
