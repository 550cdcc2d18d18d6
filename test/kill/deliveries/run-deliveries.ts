import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '../../server/api-access.ts'
import { serveArgs } from '../../server/server-process.ts'
import { checkDeliveries, type DeliveryFigures } from './check-deliveries.ts'
import type { Caller, DeliveryService, OpenDeliveryService } from './delivery-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** Options of a run. */
export interface DeliveryRun {
  readonly kills: number
  readonly open: OpenDeliveryService
  /** Milliseconds that the remaining deliveries may take at the end. Default: 120 000. */
  readonly patienceMs?: number
  /** Called after each kill. */
  readonly reported?: (kills: number) => void
}

/** The result of a run. */
export interface DeliveryReport extends DeliveryFigures {
  readonly kills: number
  /**
   * The highest number of deliveries that can have been in flight during the kills. Only so many
   * may be unknown.
   */
  readonly mayBeUnknown: number
}

/** The arguments of `node` that serve a data folder with the real service. */
export function serveSending(folder: string, port: number): string[] {
  return [...serveArgs(folder), '--log=error', `--egress-allow=127.0.0.1:${port}`]
}

const writers = 4
// The longest delay in ms between the last write and the kill, and between writes while a server
// restarts.
const betweenWrites = 40
// Deliveries that a server sends at a time (TRUST 4.2).
const atOnce = 32
// The next process takes over a killed server's jobs after their lease of 30 s.
const longestEnd = 120_000

/**
 * Kills a server with SIGKILL while it delivers the events of four writers, restarts it, and
 * compares everything at the end.
 */
export async function runDeliveries({
  kills,
  open,
  patienceMs = longestEnd,
  reported,
}: DeliveryRun): Promise<DeliveryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-deliveries-'))
  const receiver = await openReceiver()
  let service: DeliveryService | undefined
  try {
    service = await open(folder, receiver.port)
    const webhooks = await prepare(service.callers()[0], receiver)
    for (let kill = 0; kill < kills; kill++) {
      await writeUntilKilled(service)
      reported?.(kill + 1)
    }
    await untilEnded(service.callers()[0], patienceMs)
    const figures = await checkDeliveries(service.rows, webhooks, receiver)
    return { kills, mayBeUnknown: kills * atOnce, ...figures }
  } finally {
    await service?.close()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare({ url, token }: Caller, { port }: Receiver): Promise<string[]> {
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

/**
 * Writes until some writes are acknowledged, then kills a server some ms later with deliveries in
 * flight. If another server is running, writing to it continues until both are up again.
 */
async function writeUntilKilled(service: DeliveryService): Promise<void> {
  const callers = service.callers()
  let killing: Promise<void> | undefined
  const over = new AbortController()
  let left = 5 + Math.floor(Math.random() * 40)
  const kill = async () => {
    await service.kill().finally(() => over.abort())
  }
  const write = async (writer: number) => {
    const index = writer % callers.length
    while (!over.signal.aborted) {
      const body = { repositoryId: 'killed', type: 'note', name: `Note of ${writer}` }
      try {
        await callApi(callers[index] ?? callers[0], 'POST', { path: '/api/items', body })
      } catch (error) {
        // The server was killed in the meantime. The journal tells whether the item was written.
        if (killing && index === 0) return
        throw error
      }
      left -= 1
      if (left > 0) continue
      await wait(Math.random() * betweenWrites)
      killing ??= kill()
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  await killing
}

interface Stats {
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
}

async function untilEnded(call: Caller, patienceMs: number): Promise<void> {
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
