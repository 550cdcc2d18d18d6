import {
  type CompiledQuery,
  type Prepared,
  type Row,
  type SqlWriteDriver,
  compileQuery,
  sqliteDialect,
} from '@quire/store-sql'
import type { Database } from 'better-sqlite3'
import type { DeferredWrites } from './deferred-writes.ts'
import { type Guard, attempt, compileLater, preparedOn, readyLater } from './sqlite-driver.ts'

/** A driver over the writing connection. Writes whose result is not needed are deferred. */
export function createWriteDriver(database: Database, guard: Guard, writes: DeferredWrites): SqlWriteDriver {
  return {
    prepare(query) {
      const compiled = compileLater(() => compileQuery(sqliteDialect, query))
      return preparedToWrite(database, { guard, writes, compiled })
    },
    savepoint: (work) => writes.savepoint(work),
  }
}

function preparedToWrite<R extends Row>(
  database: Database,
  { guard, writes, compiled }: { guard: Guard; writes: DeferredWrites; compiled: () => CompiledQuery },
): Prepared<R> {
  const ready = readyLater<R>(database, compiled)
  const atOnce = preparedOn<R>((values, use) =>
    attempt(guard, () => {
      const { statement, bind } = ready()
      writes.runAll()
      if (!statement.readonly) writes.beginSavepoints()
      return use(statement, bind(values))
    }),
  )
  return {
    ...atOnce,
    send: async (values = {}) =>
      attempt(guard, () => {
        const { statement, bind } = ready()
        const parameters = bind(values)
        writes.add(() => void statement.run(parameters))
      }),
  }
}
