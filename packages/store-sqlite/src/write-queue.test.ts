import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextLoop, setTimeout as wait } from 'node:timers/promises'
import { StoreConflict, StoreUnavailable, type Transaction } from '@quire/core/ports'
import { anEntity, testRepository } from '@quire/testkit'
import type { Batch } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeferredWrites } from './deferred-writes.ts'
import { type SqliteStore, openSqliteStore } from './open-store.ts'
import { createSoundness } from './soundness.ts'
import { createWriteQueue, createWriteState, guardWrites } from './write-queue.ts'

const main = { repositoryId: testRepository, packageId: null }
const put =
  (id: string, slug = id) =>
  (tx: Transaction) =>
    tx.entities.put(anEntity({ id, slug }), 0)

describe('transactions that are started together', () => {
  let folder: string
  let store: SqliteStore
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-queue-'))
    store = await openSqliteStore({ file: join(folder, 'quire.db') })
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const idsOf = async (...ids: readonly string[]) => (await store.entities.getMany(main, 'item', ids)).length

  it('fail alone, without affecting others in the same commit', async () => {
    const started = Array.from({ length: 20 }, (_, index) =>
      store.transaction(async (tx) => {
        await put(`CONT_${index}`)(tx)
        if (index % 5 === 3) throw new Error(`mine ${index}`)
        return index
      }),
    )
    const outcomes = await Promise.allSettled(started)
    const failed = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    )
    expect(failed).toEqual([3, 8, 13, 18].map((index) => `Error: mine ${index}`))
    expect(await idsOf(...Array.from({ length: 20 }, (_, index) => `CONT_${index}`))).toBe(16)
  })

  it('are durable and visible before any of them resolves', async () => {
    const seen = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        await store.transaction(put(`CONT_${index}`))
        return idsOf(...Array.from({ length: 10 }, (__, other) => `CONT_${other}`))
      }),
    )
    expect(seen).toEqual(Array.from({ length: 10 }).fill(10))
  })

  it("see earlier transactions' writes, and conflict with them", async () => {
    const [first, second] = await Promise.allSettled([
      store.transaction(put('CONT_1', 'news')),
      store.transaction(put('CONT_2', 'news')),
    ])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ reason: new StoreConflict('slug', 'news') })
  })

  it('do not remember branches of one that was rolled back', async () => {
    const elsewhere = { repositoryId: 'REPO_ELSEWHERE', packageId: null }
    await expect(
      store.transaction(async (tx) => {
        await tx.entities.put(anEntity({ id: 'CONT_1', ...elsewhere }), 0)
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', repositoryId: 'REPO_NEXT' }), 0))
    expect(await store.entities.get(elsewhere, 'item', 'CONT_2')).toBeNull()
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', ...elsewhere }), 0))
    expect((await store.entities.get(elsewhere, 'item', 'CONT_1'))?.repositoryId).toBe('REPO_ELSEWHERE')
  })

  it('keep their order whether synced or not, and later ones are synced again', async () => {
    const started = Array.from({ length: 20 }, (_, index) =>
      store.transaction((tx) => tx.ephemera.increment('count', 1, 100), { synced: index % 3 === 0 }),
    )
    expect(await Promise.all(started)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    const failing = store.transaction(
      async () => {
        throw new Error('mine')
      },
      { synced: false },
    )
    await expect(failing).rejects.toThrow('mine')
    expect(store.info().settings).toMatchObject({ synchronous: '2' })
  })

  it('are spread over several commits when there are many, and all resolve', async () => {
    const started = Array.from({ length: 200 }, (_, index) =>
      store.transaction((tx) => tx.ephemera.increment('count', 1, 100 + index)),
    )
    expect(await Promise.all(started)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  })
})

/** For queues without a search index. */
const maintenance = { beforeCommit: () => undefined, whileIdle: () => false }

/** A batch whose work writes nothing. */
const batch: Batch = {
  run: (work) => work({} as Transaction),
  writeWords: async () => undefined,
  ending: async () => undefined,
  record: async () => undefined,
  documents: () => 0,
  jobs: () => [],
  changes: () => {
    throw new TypeError('These tests report no changes.')
  },
  committed: () => undefined,
}

describe('exclusive work, which writes over another connection', () => {
  const open = () => {
    const database = new Database(':memory:')
    const state = createWriteState(createSoundness(':memory:'))
    return createWriteQueue(database, state, {
      openBatch: () => batch,
      writes: createDeferredWrites(database, guardWrites(database, state)),
      maintenance,
      beforeCommit: () => undefined,
    })
  }

  it('runs in queue order, between commits', async () => {
    const queue = open()
    const ended: string[] = []
    const note = (name: string) => async () => void ended.push(name)
    await Promise.all([
      queue.transaction(note('first')),
      queue.transaction(note('second'), { synced: false }),
      queue.exclusive(() => nextLoop().then(note('alone'))),
      queue.transaction(note('third')),
      queue.exclusive(note('alone again')),
    ])
    expect(ended).toEqual(['first', 'second', 'alone', 'third', 'alone again'])
  })

  it('has the connection to itself: the index is merged before or after it, and not once the queue is drained', async () => {
    const database = new Database(':memory:')
    const state = createWriteState(createSoundness(':memory:'))
    const merged: string[] = []
    let now = 'first'
    const queue = createWriteQueue(database, state, {
      openBatch: () => batch,
      writes: createDeferredWrites(database, guardWrites(database, state)),
      maintenance: {
        beforeCommit: () => undefined,
        whileIdle() {
          merged.push(`${now} ${String(database.pragma('synchronous', { simple: true }))}`)
          return now === 'first'
        },
      },
      beforeCommit: () => undefined,
    })
    await expect.poll(() => merged.length, { timeout: 5000 }).toBeGreaterThan(0)
    await queue.exclusive(async () => {
      now = 'exclusive'
      await wait(2500)
      now = 'later'
    })
    await expect.poll(() => merged.at(-1), { timeout: 5000 }).toBe('later 1')
    expect(new Set(merged)).toEqual(new Set(['first 1', 'later 1']))
    expect(database.pragma('synchronous', { simple: true })).toBe(2)
    await queue.transaction(async () => undefined)
    await queue.drain()
    now = 'drained'
    await wait(1500)
    expect(merged.at(-1)).toBe('later 1')
  })

  it('finishes before the queue is drained, and is refused afterwards', async () => {
    const queue = open()
    const running = queue.exclusive(() => nextLoop('done'))
    await queue.drain()
    expect(await running).toBe('done')
    await expect(queue.exclusive(nextLoop)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      kind: 'closed',
    })
  })
})

describe('a deferred write that fails', () => {
  it('fails every transaction of its commit, also those that have ended, and none of the next', async () => {
    const database = new Database(':memory:')
    database.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY) STRICT')
    const state = createWriteState(createSoundness(':memory:'))
    const writes = createDeferredWrites(database, guardWrites(database, state))
    const queue = createWriteQueue(database, state, {
      openBatch: () => ({ ...batch, run: (work) => writes.savepoint(() => work({} as Transaction)) }),
      writes,
      maintenance,
      beforeCommit: () => undefined,
    })
    const add = (number: number) => async () =>
      writes.add(() => void database.prepare('INSERT INTO rows VALUES (?)').run(number))
    const read = async () => writes.runAll()
    const outcomes = async (...works: readonly (() => Promise<void>)[]) =>
      (await Promise.allSettled(works.map((work) => queue.transaction(work)))).map(({ status }) => status)
    expect(await outcomes(add(1), add(1))).toEqual(['rejected', 'rejected'])
    expect(await outcomes(add(2), add(2), read)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await outcomes(add(3), read)).toEqual(['fulfilled', 'fulfilled'])
    expect(database.prepare('SELECT number FROM rows').pluck().all()).toEqual([3])
  })
})

describe('a transaction that has ended', () => {
  it('can no longer be used, in any port', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-queue-'))
    const store = await openSqliteStore({ file: join(folder, 'quire.db') })
    const leaked = await store.transaction(async (tx) => ({ tx }))
    const late = leaked.tx
    const attempts = [
      () => put('CONT_1')(late),
      () => late.entities.get(main, 'item', 'CONT_1'),
      () => late.entities.purge(main, { kind: 'item', id: 'CONT_1' }),
      () => late.records.get('group', 'GRUP_1'),
      () => late.records.delete('group', 'GRUP_1', 1),
      () => late.journal.read({ after: 0, limit: 1 }),
      () => late.ephemera.put('key', 'value', 1),
      () => late.nested(async () => 1),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('This transaction has ended')
    expect(await store.ephemera.get('key', 0)).toBeNull()
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a store that was closed while it wrote', () => {
  it('answers what was queued and refuses the rest as closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-queue-'))
    const store = await openSqliteStore({ file: join(folder, 'quire.db') })
    const queued = store.transaction(put('CONT_1'))
    const closing = store.close()
    const late = store.transaction(put('CONT_2'))
    await expect(late).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await queued).toBeUndefined()
    await closing
    await store.close()
    rmSync(folder, { recursive: true })
  })
})
