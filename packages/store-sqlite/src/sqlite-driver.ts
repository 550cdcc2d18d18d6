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
import { translate } from './sqlite-error.ts'

/** What is asked before a statement runs, and told when one fails. */
export interface Guard {
  /** Errors: StoreUnavailable when the connection must not be used. */
  readonly check: () => void
  readonly failed: (error: unknown) => void
}

/** A driver over one connection. Rows come as arrays: objects and mapped rows cost a third of a list. */
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

/** A driver over the connection that writes. */
export function createWriteDriver(database: Database, guard: Guard): SqlWriteDriver {
  const run = (sql: string) => {
    const statement = database.prepare(sql)
    return () => attempt(guard, () => statement.run())
  }
  const begin = run('SAVEPOINT work')
  const release = run('RELEASE work')
  const rollback = run('ROLLBACK TO work')
  return {
    ...createDriver(database, guard),
    async savepoint(work) {
      begin()
      try {
        const result = await work()
        release()
        return result
      } catch (error) {
        if (database.inTransaction) {
          rollback()
          release()
        }
        throw error
      }
    },
  }
}

/** Calls `make` on first use and keeps what it made. */
function compileLater<T>(make: () => T): () => T {
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
    all: async (values = {}) => on(values, (statement, parameters) => statement.all(parameters)),
    get: async (values = {}) => on(values, (statement, parameters) => statement.get(parameters)),
    run: async (values = {}) => on(values, (statement, parameters) => statement.run(parameters).changes),
  }
}

function attempt<T>(guard: Guard, work: () => T): T {
  guard.check()
  try {
    return work()
  } catch (error) {
    const translated = translate(error)
    guard.failed(translated)
    throw translated
  }
}
