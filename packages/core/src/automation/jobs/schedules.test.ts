import { fixedClock } from '@quire/core/memory'
import { describe, expect, it } from 'vitest'
import { completeWiring } from '../../engine/call.ts'
import { createMemo, createShared } from '../../engine/shared.ts'
import { systemCall } from '../../engine/system-call.ts'
import { steps } from '../../admin/operations.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Job } from '../../ports/index.ts'
import { wholeEnvironment } from '../../whole-environment.ts'
import { createHandlers } from '../../job-handlers.ts'
import { enqueueSchedules, schedules } from './schedules.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A queue on a fixed clock. */
function queueOf() {
  const store = createMemoryStore()
  const clock = fixedClock()
  const running = {
    environment: wholeEnvironment({ store, clock }),
    memo: createMemo(),
    shared: createShared(),
    wiring: completeWiring(),
  }
  const enqueue = () => enqueueSchedules(systemCall(running, 'test'))
  const jobs = async (kind?: string) => {
    const found = await store.jobs.list({ limit: 1000, ...(kind !== undefined && { kind }) })
    return found.toReversed()
  }
  /** Claims the due job of a kind and ends it. Returns false if there is none. */
  const end = async (kind: string, state: 'succeeded' | 'failed' = 'succeeded') => {
    const at = clock.now()
    return store.transaction(async (tx) => {
      const [job] = await tx.jobs.claim({ kind, now: at, limit: 1, each: 1, except: [] })
      if (!job) return false
      return tx.jobs.finish({ id: job.id, lease: job.lease, state, at, error: null, result: null })
    })
  }
  return { store, clock, enqueue, jobs, end }
}

function dueOf(jobs: readonly Job[]): readonly number[] {
  return jobs.map(({ runAt }) => runAt)
}

describe('schedules', () => {
  it('have a handler each, as have the jobs that an administrator can start', () => {
    const handlers = createHandlers()
    const kinds = [...schedules, ...steps].map(({ kind }) => kind)
    expect(kinds.filter((kind) => !handlers.has(kind))).toEqual([])
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  it('queue one job each in an empty queue, due at once or after one interval', async () => {
    const { enqueue, jobs, clock } = queueOf()
    await enqueue()
    const found = await jobs()
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(schedules.map(({ kind }) => kind).toSorted())
    for (const job of found)
      expect(job).toMatchObject({
        key: job.kind,
        runAt: job.kind === 'jobs.sweep' ? clock.now() + hourMs : clock.now(),
        maxAttempts: 3,
        repositoryId: '',
      })
    await enqueue()
    expect(await jobs()).toHaveLength(schedules.length)
  })

  it('are never queued twice, however many processes queue them at the same time', async () => {
    const { enqueue, jobs, end, clock } = queueOf()
    await Promise.all(Array.from({ length: 10 }, enqueue))
    expect(await jobs()).toHaveLength(schedules.length)
    await end('keys.turn')
    clock.advance(60_000)
    await Promise.all(Array.from({ length: 10 }, enqueue))
    expect(await jobs('keys.turn')).toHaveLength(2)
    expect(await jobs()).toHaveLength(schedules.length + 1)
  })

  it.each([
    ['keys.turn', hourMs],
    ['blobs.sweep', dayMs],
    ['blobs.scrub', 7 * dayMs],
  ])('queue the next %s one interval after the last one ended, whatever its outcome', async (kind, every) => {
    const { enqueue, jobs, end, clock, store } = queueOf()
    await enqueue()
    clock.advance(5000)
    await end(kind, 'failed')
    const ended = clock.now()
    clock.advance(hourMs / 2)
    await enqueue()
    expect(dueOf(await jobs(kind)).at(-1)).toBe(ended + every)
    const [, next] = await jobs(kind)
    await store.transaction((tx) => tx.jobs.cancel(next?.id ?? '', clock.now()))
    await enqueue()
    expect(dueOf(await jobs(kind)).at(-1)).toBe(clock.now() + every)
  })

  it('are due at once if their time passed while no process queued them', async () => {
    const { enqueue, jobs, end, clock } = queueOf()
    await enqueue()
    await end('blobs.scrub')
    clock.advance(30 * dayMs)
    await enqueue()
    expect((dueOf(await jobs('blobs.scrub')).at(-1) ?? Infinity) <= clock.now()).toBe(true)
    expect(await end('blobs.scrub')).toBe(true)
  })

  it('do not wait for a time that a wrong clock set', async () => {
    const { enqueue, jobs, end, clock } = queueOf()
    await enqueue()
    clock.advance(10 * 365 * dayMs)
    await end('keys.turn')
    await end('blobs.sweep')
    await enqueue()
    clock.advance(-10 * 365 * dayMs)
    await enqueue()
    for (const [kind, every] of [
      ['keys.turn', hourMs],
      ['blobs.sweep', dayMs],
    ] as const) {
      const unended = (await jobs(kind)).filter(({ finishedAt }) => finishedAt === null)
      expect(dueOf(unended)).toEqual([clock.now() + every])
    }
  })
})
