import { StoreConflict, StoreUnavailable, type JournalTally, type Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { main, refusal, type StoreTest } from './fixture.ts'
import { aGroup, anEntry, aPackage, aUser } from './record-samples.ts'

export function recordLaws(test: StoreTest): void {
  describe('records', () => {
    test('are null while absent', async ({ store }) => {
      expect(await store.records.get('group', 'GRUP_1')).toBeNull()
      expect(await store.records.find('group', 'name:Editors')).toBeNull()
      expect(await store.records.list('group')).toEqual([])
    })

    test('are found as they were put, by id and by each unique key, with a revision', async ({ store }) => {
      const group = aGroup('GRUP_1', { name: 'Editors', users: ['ada@example.com'] })
      const stored = await store.transaction((tx) => tx.records.put('group', group, 0))
      expect(stored).toEqual({ ...group, revision: 1 })
      expect(await store.records.get('group', 'GRUP_1')).toEqual(stored)
      expect(await store.records.find('group', 'name:Editors')).toEqual(stored)
      expect(await store.records.find('group', 'searchId:grup_1')).toEqual(stored)
      expect(await store.records.find('group', 'Editors')).toBeNull()
      expect(await store.records.find('role', 'name:Editors')).toBeNull()
      expect(await store.records.get('user', 'GRUP_1')).toBeNull()
    })

    test('grow their revision by one with every write, and follow changed keys', async ({ store }) => {
      await putGroups(store, aGroup('GRUP_1', { name: 'Old' }))
      const stored = await store.transaction((tx) =>
        tx.records.put('group', aGroup('GRUP_1', { name: 'New' }), 1),
      )
      expect(stored.revision).toBe(2)
      expect(await store.records.find('group', 'name:Old')).toBeNull()
      expect(await store.records.find('group', 'name:New')).toEqual(stored)
    })

    test('list by id, one kind at a time', async ({ store }) => {
      await putGroups(store, aGroup('GRUP_b'), aGroup('GRUP_C'), aGroup('GRUP_a'))
      await store.transaction((tx) => tx.records.put('user', aUser('ada@example.com'), 0))
      expect((await store.records.list('group')).map(({ id }) => id)).toEqual(['GRUP_C', 'GRUP_a', 'GRUP_b'])
    })

    test('are copies: changing the object that was put has no effect', async ({ store }) => {
      const users = ['ada@example.com']
      await putGroups(store, aGroup('GRUP_1', { users }))
      users.push('eve@example.com')
      expect((await store.records.get('group', 'GRUP_1'))?.users).toEqual(['ada@example.com'])
    })

    test('are gone once deleted, and can be created again', async ({ store }) => {
      await putGroups(store, aGroup('GRUP_1'))
      await store.transaction((tx) => tx.records.delete('group', 'GRUP_1', 1))
      expect(await store.records.get('group', 'GRUP_1')).toBeNull()
      expect(await store.records.find('group', 'name:GRUP_1')).toBeNull()
      expect(await store.records.list('group')).toEqual([])
      await putGroups(store, aGroup('GRUP_1'))
      expect(await store.records.get('group', 'GRUP_1')).not.toBeNull()
    })

    test('refuse as stale a write that expects another revision or an absent record', async ({ store }) => {
      await putGroups(store, aGroup('GRUP_1'))
      const put = (id: string, revision: number) =>
        refusal(store.transaction((tx) => tx.records.put('group', aGroup(id, { name: 'New' }), revision)))
      const remove = (id: string, revision: number) =>
        refusal(store.transaction((tx) => tx.records.delete('group', id, revision)))
      const refused = [
        put('GRUP_1', 0),
        put('GRUP_1', 2),
        put('GRUP_2', 1),
        remove('GRUP_1', 2),
        remove('GRUP_2', 1),
      ]
      const errors = await Promise.all(refused)
      expect(
        errors.map((error) => error instanceof StoreConflict && `${error.kind} ${error.subject}`),
      ).toEqual(['stale GRUP_1', 'stale GRUP_1', 'stale GRUP_2', 'stale GRUP_1', 'stale GRUP_2'])
      expect(await store.records.get('group', 'GRUP_1')).toEqual({ ...aGroup('GRUP_1'), revision: 1 })
      expect(await store.records.get('group', 'GRUP_2')).toBeNull()
    })

    test('keep kinds apart, even with the same ids and keys', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.records.put('group', aGroup('X'), 0)
        await tx.records.put('user', aUser('X'), 0)
        await tx.records.put('package', aPackage('X', 'X'), 0)
      })
      expect(await store.records.get('user', 'X')).toEqual({ ...aUser('X'), revision: 1 })
      expect(await store.records.find('group', 'searchId:x')).toEqual({ ...aGroup('X'), revision: 1 })
      expect(await store.records.find('user', 'searchId:x')).toEqual({ ...aUser('X'), revision: 1 })
    })
  })
}

