import { join } from 'node:path'
import { dropSchema, testSchema } from '../../services/postgres.ts'
import { serveReady, type Served } from '../cycle.ts'
import { openFleet } from '../processes/fleet.ts'
import { servePostgres } from '../processes/serve-postgres.ts'
import type { RowKey } from '../read-rows.ts'

/** The service that delivers and is killed. */
export interface DeliveryService {
  readonly rows: RowKey
  /** Running processes. The first is the next to be killed. */
  callers(): readonly [Caller, ...Caller[]]
  /** Ends a process with SIGKILL and starts it again. */
  kill(): Promise<void>
  /** Kills all processes, and removes data outside of the folder. */
  close(): Promise<void>
}

/** The URL of a process, and a token for it. */
export type Caller = Pick<Served, 'url' | 'token'>

/** Starts a service that may send to `port` on this machine. */
export type OpenDeliveryService = (folder: string, port: number) => Promise<DeliveryService>

/**
 * One process on a SQLite file. `serve` returns the arguments of `node` that serve a data folder
 * and may send to a port.
 */
export function onSqlite(serve: (folder: string, port: number) => readonly string[]): OpenDeliveryService {
  return async (folder, port) => {
    const data = join(folder, 'data')
    let served = await serveReady(serve(data, port))
    return {
      rows: { file: join(data, 'quire.db') },
      callers: () => [served],
      async kill() {
        await served.server.kill()
        served = await serveReady(serve(data, port))
      },
      close: () => served.server.kill(),
    }
  }
}

/**
 * Two processes on one PostgreSQL schema, killed alternately. The other one keeps running and
 * delivering.
 */
export const onPostgres: OpenDeliveryService = async (folder, port) => {
  const schema = testSchema()
  const fleet = await openFleet(2, [
    ...servePostgres({ schema, folder }),
    `--egress-allow=127.0.0.1:${port}`,
  ]).catch(async (error: unknown) => {
    await dropSchema(schema)
    throw error
  })
  let slot = 0
  const caller = (index: number): Caller => ({ url: fleet.urlOf(index % fleet.size), token: fleet.token })
  return {
    rows: { schema },
    callers: () => [caller(slot), caller(slot + 1)],
    async kill() {
      await fleet.kill(slot % fleet.size)
      slot += 1
    },
    async close() {
      await fleet.destroy()
      await dropSchema(schema)
    },
  }
}
