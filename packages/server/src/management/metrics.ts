import { stat } from 'node:fs/promises'
import type { Store } from '@quire/core/ports'
import { collectDefaultMetrics, Counter, Gauge, Registry, type Metric } from 'prom-client'
import type { Load } from '@quire/http/shared'
import { serverVersion } from '../version.ts'
import type { RequestTimings } from './request-timings.ts'

/** The sources of the metrics. */
export interface MetricParts {
  readonly store: Pick<Store, 'jobs'>
  readonly load: Pick<Load, 'underWay' | 'shed'>
  readonly timings: Pick<RequestTimings, 'text'>
  /** The database file. Its write-ahead log is next to it. */
  readonly database: string
}

/** The metrics of a service. */
export interface Metrics {
  /**
   * The metrics in the text format of Prometheus (0.0.4). Metrics that cannot be read now are
   * omitted.
   */
  text(): Promise<string>
  readonly contentType: string
}

/** Milliseconds that counting the jobs may take: a scraper gives up after ten seconds. */
const countedMs = 5000

/** Creates the metrics of this process, counting from now on. */
export function createMetrics({ store, load, timings, database }: MetricParts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const metric of [buildInfo(), ...loadMetrics(load), walSize(database)]) registry.registerMetric(metric)
  const updateQueue = queueMetrics(store, registry)
  return {
    contentType: registry.contentType,
    async text() {
      await updateQueue()
      return `${await registry.metrics()}\n${timings.text()}\n`
    },
  }
}

// An empty list keeps metrics out of the global registry, which all services in a process share.
const registers: Registry[] = []

function buildInfo(): Metric {
  const info = new Gauge({
    name: 'quire_build_info',
    help: 'The running version, as a label.',
    labelNames: ['version', 'node'],
    registers,
  })
  info.set({ version: serverVersion(), node: process.version }, 1)
  return info
}

function loadMetrics(load: MetricParts['load']): Metric[] {
  const inFlight = new Gauge({
    name: 'quire_http_requests_in_flight',
    help: 'Requests in flight.',
    registers,
    collect() {
      this.set(load.underWay())
    },
  })
  const shed = new Counter({
    name: 'quire_http_requests_shed_total',
    help: 'Requests refused because of overload.',
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
    help: 'Size of the write-ahead log.',
    registers,
    async collect() {
      this.set((await stat(`${database}-wal`).catch(() => null))?.size ?? 0)
    },
  })
}

/**
 * Registers the metrics of the queue and returns the function that updates them, with one count of
 * the jobs.
 */
function queueMetrics({ jobs }: MetricParts['store'], registry: Registry): () => Promise<void> {
  const up = new Gauge({ name: 'quire_store_up', help: '1 if the store responds, otherwise 0.', registers })
  const byState = new Gauge({
    name: 'quire_jobs',
    help: 'Stored jobs. Deliveries are the jobs of kind webhook.deliver.',
    labelNames: ['kind', 'state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'quire_queue_oldest_due_seconds',
    help: 'How long the oldest due job has been waiting, in seconds; 0 if no job is due.',
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

/** The result of `looking`, or null when it fails or takes too long. The other metrics show why. */
async function inTime<T>(looking: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), countedMs)
  try {
    return await Promise.race([looking.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
