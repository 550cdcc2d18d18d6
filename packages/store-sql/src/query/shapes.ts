import type { Planned, Prepared, Row, SqlDriver } from '../driver.ts'
import { type SqlPart, toQuery, toValues } from './sql-part.ts'

/** Compiled statements of list queries, cached by shape. */
export interface Shapes<R extends Row> {
  /** `mostText`: see `Prepared`. */
  readonly all: (query: SqlPart, mostText?: number) => Promise<R[]>
}

/**
 * Compiled shapes per kind of query and connection. A shape takes some 10 KB. Compiling one takes
 * some 100 µs, which a query pays when its shape was dropped.
 */
const MOST_SHAPES = 500

/**
 * The least recently used shape is dropped when there are too many. `planned`: whether a plan may be used
 * for other values, too.
 */
export function createShapes<R extends Row>(driver: SqlDriver, planned: Planned = 'eachRun'): Shapes<R> {
  const stored = new Map<string, Prepared<R>>()
  const prepared = (query: SqlPart) => {
    const found = stored.get(query.key) ?? driver.prepare<R>(toQuery(query), planned)
    stored.delete(query.key)
    stored.set(query.key, found)
    const [oldest] = stored.keys()
    if (stored.size > MOST_SHAPES && oldest !== undefined) stored.delete(oldest)
    return found
  }
  return { all: (query, mostText) => prepared(query).all(toValues(query), mostText) }
}