export function journalLaws(test: StoreTest): void {
  describe('the journal', () => {
    test('returns entries as recorded, in order, with growing sequences above 0', async ({ store }) => {
      expect(await store.journal.read({ after: 0, limit: 9 })).toEqual([])
      const entries = ['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_DELETED'].map((event) =>
        anEntry({ event, details: { changed: ['name', { deep: null }] } }),
      )
      for (const entry of entries) await store.transaction((tx) => tx.journal.record(entry))
      const rows = await store.journal.read({ after: 0, limit: 9 })
      expect(rows).toEqual(entries.map((entry, index) => ({ ...entry, sequence: rows[index]?.sequence })))
      const sequences = rows.map(({ sequence }) => sequence)
      expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
      expect(sequences[0]).toBeGreaterThan(0)
    })

    test('continues after a sequence, at most `limit`', async ({ store }) => {
      await store.transaction(async (tx) => {
        for (let index = 0; index < 5; index += 1) await tx.journal.record(anEntry({ version: index }))
      })
      const rows = await store.journal.read({ after: 0, limit: 2 })
      expect(rows.map(({ version }) => version)).toEqual([0, 1])
      const rest = await store.journal.read({ after: rows[1]?.sequence ?? 0, limit: 9 })
      expect(rest.map(({ version }) => version)).toEqual([2, 3, 4])
      expect(await store.journal.read({ after: rest[2]?.sequence ?? 0, limit: 9 })).toEqual([])
    })

    test('can be read for one repository, for one entity, or both', async ({ store }) => {
      const scopes = ['A1', 'A2', 'B1', 'A1']
      await store.transaction(async (tx) => {
        for (const [repositoryId = '', entityId = ''] of scopes)
          await tx.journal.record(anEntry({ repositoryId, entityId }))
      })
      const read = async (of: { repositoryId?: string; entityId?: string }) => {
        const rows = await store.journal.read({ after: 0, limit: 9, ...of })
        return rows.map(({ repositoryId, entityId }) => repositoryId + entityId)
      }
      expect(await read({ repositoryId: 'A' })).toEqual(['A1', 'A2', 'A1'])
      expect(await read({ entityId: '1' })).toEqual(['A1', 'B1', 'A1'])
      expect(await read({ repositoryId: 'A', entityId: '1' })).toEqual(['A1', 'A1'])
      expect(await read({ repositoryId: 'C' })).toEqual([])
    })

    test('is counted by the subject of the entries, with any filter', async ({ store }) => {
      const { repositoryId } = anEntry()
      const ada = { userName: 'ada', displayName: 'Ada "A"', email: '' }
      const adam = { ...ada, userName: 'adam' }
      const entries = [
        anEntry({ entityId: '1', event: 'ITEM_CREATED', date: 10, user: ada }),
        anEntry({ entityId: '1', event: 'ITEM_UPDATED', date: 20, user: adam }),
        anEntry({ entityId: '1', event: 'ITEM_UPDATED', date: 30, user: ada }),
        anEntry({ entityId: '2', event: 'ITEM_UPDATED', date: 40, user: ada, packageId: 'P' }),
        anEntry({ entityId: 'P', event: 'PACKAGE_TAKEN', date: 50, user: ada, details: { item: '1' } }),
        anEntry({ entityId: 'P', event: 'PACKAGE_TAKEN', date: 60, user: ada, details: { item: '2' } }),
        anEntry({ entityId: '1', event: 'ITEM_UPDATED', date: 70, user: ada, repositoryId: 'other' }),
      ]
      await store.transaction(async (tx) => {
        for (const entry of entries) await tx.journal.record(entry)
      })
      const tally = async (narrowed: Partial<JournalTally> = {}) => {
        const { groups, older } = await store.journal.tally({ repositoryId, limit: 99, ...narrowed })
        const given = groups.map(
          ({ packageId, entityId, event, details, count }) =>
            `${packageId ?? '-'} ${entityId} ${event} ${JSON.stringify(details)} ${count}`,
        )
        return [...given.toSorted(), older]
      }
      const [created, updated, inPackage, accepted] = [
        '- 1 ITEM_CREATED {} 1',
        '- 1 ITEM_UPDATED {} 2',
        'P 2 ITEM_UPDATED {} 1',
        '- P PACKAGE_TAKEN {} 2',
      ]
      const one = '- 1 ITEM_UPDATED {} 1'
      expect(await tally()).toEqual([created, updated, accepted, inPackage, null])
      const detailed = ['- P PACKAGE_TAKEN {"item":"1"} 1', '- P PACKAGE_TAKEN {"item":"2"} 1']
      expect(await tally({ detailed: 'PACKAGE_' })).toEqual([created, updated, ...detailed, inPackage, null])
      expect(await tally({ entityId: '1' })).toEqual([created, updated, null])
      expect(await tally({ entityId: '1', userName: 'ada' })).toEqual([created, one, null])
      expect(await tally({ userName: 'ad' })).toEqual([null])
      expect(await tally({ event: 'ITEM_CREATED' })).toEqual([created, null])
      expect(await tally({ packageId: 'P' })).toEqual([accepted, inPackage, null])
      expect(await tally({ since: 20, until: 30 })).toEqual([one, null])
      expect(await tally({ limit: 3 })).toEqual([accepted, inPackage, 30])
      expect(await tally({ limit: 3, event: 'ITEM_CREATED' })).toEqual([30])
      expect(await tally({ limit: 6 })).toEqual([created, updated, accepted, inPackage, null])
      const rows = await store.journal.read({ after: 0, limit: 9, repositoryId })
      expect(await tally({ before: rows[2]?.sequence ?? 0 })).toEqual([created, one, null])
      expect(await tally({ repositoryId: 'none' })).toEqual([null])
    })
  })
}

