import type { HealthCheck } from '@quire/contract'
import { aJob } from '@quire/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createQuire, systemIdentity, type QuireOptions } from '../index.ts'
import { createMemoryStore, memoryBlobs, systemClock } from '../memory/index.ts'
import { StoreUnavailable, type Store, type VitalSigns } from '../ports/index.ts'

const signs: VitalSigns = {
  version: '1.2.3',
  uptimeSeconds: 60,
  loopDelayMs: 1,
  rssBytes: 100,
  heapBytes: 50,
  disk: { freeBytes: 2000, neededBytes: 1000 },
  store: { synchronous: '2' },
}

const never = () => new Promise<never>(() => undefined)

/** The health of an engine, with what it logged. */
async function healthOf(options: Partial<QuireOptions> = {}) {
  const logged: string[] = []
  const log = { write: (_level: string, event: string) => void logged.push(event) }
  const quire = createQuire({ store: createMemoryStore(), jobs: 'elsewhere', log, ...options })
  const health = await quire.as(systemIdentity('test')).admin.health()
  const check = (name: HealthCheck['name']) => health.checks.find((one) => one.name === name)
  return { health, check, logged }
}

/** A memory store with some parts replaced. */
function storeWith(parts: (store: Store) => Partial<Store>): Store {
  const store = createMemoryStore()
  return { ...store, ...parts(store) }
}

afterEach(() => void vi.useRealTimers())

describe('the health of the service', () => {
  it('is ok if everything answers, with null for unknown values', async () => {
    const { health, logged } = await healthOf()
    expect(health).toMatchObject({ status: 'ok', version: null, uptimeSeconds: null })
    expect(health.checks.map(({ name, status, message }) => [name, status, message])).toEqual([
      ['store', 'ok', ''],
      ['blobs', 'ok', ''],
      ['queue', 'ok', ''],
      ['search', 'ok', ''],
    ])
    expect(logged).toEqual([])
  })

  it('includes the vital signs of the process', async () => {
    const { health, check } = await healthOf({ vitals: { read: async () => signs } })
    expect(health).toMatchObject({ status: 'ok', version: '1.2.3', uptimeSeconds: 60 })
    expect(check('store')?.details).toEqual({ synchronous: '2' })
    expect(check('process')).toMatchObject({
      status: 'ok',
      details: { loopDelayMs: 1, rssBytes: 100, heapBytes: 50 },
    })
    expect(check('disk')).toMatchObject({ status: 'ok', details: { freeBytes: 2000, neededBytes: 1000 } })
  })

  it.each([
    ['process', { ...signs, loopDelayMs: 251 }],
    ['disk', { ...signs, disk: { freeBytes: 999, neededBytes: 1000 } }],
  ] as const)('is degraded if the %s is, with a message', async (name, read) => {
    const { health, check } = await healthOf({ vitals: { read: async () => read } })
    expect(health.status).toBe('degraded')
    expect(check(name)).toMatchObject({ status: 'degraded', message: expect.stringMatching(/\w/) })
  })

  it('is degraded if a job has waited for more than a minute', async () => {
    const clock = systemClock()
    const store = createMemoryStore()
    const job = aJob('JOB_1', {
      kind: 'webhook.deliver',
      repositoryId: '',
      maxAttempts: 1,
      runAt: clock.now() - 59_000,
    })
    await store.transaction((tx) => tx.jobs.enqueue(job))
    expect((await healthOf({ store })).check('queue')).toMatchObject({
      status: 'ok',
      details: { running: 0, waitingMs: expect.any(Number) },
    })
    const later = { now: () => clock.now() + 10_000 }
    const { health, check } = await healthOf({ store, clock: later })
    expect(health.status).toBe('degraded')
    expect(check('queue')?.message).toMatch(/has waited for (?:69|70) s/)
    expect(check('queue')?.details['waitingMs']).toBeGreaterThan(60_000)
  })

  it('is unavailable if a needed component fails; the cause is only logged, and the rest is checked', async () => {
    const failing = async () => {
      throw new Error('the path /secret/place is gone')
    }
    const blobs = { ...memoryBlobs(systemClock()), ping: failing }
    const { health, check, logged } = await healthOf({ blobs })
    expect(health.status).toBe('unavailable')
    expect(check('blobs')).toMatchObject({ status: 'unavailable' })
    expect(JSON.stringify(health)).not.toContain('/secret/place')
    expect(check('store')).toMatchObject({ status: 'ok' })
    expect(logged).toEqual(['health.failed'])
  })

  it('is degraded if only the search fails, and ok if only the vital signs are missing', async () => {
    const failing = async () => {
      throw new Error('broken')
    }
    const store = storeWith(({ indexes }) => ({ indexes: { ...indexes, size: failing } }))
    await createQuire({ store }).as(systemIdentity('test')).repositories.create({ name: 'magazine' })
    expect((await healthOf({ store })).health.status).toBe('degraded')
    const { health, logged } = await healthOf({ vitals: { read: failing } })
    expect(health).toMatchObject({ status: 'ok', version: null })
    expect(logged).toEqual(['health.failed'])
  })

  it('waits two seconds for all components at the same time', async () => {
    vi.useFakeTimers()
    const store = storeWith(({ jobs }) => ({ ping: never, jobs: { ...jobs, nextDue: never } }))
    const asked = healthOf({ store, blobs: { ...memoryBlobs(systemClock()), ping: never } })
    await vi.advanceTimersByTimeAsync(1999)
    expect(await Promise.race([asked, Promise.resolve('still waiting')])).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    const { health } = await asked
    expect(health.status).toBe('unavailable')
    const late = health.checks.filter(({ status }) => status === 'unavailable')
    expect(late.map(({ name }) => name)).toEqual(['store', 'blobs', 'queue'])
    expect(new Set(late.map(({ message }) => message))).toEqual(new Set(['It did not answer within 2 s.']))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an engine', () => {
  it.each([
    ['store', { store: storeWith(() => ({ ping: broken })) }],
    ['blobs', { blobs: { ...memoryBlobs(systemClock()), ping: broken } }],
    ['queue', { store: storeWith(({ jobs }) => ({ jobs: { ...jobs, running: broken } })) }],
  ])('is not ready while the %s does not answer', async (_name, options) => {
    const store = createMemoryStore()
    await expect(createQuire({ store, ...options }).ready()).rejects.toThrow('broken')
    await expect(createQuire({ store }).ready()).resolves.toBeUndefined()
  })
})

it('is ready while the store has no room, because it reads', async () => {
  const message = 'No room left.'
  const store = storeWith(() => ({
    ping: async () => {
      throw new StoreUnavailable('full', message)
    },
  }))
  await expect(createQuire({ store }).ready()).resolves.toBeUndefined()
  const { check } = await healthOf({ store })
  expect(check('store')).toMatchObject({ status: 'unavailable', message })
})

async function broken(): Promise<never> {
  throw new Error('broken')
}
