import {
  type KeyedRead,
  type Planned,
  type Query,
  type Row,
  type RowWrite,
  type SqlDriver,
  type SqlValues,
  type SqlWriteDriver,
  compileQuery,
  postgresDialect,
  prepareFits,
  touchedTables,
} from '@quire/store-sql'
import { compileLater } from './compile-later.ts'
import type { WaitingWrites } from './waiting-writes.ts'

/**
 * A driver over the writing connection. Writes whose result is not needed wait, except for those
 * that may fail because of what is written.
 */
export function createWriteDriver(atOnce: SqlDriver, writes: WaitingWrites): SqlWriteDriver {
  let statements = 0
  return {
    prepare<R extends Row>(query: Query<R>, planned: Planned = 'once') {
      statements += 1
      const waiting = isRowWrite(query) ? prepareWaiting(statements, query) : null
      const prepared = atOnce.prepare<R>(query, planned)
      const touched = compileLater(() => {
        const { text } = compileQuery(postgresDialect, query)
        return { tables: touchedTables(text), isSafe: planned === 'once' && text.startsWith('SELECT') }
      })
      const ready = async () => {
        const { tables, isSafe } = touched()
        // A statement with conditions of a user may fail, and must then not fail other transactions.
        if (!isSafe) await writes.beginSavepoints()
        await writes.runBefore(tables)
      }
      const run = async (values?: SqlValues) => {
        await ready()
        return prepared.run(values)
      }
      return {
        async all(values) {
          await ready()
          return prepared.all(values)
        },
        async get(values = {}) {
          if (isKeyedRead(query) && writes.touch(touched().tables) && !writes.affect(query, values)) {
            const row = await prepared.get(values)
            if (query.isFinal(row)) return row
          }
          await ready()
          return prepared.get(values)
        },
        run,
        async send(values = {}) {
          if (!waiting?.fits(values)) await run(values)
          else await writes.add({ statement: waiting.statement, tables: touched().tables, values })
        },
      }
    },
    savepoint: (work) => writes.savepoint(work),
  }
}

function prepareWaiting(number: number, rows: RowWrite) {
  return { statement: { number, rows }, fits: prepareFits(rows) }
}

function isKeyedRead<R extends Row>(query: Query<R>): query is KeyedRead<R> {
  return 'isFinal' in query
}

function isRowWrite<R extends Row>(query: Query<R>): query is RowWrite {
  return 'build' in query
}
