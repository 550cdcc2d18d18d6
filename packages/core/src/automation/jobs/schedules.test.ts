import { fixedClock } from '@quire/testkit'
import { describe, expect, it } from 'vitest'
import { callHooks } from '../../engine/call.ts'
import { createMemo, createShared } from '../../engine/shared.ts'
import { systemCall } from '../../engine/system-call.ts'
import { steps } from '../../admin/operations.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Job } from '../../ports/index.ts'
import { wholeEnvironment } from '../../whole-environment.ts'
import { createHandlers } from '../../job-handlers.ts'
import { storeSchedules, schedules } from './schedules.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A queue on a clock that stands still. */
function queueOf() {
  const store = createMemoryStore()
  const clock = fixedClock()
  const running = {
    environment: wholeEnvironment({ store, clock }),
    memo: createMemo(),
    shared: createShared(),
    hooks: callHooks(),
  }
  const retain = () => storeSchedules(systemCall(running, 'test'))
  const jobs = async (kind?: string) => {
    const found = await store.jobs.list({ limit: 1000, ...(kind !== undefined && { kind }) })
    return found.toReversed()
  }
  /** Begins what of a kind is due and ends it. */
  const end = async (kind: string, state: 'succeeded' | 'failed' = 'succeeded') => {
    const at = clock.now()
    return store.transaction(async (tx) => {
      const [job] = await tx.jobs.claim({ kind, now: at, limit: 1, each: 1, except: [] })
      if (!job) return false
      return tx.jobs.finish({ id: job.id, lease: job.lease, state, at, error: null, result: null })
    })
  }
  return { store, clock, retain, jobs, end }
}

function dueOf(jobs: readonly Job[]): readonly number[] {
  return jobs.map(({ runAt }) => runAt)
}

describe('schedules', () => {
  it('are of kinds that somebody does, and so is what is asked for by hand', () => {
    const handlers = createHandlers()
    const kinds = [...schedules, ...steps].map(({ kind }) => kind)
    expect(kinds.filter((kind) => !handlers.has(kind))).toEqual([])
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  it('put one job of each into an empty queue, due at once', async () => {
    const { retain, jobs, clock } = queueOf()
    await retain()
    const found = await jobs()
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(schedules.map(({ kind }) => kind).toSorted())
    for (const job of found)
      expect(job).toMatchObject({ key: job.kind, runAt: clock.now(), maxAttempts: 3, repositoryId: '' })
  })

  it('never double, however many keep them at the same time', async () => {
    const { retain, jobs, end, clock } = queueOf()
    await Promise.all(Array.from({ length: 10 }, retain))
    expect(await jobs()).toHaveLength(schedules.length)
    await end('keys.turn')
    clock.advance(60_000)
    await Promise.all(Array.from({ length: 10 }, retain))
    expect(await jobs('keys.turn')).toHaveLength(2)
    expect(await jobs()).toHaveLength(schedules.length + 1)
  })

  it.each([
    ['keys.turn', hourMs],
    ['blobs.sweep', dayMs],
    ['blobs.scrub', 7 * dayMs],
  ])('put the next %s in its time after the last one ended, whatever became of that', async (kind, every) => {
    const { retain, jobs, end, clock, store } = queueOf()
    await retain()
    clock.advance(5000)
    await end(kind, 'failed')
    const ended = clock.now()
    clock.advance(hourMs / 2)
    await retain()
    expect(dueOf(await jobs(kind)).at(-1)).toBe(ended + every)
    const [, next] = await jobs(kind)
    await store.transaction((tx) => tx.jobs.cancel(next?.id ?? '', clock.now()))
    await retain()
    expect(dueOf(await jobs(kind)).at(-1)).toBe(clock.now() + every)
  })

  it('are due at once where their time has passed while nobody kept them', async () => {
    const { retain, jobs, end, clock } = queueOf()
    await retain()
    await end('blobs.scrub')
    clock.advance(30 * dayMs)
    await retain()
    expect((dueOf(await jobs('blobs.scrub')).at(-1) ?? Infinity) <= clock.now()).toBe(true)
    expect(await end('blobs.scrub')).toBe(true)
  })

  it('do not wait for a time that a wrong clock set', async () => {
    const { retain, jobs, end, clock } = queueOf()
    await retain()
    clock.advance(10 * 365 * dayMs)
    await end('keys.turn')
    await end('blobs.sweep')
    await retain()
    clock.advance(-10 * 365 * dayMs)
    await retain()
    for (const [kind, every] of [
      ['keys.turn', hourMs],
      ['blobs.sweep', dayMs],
    ] as const) {
      const unended = (await jobs(kind)).filter(({ finishedAt }) => finishedAt === null)
      expect(dueOf(unended)).toEqual([clock.now() + every])
    }
  })
})
