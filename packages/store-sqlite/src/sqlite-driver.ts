import {
  type CompiledQuery,
  type Prepared,
  type Row,
  type SqlDriver,
  type SqlValue,
  type SqlValues,
  compileQuery,
  sqliteDialect,
} from '@quire/store-sql'
import type { Database, Statement } from 'better-sqlite3'
import { rowsWithin } from './rows-within.ts'

/** Hooks before a statement runs, and after one fails. */
export interface Guard {
  /** Errors: StoreUnavailable when the connection must not be used. */
  readonly check: () => void
  /** Maps an error of the connection to the error that the caller gets. */
  readonly failed: (error: unknown) => unknown
}

/**
 * A driver over one connection. Rows are arrays: objects and mapped rows cost a third of a list's
 * time.
 */
export function createDriver(database: Database, guard: Guard): SqlDriver {
  return {
    prepare: (query) =>
      prepareOn(
        database,
        guard,
        compileLater(() => compileQuery(sqliteDialect, query)),
      ),
  }
}

/** Calls `make` on first use and caches the result. */
export function compileLater<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

interface Ready<R extends Row> {
  readonly statement: Statement<[SqlValue[]], R>
  readonly bind: CompiledQuery['bind']
}

/** Prepares a statement on first use. */
export function readyLater<R extends Row>(database: Database, compiled: () => CompiledQuery): () => Ready<R> {
  return compileLater(() => {
    const { text, bind } = compiled()
    const statement = database.prepare<[SqlValue[]], R>(text)
    return { statement: statement.reader ? statement.raw() : statement, bind }
  })
}

function prepareOn<R extends Row>(
  database: Database,
  guard: Guard,
  compiled: () => CompiledQuery,
): Prepared<R> {
  const ready = readyLater<R>(database, compiled)
  return preparedOn((values, use) =>
    attempt(guard, () => {
      const { statement, bind } = ready()
      return use(statement, bind(values))
    }),
  )
}

type Using<R extends Row> = <T>(
  values: SqlValues,
  use: (statement: Statement<[SqlValue[]], R>, parameters: SqlValue[]) => T,
) => T

/** A statement whose every use goes through `on`. */
export function preparedOn<R extends Row>(on: Using<R>): Prepared<R> {
  return {
    all: async (values = {}, mostText) =>
      on(values, (statement, parameters) =>
        mostText === undefined
          ? statement.all(parameters)
          : rowsWithin(statement.iterate(parameters), mostText),
      ),
    get: async (values = {}) => on(values, (statement, parameters) => statement.get(parameters)),
    run: async (values = {}) => on(values, (statement, parameters) => statement.run(parameters).changes),
    send: async (values = {}) => on(values, (statement, parameters) => void statement.run(parameters)),
  }
}

/** Runs work of a connection under its guard. */
export function attempt<T>(guard: Guard, work: () => T): T {
  guard.check()
  try {
    return work()
  } catch (error) {
    throw guard.failed(error)
  }
}
