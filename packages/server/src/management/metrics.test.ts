import { createMemoryStore } from '@quire/core/memory'
import type { NewJob, Store } from '@quire/core/ports'
import { aJob } from '@quire/testkit'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics, type MetricParts } from './metrics.ts'

const load = { underWay: () => 3, shed: () => 7 }
const timings = { text: () => '# the timings' }

/** The rows of a scrape, without comments. */
async function rowsOf(store: Pick<Store, 'jobs'>, others: Partial<MetricParts> = {}): Promise<string[]> {
  const metrics = createMetrics({ store, load, timings, database: '/nowhere/quire.db', ...others })
  expect(metrics.contentType).toContain('version=0.0.4')
  const text = await metrics.text()
  expect(text).toContain('# the timings\n')
  return text.split('\n').filter((row) => !row.startsWith('#'))
}

function ours(rows: readonly string[]): string[] {
  return rows.filter((row) => row.startsWith('quire_') && !row.startsWith('quire_build_info'))
}

function aDelivery(id: string, overrides: Partial<NewJob> = {}): NewJob {
  const due = { kind: 'webhook.deliver', repositoryId: 'REPO_1', runAt: Date.now() - 60_000 }
  return aJob(id, { ...due, ...overrides })
}

it('reports the process and the version, and an idle service', async () => {
  const rows = await rowsOf(createMemoryStore())
  expect(rows.some((row) => /^quire_build_info\{version="\d+\.\d+\.\d+",node="v\d+/.test(row))).toBe(true)
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    expect(
      rows.some((row) => row.startsWith(`${name} `)),
      name,
    ).toBe(true)
  expect(ours(rows).toSorted()).toEqual([
    'quire_http_requests_in_flight 3',
    'quire_http_requests_shed_total 7',
    'quire_queue_oldest_due_seconds 0',
    'quire_store_up 1',
    'quire_wal_bytes 0',
  ])
})

it('counts jobs by kind and state in all repositories, and reports how long the oldest has waited', async () => {
  const store = createMemoryStore()
  await store.transaction(async (tx) => {
    await tx.jobs.enqueue(aDelivery('JOB_1'))
    await tx.jobs.enqueue(aDelivery('JOB_2', { repositoryId: 'REPO_2' }))
    await tx.jobs.enqueue(aDelivery('JOB_3', { kind: 'docs.sync', runAt: Date.now() + 60_000 }))
    await tx.jobs.cancel('JOB_2', 5)
    await tx.jobs.enqueue(aDelivery('JOB_4', { repositoryId: 'REPO_2' }))
  })
  const rows = await rowsOf(store)
  expect(rows).toContain('quire_jobs{kind="webhook.deliver",state="queued"} 2')
  expect(rows).toContain('quire_jobs{kind="webhook.deliver",state="cancelled"} 1')
  expect(rows).toContain('quire_jobs{kind="docs.sync",state="queued"} 1')
  const oldest = Number(rows.find((row) => row.startsWith('quire_queue_oldest_due_seconds'))?.split(' ')[1])
  expect(oldest).toBeGreaterThanOrEqual(60)
  expect(oldest).toBeLessThan(70)
})

it('omits what the store does not report, and says so', async () => {
  const store = createMemoryStore()
  await store.transaction((tx) => tx.jobs.enqueue(aDelivery('JOB_1')))
  let isBroken = false
  const counts = () => (isBroken ? Promise.reject(new Error('broken')) : store.jobs.counts())
  const metrics = createMetrics({
    store: { jobs: { ...store.jobs, counts } },
    load,
    timings,
    database: '/nowhere/quire.db',
  })
  expect(await metrics.text()).toContain('quire_jobs{')
  isBroken = true
  const rows = (await metrics.text()).split('\n')
  expect(rows).toContain('quire_store_up 0')
  expect(rows).toContain('quire_http_requests_in_flight 3')
  expect(rows.filter((row) => /^quire_(?:jobs|queue)/.test(row))).toEqual([])
  isBroken = false
  expect(await metrics.text()).toContain('quire_jobs{')
})

it('reports the size of the write-ahead log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-metrics-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = join(folder, 'quire.db')
  writeFileSync(`${database}-wal`, 'x'.repeat(4096))
  expect(await rowsOf(createMemoryStore(), { database })).toContain('quire_wal_bytes 4096')
})
