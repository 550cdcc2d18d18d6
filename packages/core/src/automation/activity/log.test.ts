import { beforeAll, describe, expect, it } from 'vitest'
import { limits, type Api } from '@quire/contract'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { JournalEntry, JournalReader, Store } from '../../ports/index.ts'

const configId = 'magazine'
const hour = 60 * 60 * 1000
const start = Date.UTC(2026, 0, 1)

/** How often the journal was read back. */
interface Reads {
  count: number
}

/** A store that counts the reads of its journal. */
function counting(store: Store, reads: Reads): Store {
  const readBack: JournalReader['readBack'] = (query) => {
    reads.count += 1
    return store.journal.readBack(query)
  }
  return { ...store, journal: { ...store.journal, readBack } }
}

describe('a long log', () => {
  const reads: Reads = { count: 0 }
  let api: Api

  // One entry an hour. Only the very first is by Ada.
  beforeAll(async () => {
    const store = createMemoryStore()
    api = createQuire({ store: counting(store, reads) }).as(systemIdentity('test'))
    const { id: repositoryId } = await api.repositories.create({ name: configId })
    await store.transaction(async (tx) => {
      for (let index = 0; index < 25_000; index += 1)
        await tx.journal.record(entry(repositoryId, index === 0 ? 'ada' : 'bob', start + index * hour))
    })
  })

  it('is scanned in part by one call, whose short page has a cursor to continue', async () => {
    const pages = []
    let cursor: string | undefined
    do {
      const page = await api.activity.list({ configId, user: 'ada', ...(cursor && { cursor }) })
      pages.push(page.items.length)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([0, 0, 1])
  })

  it('is read between two times without reading the rest', async () => {
    const from = start + 1000 * hour
    reads.count = 0
    const { items } = await api.activity.list({ configId, since: from, until: from + 10 * hour })
    const hours = items.map(({ timestamp }) => (Date.parse(timestamp) - from) / hour)
    expect(hours).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(reads.count).toBeLessThan(25)
    expect((await api.activity.list({ configId, until: start })).items).toEqual([])
    const [newest] = (await api.activity.list({ configId, until: start + 30_000 * hour, limit: 1 })).items
    expect(Date.parse(newest?.timestamp ?? '')).toBe(start + 24_999 * hour)
  })
})

describe('the count of a log with more entries than are counted', () => {
  it('is marked as inexact, unless all requested entries were counted', async () => {
    const store = createMemoryStore()
    const api = createQuire({ store, clock: { now: () => start } }).as(systemIdentity('test'))
    const { id: repositoryId } = await api.repositories.create({ name: configId })
    const most = limits.counted
    await store.transaction(async (tx) => {
      for (let index = 1; index < most; index += 1)
        await tx.journal.record(entry(repositoryId, index % 2 === 0 ? 'ada' : 'bob', start + index * hour))
    })
    const about = async (filter: object = {}) => {
      const {
        items: _,
        nextCursor: _next,
        ...given
      } = await api.activity.list({
        configId,
        limit: 1,
        ...filter,
      })
      return given
    }
    expect(await about()).toEqual({ count: most })
    await store.transaction((tx) => tx.journal.record(entry(repositoryId, 'ada', start + most * hour)))
    expect(await about()).toEqual({ count: most, countIsExact: false })
    expect(await about({ user: 'ada' })).toEqual({ count: most / 2, countIsExact: false })
    expect(await about({ since: start + 1000 * hour, user: 'ada' })).toEqual({ count: (most - 1000) / 2 + 1 })
  })
})

function entry(repositoryId: string, userName: string, date: number): JournalEntry {
  return {
    repositoryId,
    packageId: null,
    entityId: repositoryId,
    entityType: 'repository',
    event: 'REPOSITORY_UPDATED',
    version: null,
    status: null,
    date,
    user: { userName, displayName: userName, email: '' },
    requestId: 'REQ_1',
    details: {},
  }
}
