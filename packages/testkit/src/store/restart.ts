import { describe, expect } from 'vitest'
import { anEntity, entityOf, nextVersion, sameVersion, inPackageOf, testRepository } from '../entity.ts'
import { main, packageId, packageBranch, refusal, write, type StoreTest, item } from './fixture.ts'
import { allSeen, nothingSeen, seenBy, writeSome } from './isolation.ts'
import { aGroup, anEntry } from './record-samples.ts'
import { found, given, seek } from './searching.ts'

export function restartLaws(test: StoreTest): void {
  describe('after a restart', () => {
    test('everything acknowledged is there, in all ports', async ({ store, reopen }) => {
      await store.transaction(writeSome)
      const again = await reopen()
      expect(await seenBy(again)).toEqual(allSeen)
      expect(await again.transaction((tx) => tx.ephemera.increment('count', 1, 100))).toBe(2)
    })

    test('heads, versions and packages read as before', async ({ store, reopen }) => {
      const article = anEntity({ id: 'CONT_1', body: { text: 'Grüße 😀' } })
      const second = nextVersion(article, { name: 'Second', archived: true })
      const branched = inPackageOf(packageId, second)
      await write(store, article, second, branched)
      const versions = await store.entities.versions(main, item('CONT_1'), { limit: 9 })
      const again = await reopen()
      expect(await again.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(second))
      expect(await again.entities.get(packageBranch, 'item', 'CONT_1')).toEqual(entityOf(branched))
      expect(await again.entities.versions(main, item('CONT_1'), { limit: 9 })).toEqual(versions)
    })

    test('nothing of a rolled-back transaction is there', async ({ store, reopen }) => {
      await refusal(store.transaction((tx) => writeSome(tx).then(() => Promise.reject(new Error('undo')))))
      expect(await seenBy(await reopen())).toEqual(nothingSeen)
    })

    test('revisions, slugs and keys are still enforced', async ({ store, reopen }) => {
      await store.transaction(writeSome)
      const again = await reopen()
      const conflict = anEntity({ id: 'CONT_2', slug: 'news' })
      expect(await refusal(write(again, conflict))).toMatchObject({ kind: 'slug' })
      expect(await refusal(write(again, anEntity({ id: 'CONT_1' })))).toMatchObject({ kind: 'stale' })
      const group = aGroup('GRUP_2', { name: 'GRUP_1' })
      expect(await refusal(again.transaction((tx) => tx.records.put('group', group, 0)))).toMatchObject({
        kind: 'key',
      })
    })

    test('sequences continue where they stopped', async ({ store, reopen }) => {
      await store.transaction((tx) => tx.journal.record(anEntry({ version: 1 })))
      await store.transaction((tx) => tx.journal.record(anEntry({ version: 2 })))
      const again = await reopen()
      await again.transaction((tx) => tx.journal.record(anEntry({ version: 3 })))
      const rows = await again.journal.read({ after: 0, limit: 9 })
      expect(rows.map(({ version }) => version)).toEqual([1, 2, 3])
      const sequences = rows.map(({ sequence }) => sequence)
      expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
    })

    test('searches find the same, and newly indexed entities come first', async ({ store, reopen }) => {
      const [a, b] = [found('a', 'ant'), found('b', 'ant', 'bee')]
      await write(store, a, b, inPackageOf(packageId, a, { search: given('ant', 'news') }))
      await store.transaction((tx) => tx.entities.purge(packageBranch, item('a')))
      const again = await reopen()
      expect(await seek(again, 'ant')).toEqual(['b', 'a'])
      await write(again, sameVersion(a, { publishedVersion: 1 }), found('c', 'ant'))
      expect(await seek(again, 'ant')).toEqual(['c', 'b', 'a'])
      expect((await again.indexes.info(testRepository)).numDocs).toBe(3)
    })

    test('expired values are still expired, and the others can still be taken once', async ({
      store,
      reopen,
    }) => {
      await store.transaction((tx) => tx.ephemera.put('key', 'value', 100))
      const again = await reopen()
      expect(await again.ephemera.get('key', 100)).toBeNull()
      expect(await again.transaction((tx) => tx.ephemera.take('key', 99))).toBe('value')
      expect(await (await reopen()).ephemera.get('key', 99)).toBeNull()
    })
  })
}
