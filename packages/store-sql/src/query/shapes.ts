import type { Prepared, Row, SqlDriver } from '../driver.ts'
import { type Piece, toQuery, toValues } from './piece.ts'

/** Statements of list queries, kept by shape. */
export interface Shapes<R extends Row> {
  readonly all: (query: Piece) => Promise<R[]>
}

/**
 * How many shapes of one kind of query stay compiled on a connection. One takes some 10 KB; compiling one some 100 µs,
 * which is what a query costs whose shape was pushed out.
 */
const MOST_SHAPES = 500

/** Opens an empty collection of shapes; the one unused for longest goes when there are too many. */
export function createShapes<R extends Row>(driver: SqlDriver): Shapes<R> {
  const kept = new Map<string, Prepared<R>>()
  const prepared = (query: Piece) => {
    const found = kept.get(query.key) ?? driver.prepare<R>(toQuery(query), 'eachRun')
    kept.delete(query.key)
    kept.set(query.key, found)
    const [oldest] = kept.keys()
    if (kept.size > MOST_SHAPES && oldest !== undefined) kept.delete(oldest)
    return found
  }
  return { all: (query) => prepared(query).all(toValues(query)) }
}
