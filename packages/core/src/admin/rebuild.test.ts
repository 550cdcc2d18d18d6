import { describe, expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../index.ts'
import { createMemoryStore } from '../memory/index.ts'
import { StoreUnavailable, type Reindexed, type SearchIndexes, type Store } from '../ports/index.ts'
import type { IndexRebuildRecord } from './records.ts'
import { continueRebuild, goOnRebuilds } from './rebuild.ts'

const repositoryId = 'REPO_1'
const entry = {
  repositoryId,
  packageId: null,
  entityId: repositoryId,
  entityType: 'index',
  event: 'INDEX_REBUILT',
  version: null,
  status: null,
  date: 0,
  user: { userName: 'ada', displayName: 'Ada', email: '' },
  requestId: 'REQ_1',
  details: {},
}
const begun: IndexRebuildRecord = {
  id: 'JOB_1',
  repositoryId,
  state: 'running',
  after: 0,
  done: 0,
  total: 0,
  startedDate: 0,
  finishedDate: null,
  error: null,
  entry,
}
const never = () => false

interface Bench {
  readonly store: Store
  readonly ports: Parameters<typeof continueRebuild>[0]
  /** The positions at which parts began. */
  readonly positions: number[]
  readonly logged: string[]
  readonly record: () => Promise<IndexRebuildRecord | null>
}

/**
 * An index of ten parts of a hundred. `part` rebuilds one of them; each takes 400 ms by the clock.
 */
async function benchOf(part: MakePart = tenParts): Promise<Bench> {
  const memory = createMemoryStore()
  await memory.transaction((tx) => tx.records.put('indexRebuild', begun, 0))
  const positions: number[] = []
  const logged: string[] = []
  let now = 1000
  const indexes: SearchIndexes = {
    ...memory.indexes,
    size: async () => 1000,
    reindex: inParts(async (after) => {
      now += 400
      positions.push(after)
      return part(after)
    }),
  }
  const store: Store = { ...memory, indexes }
  const log = { write: (_level: string, event: string) => void logged.push(event) }
  return {
    store,
    ports: { store, clock: { now: () => now }, log },
    positions,
    logged,
    record: () => store.records.find('indexRebuild', `repository:${repositoryId}`),
  }
}

/** Rebuilds the part after a position. */
type MakePart = (after: number) => Promise<Reindexed>

function inParts(make: MakePart): SearchIndexes['reindex'] {
  return async function* reindex(_id, { after }) {
    for (let position: number | null = after; position !== null;) {
      const part: Reindexed = await make(position)
      yield part
      position = part.next
    }
  }
}

const tenParts: MakePart = async (after) => ({ next: after === 9 ? null : after + 1, done: 100 })

describe('a rebuild of an index', () => {
  it('runs to its end, and the journal shows who began it', async () => {
    const { ports, store, positions, record } = await benchOf()
    await continueRebuild(ports, repositoryId, never)
    expect(positions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await record()).toMatchObject({ state: 'succeeded', done: 1000, total: 1000, finishedDate: 5000 })
    expect(await store.journal.read({ after: 0, limit: 10 })).toMatchObject([{ ...entry, date: 5000 }])
  })

  it('ends when it is stopped, and continues from there', async () => {
    const { ports, positions, record } = await benchOf()
    await continueRebuild(ports, repositoryId, () => positions.length === 4)
    expect(await record()).toMatchObject({ state: 'running', after: 4, done: 400, total: 1000 })
    await goOnRebuilds(ports, never)
    expect(positions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await record()).toMatchObject({ state: 'succeeded', done: 1000 })
  })

  it('rebuilds no part once the service stops', async () => {
    const { ports, positions, record } = await benchOf()
    await goOnRebuilds(ports, () => true)
    expect(positions).toEqual([])
    expect(await record()).toMatchObject({ state: 'running', after: 0 })
  })

  it('saves its progress about once a second', async () => {
    const saved: number[] = []
    const bench = await benchOf(async (after) => {
      saved.push((await bench.record())?.after ?? -1)
      return tenParts(after)
    })
    await continueRebuild(bench.ports, repositoryId, never)
    expect(saved).toEqual([0, 0, 0, 3, 3, 3, 6, 6, 6, 9])
  })

  it('that fails has the error in its record and in the log', async () => {
    const { ports, store, logged, record } = await benchOf(async (after) => {
      if (after === 5) throw new StoreUnavailable('full', 'no room')
      return tenParts(after)
    })
    await continueRebuild(ports, repositoryId, never)
    expect(await record()).toMatchObject({ state: 'failed', finishedDate: 3400 })
    expect((await record())?.error).not.toContain('no room')
    expect(logged).toEqual(['index.rebuild-failed'])
    expect(await store.journal.read({ after: 0, limit: 10 })).toEqual([])
    await goOnRebuilds(ports, never)
    expect(await record()).toMatchObject({ state: 'failed' })
  })

  it('stays as it is when the store is closed, so that the next process can continue it', async () => {
    const { ports, logged, record } = await benchOf(async () => {
      throw new StoreUnavailable('closed', 'closed')
    })
    await continueRebuild(ports, repositoryId, never)
    expect(await record()).toMatchObject({ state: 'running', after: 0 })
    expect(logged).toEqual([])
  })

  it('is ended by only one of two processes, with one journal entry', async () => {
    const { ports, store, logged, record } = await benchOf()
    await Promise.all([
      continueRebuild(ports, repositoryId, never),
      continueRebuild(ports, repositoryId, never),
    ])
    expect(await record()).toMatchObject({ state: 'succeeded' })
    expect(await store.journal.read({ after: 0, limit: 10 })).toHaveLength(1)
    expect(logged).toEqual([])
  })

  it('does not prevent the engine from closing', async () => {
    const endless = inParts(async (after) => ({ next: after + 1, done: 1 }))
    const memory = createMemoryStore()
    const quire = createQuire({ store: { ...memory, indexes: { ...memory.indexes, reindex: endless } } })
    const api = quire.as(systemIdentity('test'))
    await api.repositories.create({ name: 'magazine' })
    await api.admin.rebuildIndex({ id: 'magazine' })
    await expect(quire.close()).resolves.toBeUndefined()
  })

  it('does not begin without a record', async () => {
    const { ports, positions } = await benchOf()
    await continueRebuild(ports, 'REPO_2', never)
    expect(positions).toEqual([])
  })
})
