import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { undiciOutbound } from '@quire/outbound-undici'
import { openSqliteStore } from '@quire/store-sqlite'
import { article, fill } from './articles.ts'
import { claimLine, type ClaimEffort } from './claim-line.ts'
import { median, ratioLine, type Figure } from './compare.ts'

/** Queue sizes and rounds. */
export interface QueueEffort extends ClaimEffort {
  /** Deliveries per round. */
  readonly deliveries: number
  /** Items created per round. */
  readonly creations: number
}

/**
 * The cost of deliveries: sending them, queueing them with a write, and finding the next ones in a
 * long queue.
 */
export async function queueLines(folder: string, effort: QueueEffort): Promise<Figure[]> {
  const data = join(folder, 'queue')
  mkdirSync(data)
  return [
    await deliveryLine(join(data, 'deliveries.db'), effort),
    ...(await enqueueLines(join(data, 'enqueue.db'), effort)),
    await claimLine(data, effort),
  ]
}

// Deliveries are signed, as they should be in production.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const configId = 'bench'

// Shared by all engines here, so that each can decrypt the others' secrets.
const secrets = memorySecrets(randomBytes(32))

function register(api: Api, port: number): Promise<{ id: string }> {
  return api.webhooks.create({
    repositoryId: configId,
    name: 'Bench',
    url: `http://127.0.0.1:${port}/`,
    events: ['ITEM_CREATED'],
    secret,
  })
}

/** A receiver of deliveries in its own process. */
interface Sink {
  readonly port: number
  received(): Promise<number>
  close(): void
}

async function openSink(): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('./delivery-sink.ts', import.meta.url)))
  const next = () => new Promise<number>((resolve) => void child.once('message', resolve))
  const port = await next()
  return {
    port,
    received() {
      const count = next()
      child.send('how many')
      return count
    },
    close: () => child.disconnect(),
  }
}

/**
 * Deliveries per second from a filled queue: 3 KB articles, with full content and signed, to one
 * webhook on the same machine.
 */
async function deliveryLine(file: string, { rounds, deliveries }: QueueEffort): Promise<Figure> {
  const sink = await openSink()
  const rates: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const seconds = await deliverRound({ file, sink, round, deliveries })
      const received = await sink.received()
      if (received !== deliveries * (round + 1))
        throw new Error(`${received} deliveries were received in total`)
      rates.push(deliveries / seconds)
    }
  } finally {
    sink.close()
  }
  return {
    what: 'webhook deliveries',
    value: median(rates),
    min: Math.min(...rates),
    max: Math.max(...rates),
    unit: '/s',
    target: 1000,
    bound: 'atLeast',
    detail: `${deliveries} queued, signed, 3.5 KB each, to one address on this machine; each recorded before and after sending`,
  }
}

interface DeliverRound {
  readonly file: string
  readonly sink: Sink
  readonly round: number
  readonly deliveries: number
}

/**
 * Queues a round's deliveries, then measures how long they take to be sent and recorded. In
 * seconds.
 */
async function deliverRound({ file, sink, round, deliveries }: DeliverRound): Promise<number> {
  const store = await openSqliteStore({ file })
  const outbound = undiciOutbound({ allow: [`127.0.0.1:${sink.port}`] })
  const api = queueing(store, sink.port)
  if (round === 0) {
    await fill(api, 0)
    await register(api, sink.port)
  }
  await createItems(api, { from: round * deliveries, count: deliveries, atOnce: 100 })
  const engine = createQuire({ store, outbound, secrets })
  const started = performance.now()
  engine.work()
  await engine.settled()
  const seconds = (performance.now() - started) / 1000
  await engine.close()
  return seconds
}

/** Opens an engine that queues jobs but does not run them. */
function queueing(store: Store, port: number): Api {
  const outbound = undiciOutbound({ allow: [`127.0.0.1:${port}`] })
  return createQuire({ store, outbound, secrets, jobs: 'elsewhere' }).as(systemIdentity('bench'))
}

interface Creations {
  readonly from: number
  readonly count: number
  readonly atOnce: number
}

/** Creates articles, `atOnce` at a time. Returns the ms that each took. */
async function createItems(api: Api, { from, count, atOnce }: Creations): Promise<number[]> {
  const times: number[] = []
  let next = from
  const create = async () => {
    while (next < from + count) {
      const started = performance.now()
      await api.items.create(article(next++))
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, create))
  return times
}

// Parts of a round, alternately with and without a webhook, so that variations in disk speed affect
// both.
const parts = 10

// A port without a listener. Queued deliveries are not sent.
const nowhere = 9

/**
 * Creating items with a webhook that each of them triggers, relative to no webhook: one at a time,
 * and eight at a time.
 */
async function enqueueLines(file: string, { rounds, creations }: QueueEffort): Promise<Figure[]> {
  const store = await openSqliteStore({ file })
  const api = queueing(store, nowhere)
  await fill(api, 0)
  let from = 0
  const measure = async (atOnce: number): Promise<Created> => {
    const started = performance.now()
    const count = creations / parts
    const times = await createItems(api, { from, count, atOnce })
    from += count
    return { p50: median(times), rate: (count / (performance.now() - started)) * 1000 }
  }
  try {
    // A warm-up: neither compilation nor a small database should count.
    for (const atOnce of [1, 8]) await alternate(api, parts, () => measure(atOnce))
    const alone = await alternate(api, rounds * parts, () => measure(1))
    const together = await alternate(api, rounds * parts, () => measure(8))
    return [
      ratioLine(
        'p50 of create with a webhook, relative to none',
        alone.map(({ without, withOne }) => withOne.p50 / without.p50),
        {
          target: 1.1,
          bound: 'atMost',
          detail: `${middle(alone, 'without', 'p50').toFixed(2)} → ${middle(alone, 'withOne', 'p50').toFixed(2)} ms, in process, durable, one at a time`,
        },
      ),
      ratioLine(
        'create with a webhook, 8 at a time, relative to none',
        together.map(({ without, withOne }) => withOne.rate / without.rate),
        {
          target: 0.9,
          bound: 'atLeast',
          detail: `${Math.round(middle(together, 'withOne', 'rate'))}/s of ${Math.round(middle(together, 'without', 'rate'))}/s`,
        },
      ),
    ]
  } finally {
    await store.close()
  }
}

interface Created {
  readonly p50: number
  readonly rate: number
}

interface Pair {
  readonly without: Created
  readonly withOne: Created
}

/** Alternates rounds without and with a webhook, and switches their order. */
async function alternate(api: Api, rounds: number, measure: () => Promise<Created>): Promise<Pair[]> {
  const withWebhook = async () => {
    const { id } = await register(api, nowhere)
    const created = await measure()
    await api.webhooks.delete({ id })
    return created
  }
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ without: await measure(), withOne: await withWebhook() })
    else {
      const withOne = await withWebhook()
      pairs.push({ without: await measure(), withOne })
    }
  }
  return pairs
}

function middle(pairs: readonly Pair[], side: keyof Pair, of: keyof Created): number {
  return median(pairs.map((pair) => pair[side][of]))
}
