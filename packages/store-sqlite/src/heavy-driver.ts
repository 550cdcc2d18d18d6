import { type SqlDriver, type SqlValues, compileQuery, sqliteDialect } from '@quire/store-sql'
import type { HeavyWorker } from './heavy-worker.ts'
import { compileLater } from './sqlite-driver.ts'

/**
 * A driver that runs statements in a worker, for reads that would delay all others. Transferring a
 * row takes some 1 µs.
 */
export function createHeavyDriver(worker: HeavyWorker, requireOpen: () => void): SqlDriver {
  return {
    prepare(query) {
      const compiled = compileLater(() => compileQuery(sqliteDialect, query))
      const all = async (values: SqlValues = {}, mostText?: number) => {
        requireOpen()
        const { text, bind } = compiled()
        return worker.run('read', { text, parameters: bind(values), mostText })
      }
      return { all, get: async (values) => (await all(values))[0], run: refuseWrite, send: refuseWrite }
    },
  }
}

async function refuseWrite(): Promise<never> {
  throw new TypeError('The worker for slow reads cannot write: use the writing connection.')
}
