import { fixedClock } from '@quire/core/memory'
import { describe, expect, it } from 'vitest'
import { completeWiring } from '../../engine/call.ts'
import { createMemo, createShared } from '../../engine/shared.ts'
import { newJob, type JobRequest } from '../../engine/job.ts'
import { systemCall } from '../../engine/system-call.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Job } from '../../ports/index.ts'
import { wholeEnvironment } from '../../whole-environment.ts'
import { sweeps } from './sweep.ts'

const dayMs = 24 * 60 * 60 * 1000

function queueOf() {
  const store = createMemoryStore()
  const clock = fixedClock()
  const running = {
    environment: wholeEnvironment({ store, clock }),
    memo: createMemo(),
    shared: createShared(),
    wiring: completeWiring(),
  }
  const call = () => systemCall(running, 'test')
  const add = (kind: string, given: Partial<JobRequest> = {}) =>
    store.transaction((tx) => tx.jobs.enqueue(newJob(call(), { kind, maxAttempts: 1, ...given })))
  const cancel = ({ id }: Job) => store.transaction((tx) => tx.jobs.cancel(id, clock.now()))
  const run = async (kind: string) => {
    const job = await add(kind)
    const context = { call: call(), signal: new AbortController().signal, progress: () => undefined }
    return sweeps.get(kind)?.run(job, context)
  }
  const left = async (kind: string) => (await store.jobs.list({ kind, limit: 5000 })).length
  const set = (days: object) =>
    store.transaction((tx) => tx.records.put('settings', { id: 'settings', set: days, updatedDate: 1 }, 0))
  return { store, clock, add, cancel, run, left, set }
}

describe('a sweep of jobs', () => {
  it('deletes jobs that ended long enough ago, and none that have not ended', async () => {
    const { add, cancel, clock, run, left, store } = queueOf()
    const old = await add('assets.sync')
    const unended = await add('assets.sync')
    await cancel(old)
    clock.advance(dayMs)
    const young = await add('assets.sync')
    await cancel(young)
    clock.advance(29 * dayMs)
    expect(await run('jobs.sweep')).toEqual({ forgotten: 0 })
    clock.advance(1)
    expect(await run('jobs.sweep')).toEqual({ forgotten: 1 })
    expect(await store.jobs.get(old.id)).toBeNull()
    clock.advance(dayMs)
    await run('jobs.sweep')
    expect(await store.jobs.get(young.id)).toBeNull()
    expect(await store.jobs.get(unended.id)).toMatchObject({ state: 'queued' })
    expect(await left('assets.sync')).toBe(1)
  })

  it('retains deliveries for a number of days of their own', async () => {
    const { add, cancel, clock, run, left, set } = queueOf()
    for (const kind of ['webhook.deliver', 'docs.sync']) await cancel(await add(kind))
    await set({ jobsKeptDays: 10, deliveriesKeptDays: 3 })
    clock.advance(4 * dayMs)
    await run('jobs.sweep')
    expect([await left('webhook.deliver'), await left('docs.sync')]).toEqual([0, 1])
  })

  it('retains the last job of a schedule, because it determines when the next is due', async () => {
    const { add, cancel, clock, run, left, store } = queueOf()
    const first = await add('blobs.scrub')
    await cancel(first)
    clock.advance(1000)
    const last = await add('blobs.scrub')
    await cancel(last)
    clock.advance(1000 * dayMs)
    await run('jobs.sweep')
    expect((await store.jobs.list({ kind: 'blobs.scrub', limit: 9 })).map(({ id }) => id)).toEqual([last.id])
    await add('blobs.scrub')
    await run('jobs.sweep')
    expect(await left('blobs.scrub')).toBe(1)
  })

  it('deletes thousands in batches', async () => {
    const { store, add, clock, run, left } = queueOf()
    const jobs = await Promise.all(Array.from({ length: 2100 }, () => add('webhook.deliver')))
    await store.transaction(async (tx) => {
      for (const { id } of jobs) await tx.jobs.cancel(id, clock.now())
    })
    clock.advance(31 * dayMs)
    expect(await run('jobs.sweep')).toEqual({ forgotten: 2100 })
    expect(await left('webhook.deliver')).toBe(0)
  })
})

describe('a sweep of expired values', () => {
  it('deletes them and returns how many there were', async () => {
    const { store, clock, run } = queueOf()
    await store.transaction(async (tx) => {
      for (let count = 0; count < 1500; count++)
        await tx.ephemera.put(`key ${count}`, 'x', clock.now() + count)
    })
    clock.advance(1200)
    expect(await run('ephemera.sweep')).toEqual({ expired: 1201 })
    expect(await run('ephemera.sweep')).toEqual({ expired: 0 })
  })
})
