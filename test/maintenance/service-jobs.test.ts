import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@quire/contract'
import { createQuire, type Quire } from '@quire/core'
import type { Job } from '@quire/core/ports'
import { seededIds } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { locations, type TestEngine } from './engine.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const configId = 'magazine'
const hourly = ['ephemera.sweep', 'items.purge', 'jobs.sweep', 'keys.turn', 'uploads.sweep', 'usage.fold']
const kinds = [...hourly, 'blobs.scrub', 'blobs.sweep']
// A new queue has nothing to remove.
const atStart = kinds.filter((kind) => kind !== 'jobs.sweep')

let location: TestEngine
let api: Api
let engines: Quire[]

const textFile = (text: string) => new File([text], 'a.txt')

/**
 * Starts a service on the same store and clock, like a new process. It finds everything that the
 * previous one left.
 */
function begin(): Quire {
  const { store, clock, blobs } = location
  const lasting = { ...store, close: async () => undefined }
  const quire = createQuire({ store: lasting, clock, blobs, ids: seededIds(engines.length + 7, clock) })
  engines.push(quire)
  quire.work()
  return quire
}

async function jobs(kind?: string): Promise<readonly Job[]> {
  const found = await location.store.jobs.list({ limit: 1000, ...(kind !== undefined && { kind }) })
  return found.toReversed()
}

/** All jobs, once every schedule is stored and no job is due. */
async function allDone(): Promise<readonly Job[]> {
  for (;;) {
    const now = location.clock.now()
    const newest = await Promise.all(kinds.map(async (kind) => (await jobs(kind)).at(-1)))
    const isDone = (job: Job | undefined) =>
      job && (job.finishedAt === null ? job.runAt > now : job.finishedAt === now)
    if (newest.every(isDone)) return jobs()
    await wait(10)
  }
}

/** The jobs of a process that starts and then stops. */
async function serveOnce(): Promise<readonly Job[]> {
  const quire = begin()
  const done = await allDone()
  await quire.close()
  return done.filter(({ finishedAt }) => finishedAt !== null)
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function stored(): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of location.blobs.list()) hashes.push(hash)
  return hashes
}

describe.each(locations)('the maintenance of a service %s', (_name, open) => {
  beforeEach(async () => {
    engines = []
    location = await open()
    ;({ api } = location)
    await api.repositories.create({ name: configId })
    await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
  })
  afterEach(async () => {
    for (const quire of engines) await quire.close()
    await location.close()
  })

  it('runs once at the start, however many processes there are', async () => {
    begin()
    begin()
    const done = (await allDone()).filter(({ kind }) => kind !== 'jobs.sweep')
    expect(done.map(({ kind }) => kind).toSorted()).toEqual(atStart.toSorted())
    for (const job of done) expect(job, job.kind).toMatchObject({ state: 'succeeded', attempts: 1 })
  })

  it('runs again when it is due, and not earlier', async () => {
    expect(await serveOnce()).toHaveLength(atStart.length)
    location.clock.advance(hourMs - 1)
    expect(await serveOnce()).toHaveLength(atStart.length)
    location.clock.advance(1)
    const again = await serveOnce()
    expect(again.map(({ kind }) => kind).toSorted()).toEqual([...atStart, ...hourly].toSorted())
  })

  it('is not run by engines that leave jobs to others, or that were not told to work', async () => {
    const { store, clock } = location
    const lasting = { ...store, close: async () => undefined }
    for (const quire of [
      createQuire({ store: lasting, clock, jobs: 'elsewhere' }),
      createQuire({ store: lasting, clock }),
    ]) {
      engines.push(quire)
      if (engines.length === 1) quire.work()
      await wait(30)
      await quire.settled()
    }
    expect(await jobs()).toEqual([])
  })

  it('removes unneeded data, and retains data that is new or needed', async () => {
    const { id } = await api.assets.create({ configId, file: textFile('needed') })
    const deleted = await api.assets.create({ configId, file: textFile('deleted long ago') })
    await api.items.delete({ configId, id: deleted.id })
    const upload = await api.uploads.create({ length: 100, metadata: { repositoryId: configId } })
    await api.uploads.append({ uploadId: upload.id, offset: 0, file: textFile('begun') })
    expect(await stored()).toHaveLength(2)
    location.clock.advance(31 * dayMs)
    await serveOnce()
    expect(await jobs('items.purge')).toMatchObject([{ result: { purged: 1, stored: 0 } }])
    expect(await jobs('uploads.sweep')).toMatchObject([{ result: { uploads: 1 } }])
    // Purged data is swept on the next day at the latest; here, both jobs start at the same time.
    location.clock.advance(dayMs)
    await api.assets.create({ configId, file: textFile('young') })
    await serveOnce()
    const hashes = await stored()
    expect(hashes).toHaveLength(2)
    expect(hashes).not.toContain(deleted.asset?.hash)
    expect(await api.items.get({ configId, id })).toMatchObject({ id })
  })

  it('reads every file, and reports damage in the log and in the result', async () => {
    const files = []
    for (let count = 0; count < 120; count++)
      files.push(await api.assets.create({ configId, file: textFile(`file ${count}`) }))
    const hashes = files.map(({ asset }) => asset?.hash ?? '')
    for (const hash of hashes.slice(0, 105)) location.damage(hash)
    location.lose(hashes[110] ?? '')
    await location.blobs.put(bytesOf('orphan'))
    const job = await location.run('blobs.scrub')
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { sound: 14, missing: 1, corrupt: 105, orphaned: 1, orphanedBytes: 6 },
    })
    expect(job.result?.['findings']).toHaveLength(100)
    const reported = location.logged.filter(([level]) => level === 'error')
    expect(reported).toHaveLength(106)
    expect(reported.filter(([, event]) => event === 'blob.missing')).toMatchObject([
      ['error', 'blob.missing', { hash: hashes[110], isDerived: false }],
    ])
  })

  it('stops between steps when it is cancelled', async () => {
    for (let count = 0; count < 200; count++)
      await api.assets.create({ configId, file: textFile(`file ${count}`) })
    const { store, clock, blobs } = location
    const slow = {
      ...blobs,
      async verify(hash: string) {
        await wait(20)
        return blobs.verify(hash)
      },
    }
    const lasting = { ...store, close: async () => undefined }
    const quire = createQuire({ store: lasting, clock, blobs: slow })
    engines.push(quire)
    quire.work()
    await expect.poll(async () => (await jobs('blobs.scrub'))[0]?.state).toBe('running')
    const [scrub] = await jobs('blobs.scrub')
    await api.queue.cancel({ jobId: scrub?.id ?? '' })
    await expect.poll(async () => (await jobs('blobs.scrub'))[0]?.state, { timeout: 3500 }).toBe('cancelled')
  }, 15_000)
})

describe('a graph reload', () => {
  it('drops cached graphs on every server of the store', async () => {
    const [, open] = locations[1] ?? []
    if (!open) throw new Error('An environment on disk is required.')
    location = await open()
    await location.api.repositories.create({ name: configId })
    const { id } = await location.api.repositories.get({ id: configId })
    const before = location.store.records.generation()
    const job = await location.run('graph.reload', id)
    expect(job).toMatchObject({ state: 'succeeded', result: { repository: configId } })
    expect(location.store.records.generation()).not.toBe(before)
    expect(await location.run('graph.reload', 'REPO_GONE')).toMatchObject({ state: 'failed', attempts: 1 })
    expect(await location.store.records.get('structure', 'REPO_GONE')).toBeNull()
    await location.close()
  })
})
