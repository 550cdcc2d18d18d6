import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire, systemIdentity, type Quire, type QuireOptions } from '@quire/core'
import { createMemoryStore, memoryBlobs, fixedClock, seededIds, type FixedClock } from '@quire/core/memory'
import type { Blobs, Job, Log, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { aJob } from '@quire/testkit'
import { damageable, type DamageableBlobs } from './damageable.ts'

/** An engine with a manual clock, and its ports. */
export interface TestEngine extends DamageableBlobs {
  readonly quire: Quire
  readonly api: Api
  readonly store: Store
  readonly clock: FixedClock
  /** The log entries: level, event, members. */
  readonly logged: Parameters<Log['write']>[]
  /** Runs a job of a kind, and returns it after its end. */
  run(kind: string, repositoryId?: string): Promise<Job>
  close(): Promise<void>
}

/** Differences from the default engine. */
interface Options extends Partial<Omit<QuireOptions, 'store'>> {
  /** Wraps the store that the engine uses. */
  readonly over?: (store: Store) => Store
}

/** Opens an engine on new ports. */
export type OpenTestEngine = (options?: Options) => Promise<TestEngine>

interface Ground {
  readonly store: Store
  readonly blobs: Blobs
  readonly clock: FixedClock
  readonly dispose: () => void
}

/** The environments that maintenance is tested in. */
export const locations: readonly (readonly [string, OpenTestEngine])[] = [
  ['in memory', async (options) => engineOn(inMemory(), options)],
  ['on a disk', async (options) => engineOn(await onDisk(), options)],
]

function inMemory(): Ground {
  const clock = fixedClock()
  return { store: createMemoryStore(), blobs: memoryBlobs(clock), clock, dispose: () => undefined }
}

async function onDisk(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-upkeep-'))
  return {
    store: await openSqliteStore({ file: join(folder, 'quire.db') }),
    blobs: await openFileBlobs({ folder: join(folder, 'blobs'), minFreeBytes: 0 }),
    // Files have the timestamps of their disk, so the clock starts at the current time.
    clock: fixedClock(Date.now()),
    dispose: () => rmSync(folder, { recursive: true }),
  }
}

function engineOn({ store, blobs, clock, dispose }: Ground, { over, ...options }: Options = {}): TestEngine {
  const logged: Parameters<Log['write']>[] = []
  const fragile = damageable(blobs)
  const ids = seededIds(1, clock)
  const log: Log = { write: (...branch) => void logged.push(branch) }
  const quire = createQuire({
    store: over?.(store) ?? store,
    clock,
    ids,
    log,
    ...options,
    blobs: fragile.blobs,
  })
  const api = quire.as(systemIdentity('test'))
  return {
    ...fragile,
    quire,
    api,
    store,
    clock,
    logged,
    async run(kind, repositoryId = '') {
      const now = clock.now()
      const createdBy = { userName: 'test', displayName: 'test', email: '' }
      const job = aJob(ids.next('JOB'), { kind, repositoryId, runAt: now, createdAt: now, createdBy })
      const { id } = await store.transaction((tx) => tx.jobs.enqueue(job))
      // The engine learns of externally queued jobs only when it queues one itself.
      const [first] = (await api.repositories.list()).items
      await api.admin.process({ id: first?.id ?? '', reloadGraph: true })
      await quire.settled()
      const ended = await store.jobs.get(id)
      if (!ended) throw new Error(`${kind} is gone`)
      return ended
    },
    async close() {
      await quire.close()
      dispose()
    },
  }
}
