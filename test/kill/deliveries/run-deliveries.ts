import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '../../server/api-access.ts'
import { serveArgs } from '../../server/server-process.ts'
import { serveReady, type Served } from '../cycle.ts'
import { checkDeliveries, type DeliveryFigures } from './check-deliveries.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** How often to kill what while it delivers. */
export interface DeliveryRun {
  readonly kills: number
  /** The arguments of `node` that serve a data folder and may send to a port of this machine. */
  readonly serve: (folder: string, port: number) => readonly string[]
  /** Milliseconds that the end may take. Default: 120 000. */
  readonly patienceMs?: number
  /** Told after each kill. */
  readonly told?: (kills: number) => void
}

/** What came of it. */
export interface DeliveryReport extends DeliveryFigures {
  readonly kills: number
  /** Deliveries that can have been under way at the kills, at most: those are what may be unknown. */
  readonly mayBeUnknown: number
}

/** The arguments of `node` that serve a data folder with the service itself. */
export function serveSending(folder: string, port: number): string[] {
  return [...serveArgs(folder), '--log=error', `--egress-allow=127.0.0.1:${port}`]
}

const writers = 4
// Deliveries that a server has under way at a time (TRUST 4.2).
const atOnce = 32
// A job of a server that was killed is given up by the next one after its lease of 30 s.
const longestEnd = 120_000

/** Kills a server with SIGKILL while it delivers what four writers cause, starts it again, and at the end compares everything. */
export async function runDeliveries({
  kills,
  serve,
  patienceMs = longestEnd,
  told,
}: DeliveryRun): Promise<DeliveryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-deliveries-'))
  const data = join(folder, 'data')
  const receiver = await openReceiver()
  let served = await serveReady(serve(data, receiver.port))
  try {
    const webhooks = await prepare(served, receiver)
    for (let kill = 0; kill < kills; kill++) {
      await writeUntilKilled(served)
      served = await serveReady(serve(data, receiver.port))
      told?.(kill + 1)
    }
    await untilEnded(served, patienceMs)
    const figures = checkDeliveries(join(data, 'quire.db'), webhooks, receiver)
    return { kills, mayBeUnknown: kills * atOnce, ...figures }
  } finally {
    await served.server.kill()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare({ url, token }: Served, { port }: Receiver): Promise<string[]> {
  const call = { url, token }
  await callApi(call, 'POST', { path: '/api/admin/repositories', body: { name: 'killed' } })
  await callApi(call, 'POST', { path: '/api/content/management/types', body: { name: 'note' } })
  const ids: string[] = []
  for (const path of ['fast', 'slow', 'broken']) {
    const body = {
      repositoryId: 'killed',
      name: path,
      url: `http://127.0.0.1:${port}/${path}`,
      events: ['ITEM_CREATED'],
      payloadSize: 'basic',
    }
    ids.push((await callApi<{ id: string }>(call, 'POST', { path: '/api/admin/webhooks', body })).id)
  }
  return ids
}

/** Writes until some are acknowledged, and kills the server some ms later, with deliveries under way. */
async function writeUntilKilled({ server, url, token }: Served): Promise<void> {
  let isOver = false
  let left = 5 + Math.floor(Math.random() * 40)
  const write = async (writer: number) => {
    while (!isOver) {
      const body = { repositoryId: 'killed', type: 'note', name: `Note of ${writer}` }
      try {
        await callApi({ url, token }, 'POST', { path: '/api/items', body })
      } catch (error) {
        // The server was killed meanwhile: whether it was written the journal knows.
        if (isOver) return
        throw error
      }
      left -= 1
      if (left > 0 || isOver) continue
      await wait(Math.random() * 40)
      if (!isOver) process.kill(server.pid, 'SIGKILL')
      isOver = true
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  await server.end
}

interface Stats {
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
}

async function untilEnded(call: Served, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const { jobs } = await callApi<Stats>(call, 'GET', { path: '/api/queue/stats' })
    const left = jobs.filter(
      ({ kind, state }) => kind === 'webhook.deliver' && (state === 'queued' || state === 'running'),
    )
    if (left.length === 0 || performance.now() > until) return
    await wait(250)
  }
}

/** `30 kills, 2310 deliveries, …` */
export function deliverySummary({
  kills,
  expected,
  succeeded,
  failed,
  unknown,
  findings,
}: DeliveryReport): string {
  return `${kills} kills, ${expected} deliveries: ${succeeded} succeeded, ${failed} failed, ${unknown} of them unknown; ${findings.length} findings`
}
