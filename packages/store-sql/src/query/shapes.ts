import type { Prepared, Row, SqlDriver } from '../driver.ts'
import { type SqlPart, toQuery, toValues } from './sql-part.ts'

/** Statements of list queries, kept by shape. */
export interface Shapes<R extends Row> {
  /** `mostText`: see `Prepared`. */
  readonly all: (query: SqlPart, mostText?: number) => Promise<R[]>
}

/**
 * How many shapes of one kind of query stay compiled on a connection. One takes some 10 KB; compiling one some 100 µs,
 * which is what a query costs whose shape was pushed out.
 */
const MOST_SHAPES = 500

/** Opens an empty collection of shapes; the one unused for longest goes when there are too many. */
export function createShapes<R extends Row>(driver: SqlDriver): Shapes<R> {
  const stored = new Map<string, Prepared<R>>()
  const prepared = (query: SqlPart) => {
    const found = stored.get(query.key) ?? driver.prepare<R>(toQuery(query), 'eachRun')
    stored.delete(query.key)
    stored.set(query.key, found)
    const [oldest] = stored.keys()
    if (stored.size > MOST_SHAPES && oldest !== undefined) stored.delete(oldest)
    return found
  }
  return { all: (query, mostText) => prepared(query).all(toValues(query), mostText) }
}