export function ephemeraLaws(test: StoreTest): void {
  describe('ephemera', () => {
    test('are stored until they expire, and replaced as a whole', async ({ store }) => {
      expect(await store.ephemera.get('key', 1)).toBeNull()
      await store.transaction((tx) => tx.ephemera.put('key', 'old', 50))
      await store.transaction((tx) => tx.ephemera.put('key', 'new', 100))
      expect(await store.ephemera.get('key', 99)).toBe('new')
      expect(await store.ephemera.get('key', 100)).toBeNull()
      expect(await store.ephemera.get('key', 101)).toBeNull()
    })

    test('can be taken once', async ({ store }) => {
      await store.transaction((tx) => tx.ephemera.put('key', 'value', 100))
      const take = (now: number) => store.transaction((tx) => tx.ephemera.take('key', now))
      expect([await take(99), await take(99)]).toEqual(['value', null])
      expect(await store.ephemera.get('key', 1)).toBeNull()
    })

    test('cannot be taken when expired', async ({ store }) => {
      await store.transaction((tx) => tx.ephemera.put('key', 'value', 100))
      expect(await store.transaction((tx) => tx.ephemera.take('key', 100))).toBeNull()
    })

    test('count from 1, until the expiry of the first count', async ({ store }) => {
      const count = (now: number, expires: number) =>
        store.transaction((tx) => tx.ephemera.increment('calls', now, expires))
      expect([await count(1, 100), await count(2, 900), await count(99, 900)]).toEqual([1, 2, 3])
      expect([await count(100, 200), await count(199, 900), await count(200, 900)]).toEqual([1, 2, 1])
    })

    test('are deleted by a sweep when expired, at most `limit`', async ({ store }) => {
      await store.transaction(async (tx) => {
        for (const key of ['a', 'b', 'c']) await tx.ephemera.put(key, key, 100)
        await tx.ephemera.put('late', 'late', 300)
      })
      const sweep = (limit: number) => store.transaction((tx) => tx.ephemera.sweep(200, limit))
      expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
      expect(await store.ephemera.get('late', 200)).toBe('late')
    })
  })
}

export function lifetimeLaws(test: StoreTest): void {
  describe('the store', () => {
    test('returns the result of a transaction, and rethrows its error', async ({ store }) => {
      expect(await store.transaction(async () => 42)).toBe(42)
      const error = new Error('mine')
      expect(await refusal(store.transaction(() => Promise.reject(error)))).toBe(error)
    })

    test('answers a ping', async ({ store }) => {
      expect(await store.ping()).toBeUndefined()
    })

    test('finishes what is queued before it closes', async ({ store }) => {
      const finished: (string | null)[] = []
      const writes = ['a', 'b', 'c'].map((key) =>
        store.transaction(async (tx) => {
          await tx.ephemera.put(key, key, 100)
          finished.push(await tx.ephemera.get(key, 1))
        }),
      )
      await store.close()
      // In any order: a store may have several connections.
      expect(new Set(finished)).toEqual(new Set(['a', 'b', 'c']))
      expect(await Promise.all(writes)).toHaveLength(3)
    })

    test('refuses every call once it is closed', async ({ store }) => {
      await store.close()
      const calls = [
        store.ping(),
        store.transaction(async () => 1),
        store.entities.get(main, 'item', 'CONT_1'),
        store.records.get('group', 'GRUP_1'),
        store.journal.read({ after: 0, limit: 1 }),
        store.ephemera.get('key', 1),
      ]
      const errors = await Promise.all(calls.map(refusal))
      expect(errors.map((error) => error instanceof StoreUnavailable && error.kind)).toEqual(
        calls.map(() => 'closed'),
      )
    })
  })
}

async function putGroups(store: Store, ...groups: readonly ReturnType<typeof aGroup>[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const group of groups) await tx.records.put('group', group, 0)
  })
}
