import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { openPostgresStore } from '@quire/store-postgres'
import { asAdministrator, databaseUrl, dropSchema, testSchema } from '../../test/services/postgres.ts'
import { fill } from './articles.ts'
import { openCoreShare, type CoreShare } from './core-share.ts'
import { cpuTimesOf, type CpuTimes } from './cpu-time.ts'
import { editorToken, freePort, spawnQuire, stopServer, type Running } from './servers.ts'

/** Servers on one database schema, with one signing key and one blob folder. */
export interface SharedServers {
  /** All of them accept the tokens of each other. */
  readonly servers: readonly Running[]
  /** Limits each server to a share of a core; null where control groups are not available. */
  readonly share: CoreShare | null
  /** The CPU time of the schema's connections so far, on the database side. */
  databaseTimes(): Promise<CpuTimes>
  /** Stops the servers and drops the schema. */
  close(): Promise<void>
}

/** Fills a new schema with `items` articles and starts several servers on it. */
export async function openSharedServers(
  folder: string,
  { servers: count, items }: { servers: number; items: number },
): Promise<SharedServers> {
  const schema = testSchema()
  const data = join(folder, 'shared')
  const servers: Running[] = []
  const end = async () => {
    await Promise.all(servers.map(stopServer))
    await dropSchema(schema)
  }
  try {
    await fillSchema(schema, items)
    writeKey(data)
    servers.push(...(await startAll(data, { schema, count })))
    const share = openCoreShare(servers.map(pidOf))
    return {
      servers,
      share,
      databaseTimes: () => databaseTimes(schema),
      async close() {
        await end()
        share?.close()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Errors: the server was not spawned. */
export function pidOf({ process: child }: Running): number {
  if (child.pid === undefined) throw new Error('the server was not spawned')
  return child.pid
}

async function fillSchema(schema: string, items: number): Promise<void> {
  const quire = createQuire({ store: await openPostgresStore({ url: databaseUrl(), schema }) })
  await fill(quire.as(systemIdentity('bench')), items)
  await quire.close()
  // Autovacuum would do this sooner or later, possibly in the middle of a round.
  await asAdministrator(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1",
      [schema],
    )
    await client.query(`VACUUM ANALYZE ${rows.map(({ name }) => name).join(', ')}`)
  })
}

function writeKey(data: string): void {
  mkdirSync(data)
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
}

/**
 * Starts them one at a time: the first creates the missing tables. All use the base URL of the
 * first, so that a token is valid for all of them.
 */
async function startAll(
  data: string,
  { schema, count }: { schema: string; count: number },
): Promise<Running[]> {
  const started: Omit<Running, 'token'>[] = []
  const ports = await freePorts(count)
  const baseUrl = `http://127.0.0.1:${ports[0]}`
  const flags = [
    `--base-url=${baseUrl}`,
    `--database=${databaseUrl()}`,
    `--database-schema=${schema}`,
    '--log=silent',
    '--rate-limit=0',
  ]
  try {
    for (const port of ports) started.push(await spawnQuire(data, port, flags))
    const token = await editorToken(baseUrl)
    return started.map((server) => ({ ...server, token }))
  } catch (error) {
    await Promise.all(started.map(stopServer))
    throw error
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

async function databaseTimes(schema: string): Promise<CpuTimes> {
  const pids = await asAdministrator(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
      [`quire ${schema}`],
    )
    return rows.map(({ pid }) => pid)
  })
  return cpuTimesOf(pids)
}
