import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { asAdministrator, dropSchema, testSchema } from '../../services/postgres.ts'
import { administratorEnv } from '../../server/api-access.ts'
import { Connection, type HttpAnswer } from '../../server/connection.ts'
import { prepare, serveReady, type Served } from '../cycle.ts'
import { openLedger } from '../ledger.ts'
import { backendsOf } from '../processes/backends.ts'
import { freePorts } from '../processes/free-ports.ts'
import { servePostgres } from '../processes/serve-postgres.ts'
import { pathOf, repository } from '../writer.ts'
import { openWay, type Way } from './way.ts'

/** A service whose connection to the database can be cut. */
export interface CutOff {
  readonly way: Way
  readonly served: Served
  readonly schema: string
  /** The id of an existing item. */
  readonly item: string
  close(): Promise<void>
}

/** Starts the service and creates an item. */
export async function openCutOff(): Promise<CutOff> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-cut-off-'))
  const schema = testSchema()
  const way = await openWay()
  const close = async (served?: Served) => {
    await served?.server.kill()
    await way.close()
    await dropSchema(schema)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [port] = await freePorts(1)
    const args = [...servePostgres({ schema, folder, database: way.url }), `--port=${port}`]
    const served = await serveReady(args, administratorEnv, `http://127.0.0.1:${port}`)
    const { shared: item } = await prepare(served, openLedger(join(folder, 'ledger.jsonl')))
    return { way, served, schema, item, close: () => close(served) }
  } catch (error) {
    await close()
    throw error
  }
}

/** A request and its outcome. */
export interface Outcome {
  readonly what: string
  readonly status: number
  readonly retryAfter: string | undefined
  /** When the request was sent, in milliseconds on the clock of this process. */
  readonly at: number
  /** Duration in milliseconds. */
  readonly took: number
}

// Milliseconds after which a request is given up.
const timeout = 30_000

/** The requests of a client, by a short name. */
const requests = {
  read: (item: string) => `GET ${pathOf(item)}`,
  list: () => `GET /api/items/${repository}?limit=5`,
  search: () => `GET /api/items/${repository}?text=gall`,
  settings: () => 'GET /api/admin/settings',
  write: () => 'POST /api/items',
} as const

type RequestName = keyof typeof requests

const requestNames: readonly RequestName[] = ['read', 'list', 'search', 'settings', 'write']

/** Sends one request on its own connection. */
export async function ask({ served, item }: CutOff, what: RequestName): Promise<Outcome> {
  const connection = new Connection(served.url)
  const body = JSON.stringify({ repositoryId: repository, type: 'note', name: `Cut off ${Math.random()}` })
  const [method] = requests[what](item).split(' ')
  const head = [
    `${requests[what](item)} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${served.token}`,
    ...(method === 'POST'
      ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
      : []),
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${method === 'POST' ? body : ''}`)
  const start = performance.now()
  try {
    const answer: HttpAnswer = await connection.send({ bytes, timeout })
    const { status, headers } = answer
    return { what, status, retryAfter: headers['retry-after'], at: start, took: performance.now() - start }
  } finally {
    connection.close()
  }
}

/** Sends all requests repeatedly for `ms` milliseconds, with several concurrent clients. */
export async function askFor(cutOff: CutOff, ms: number): Promise<Outcome[]> {
  const until = performance.now() + ms
  const all = requestNames.map(async (what) => {
    const asked: Outcome[] = []
    while (performance.now() < until) {
      asked.push(await ask(cutOff, what))
      await wait(100)
    }
    return asked
  })
  return (await Promise.all(all)).flat()
}

/** Milliseconds until every request succeeds. Errors: not within `longest`. */
export async function untilAnswered(cutOff: CutOff, longest: number): Promise<number> {
  const start = performance.now()
  for (;;) {
    const asked = await Promise.all(requestNames.map((what) => ask(cutOff, what)))
    const took = performance.now() - start
    if (asked.every(({ status }) => status === 200 || status === 201)) return took
    if (took > longest) throw new Error(`after ${took} ms: ${JSON.stringify(asked)}`)
    await wait(100)
  }
}

/**
 * Counts the connections of the service, and those that have been in a transaction or busy for more
 * than a number of seconds.
 */
export async function connectionsOf(
  schema: string,
  seconds: number,
): Promise<{ open: number; stuck: string[] }> {
  const { length: open } = await backendsOf(schema).open()
  const stuck = await asAdministrator(async (client) => {
    const { rows } = await client.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle'
        AND now() - state_change > make_interval(secs => $2)`,
      [`quire ${schema}`, seconds],
    )
    return rows.map(({ query }) => query)
  })
  return { open, stuck }
}
