import { stat } from 'node:fs/promises'
import type { Store } from '@quire/core/ports'
import { collectDefaultMetrics, Counter, Gauge, Registry, type Metric } from 'prom-client'
import type { Load } from '../http/load.ts'
import { serverVersion } from '../version.ts'
import type { RequestTimings } from './request-timings.ts'

/** What the figures are read from. */
export interface MetricParts {
  readonly store: Pick<Store, 'jobs'>
  readonly load: Pick<Load, 'underWay' | 'shed'>
  readonly timings: Pick<RequestTimings, 'text'>
  /** The database file: beside it stands its log of writes. */
  readonly database: string
}

/** The figures of a service. */
export interface Metrics {
  /** As Prometheus takes it (text format 0.0.4). Figures that cannot be read now are left out. */
  text(): Promise<string>
  readonly contentType: string
}

/** Ms that the queue may take to be counted: who scrapes gives up after ten seconds. */
const countedMs = 5000

/** The figures of this process, from now on. */
export function createMetrics({ store, load, timings, database }: MetricParts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const metric of [buildInfo(), ...figuresOf(load), walSize(database)]) registry.registerMetric(metric)
  const lookAtQueue = queueFigures(store, registry)
  return {
    contentType: registry.contentType,
    async text() {
      await lookAtQueue()
      return `${await registry.metrics()}\n${timings.text()}\n`
    },
  }
}

// Without it a figure is one of the whole process, whichever service it is of.
const registers: Registry[] = []

function buildInfo(): Metric {
  const info = new Gauge({
    name: 'quire_build_info',
    help: 'The version that runs, as a label.',
    labelNames: ['version', 'node'],
    registers,
  })
  info.set({ version: serverVersion(), node: process.version }, 1)
  return info
}

function figuresOf(load: MetricParts['load']): Metric[] {
  const inFlight = new Gauge({
    name: 'quire_http_requests_in_flight',
    help: 'Requests under way.',
    registers,
    collect() {
      this.set(load.underWay())
    },
  })
  const shed = new Counter({
    name: 'quire_http_requests_shed_total',
    help: 'Requests refused because there was too much to do.',
    registers,
    collect() {
      this.reset()
      this.inc(load.shed())
    },
  })
  return [inFlight, shed]
}

function walSize(database: string): Metric {
  return new Gauge({
    name: 'quire_wal_bytes',
    help: 'Size of the log of writes that is not folded into the database yet.',
    registers,
    async collect() {
      this.set((await stat(`${database}-wal`).catch(() => null))?.size ?? 0)
    },
  })
}

/** Figures of the queue, and what fills them: the jobs are counted once for all. */
function queueFigures({ jobs }: MetricParts['store'], registry: Registry): () => Promise<void> {
  const up = new Gauge({ name: 'quire_store_up', help: '1 where the store answers, else 0.', registers })
  const byState = new Gauge({
    name: 'quire_jobs',
    help: 'Jobs that are kept. Deliveries are those of the kind webhook.deliver.',
    labelNames: ['kind', 'state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'quire_queue_oldest_due_seconds',
    help: 'For how long the oldest job that is due has waited; 0 where none has.',
    registers,
  })
  for (const metric of [up, byState, oldest]) registry.registerMetric(metric)
  return async () => {
    byState.reset()
    oldest.remove()
    const counts = await inTime(jobs.counts())
    up.set(counts ? 1 : 0)
    if (!counts) return
    for (const { kind, state, count } of counts) byState.inc({ kind, state }, count)
    const due = counts.filter(({ state }) => state === 'queued').map((one) => one.oldest)
    oldest.set(Math.max(0, Date.now() - Math.min(...due, Date.now())) / 1000)
  }
}

/** Null for what fails or takes too long: the other figures tell why. */
async function inTime<T>(looking: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), countedMs)
  try {
    return await Promise.race([looking.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
