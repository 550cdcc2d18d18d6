import {
  type CompiledQuery,
  type Prepared,
  type Row,
  type SqlDriver,
  type SqlValue,
  type SqlValues,
  type SqlWriteDriver,
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

/** Whether the open transaction has written nothing yet. Set by the code that begins it. */
export interface Freshness {
  fresh: boolean
}

/**
 * A driver over the writing connection. The first work in a transaction is undone by rolling the
 * transaction back and beginning it again. A savepoint would copy every changed page, which is a
 * tenth of the cost of writing one item.
 */
export function createWriteDriver(database: Database, guard: Guard, state: Freshness): SqlWriteDriver {
  const run = (sql: string) => {
    const statement = database.prepare(sql)
    return () => attempt(guard, () => statement.run())
  }
  const savepoint: Steps = {
    begin: run('SAVEPOINT work'),
    end: run('RELEASE work'),
    undo: [run('ROLLBACK TO work'), run('RELEASE work')],
  }
  const anew: Steps = {
    begin: () => undefined,
    end: () => undefined,
    undo: [run('ROLLBACK'), run('BEGIN IMMEDIATE')],
  }
  return {
    ...createDriver(database, guard),
    async savepoint(work) {
      const isFirst = state.fresh
      state.fresh = false
      try {
        return await runSteps(database, isFirst ? anew : savepoint, work)
      } catch (error) {
        state.fresh = isFirst
        throw error
      }
    },
  }
}

interface Steps {
  readonly begin: () => unknown
  readonly end: () => unknown
  readonly undo: readonly (() => unknown)[]
}

async function runSteps<T>(
  database: Database,
  { begin, end, undo }: Steps,
  work: () => Promise<T>,
): Promise<T> {
  begin()
  try {
    const result = await work()
    end()
    return result
  } catch (error) {
    if (database.inTransaction) for (const step of undo) step()
    throw error
  }
}

/** Calls `make` on first use and caches the result. */
export function compileLater<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function prepareOn<R extends Row>(
  database: Database,
  guard: Guard,
  compiled: () => CompiledQuery,
): Prepared<R> {
  const ready = compileLater(() => {
    const { text, bind } = compiled()
    const statement = database.prepare<[SqlValue[]], R>(text)
    return { statement: statement.reader ? statement.raw() : statement, bind }
  })
  const on = <T>(
    values: SqlValues,
    use: (statement: Statement<[SqlValue[]], R>, parameters: SqlValue[]) => T,
  ) =>
    attempt(guard, () => {
      const { statement, bind } = ready()
      return use(statement, bind(values))
    })
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

function attempt<T>(guard: Guard, work: () => T): T {
  guard.check()
  try {
    return work()
  } catch (error) {
    throw guard.failed(error)
  }
}
