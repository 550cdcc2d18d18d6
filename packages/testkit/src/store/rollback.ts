import type { Transaction } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, entityOf, nextVersion, textOf } from '../entity.ts'
import { main, refusal, write, writeIn, type StoreTest, item } from './fixture.ts'
import { allSeen, nothingSeen, seenBy, writeSome } from './isolation.ts'
import { aGroup, anEntry } from './record-samples.ts'

const article = anEntity({ id: 'CONT_1', slug: 'news', search: textOf('news') })
const undo = new Error('undo')

async function fail(): Promise<never> {
  throw undo
}

export function rollbackLaws(test: StoreTest): void {
  describe('a transaction that throws', () => {
    test('is rolled back in every port', async ({ store }) => {
      expect(await refusal(store.transaction((tx) => writeSome(tx).then(fail)))).toBe(undo)
      expect(await seenBy(store)).toEqual(nothingSeen)
      expect(await store.transaction((tx) => tx.ephemera.increment('count', 1, 100))).toBe(1)
    })

    test('has its changes and deletes rolled back, too', async ({ store }) => {
      await store.transaction(writeSome)
      await refusal(store.transaction((tx) => removeAll(tx).then(fail)))
      expect(await seenBy(store)).toEqual(allSeen)
      expect(await store.transaction((tx) => tx.ephemera.increment('count', 1, 100))).toBe(2)
    })

    test('does not change slugs and keys', async ({ store }) => {
      await write(store, article)
      await refusal(
        store.transaction((tx) => writeIn(tx, nextVersion(article, { slug: 'other' })).then(fail)),
      )
      await write(store, anEntity({ id: 'CONT_2', slug: 'other' }))
      expect(await refusal(write(store, anEntity({ id: 'CONT_3', slug: 'news' })))).toMatchObject({
        kind: 'slug',
      })
    })

    test('leaves the store usable', async ({ store }) => {
      const attempts = [1, 2, 3].map(() => refusal(store.transaction(fail)))
      const error = await refusal(
        store.transaction(() => {
          throw undo
        }),
      )
      expect(error).toBe(undo)
      expect(await Promise.all(attempts)).toEqual([undo, undo, undo])
      await write(store, article)
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(article))
    })

    test('may continue after a conflict that it caught, with its earlier writes', async ({ store }) => {
      await write(store, article)
      await store.transaction(async (tx) => {
        await writeIn(tx, anEntity({ id: 'CONT_2', slug: 'two' }))
        expect(await refusal(writeIn(tx, anEntity({ id: 'CONT_3', slug: 'news' })))).toMatchObject({
          kind: 'slug',
        })
        expect(await refusal(tx.records.put('group', aGroup('GRUP_1'), 7))).toMatchObject({ kind: 'stale' })
        await writeIn(tx, anEntity({ id: 'CONT_3', slug: 'news-2' }))
      })
      expect((await store.entities.getMany(main, 'item', ['CONT_1', 'CONT_2', 'CONT_3'])).length).toBe(3)
    })
  })

  describe('a nested transaction that throws', () => {
    test('is rolled back in every port, without the writes of the outer one', async ({ store }) => {
      await store.transaction(async (tx) => {
        await writeIn(tx, anEntity({ id: 'CONT_9', slug: 'outer' }))
        expect(await refusal(tx.nested((inner) => writeSome(inner).then(fail)))).toBe(undo)
        expect(await seenBy(tx)).toEqual(nothingSeen)
      })
      expect(await seenBy(store)).toEqual(nothingSeen)
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'outer' }))?.id).toBe('CONT_9')
    })

    test('has its changes and deletes of outer writes rolled back', async ({ store }) => {
      await store.transaction(async (tx) => {
        await writeSome(tx)
        await refusal(tx.nested((inner) => removeAll(inner).then(fail)))
        expect(await seenBy(tx)).toEqual(allSeen)
      })
      expect(await seenBy(store)).toEqual(allSeen)
    })

    test('can be followed by another one that succeeds', async ({ store }) => {
      await store.transaction(async (tx) => {
        await refusal(tx.nested((inner) => writeSome(inner).then(fail)))
        await tx.nested(writeSome)
      })
      expect(await seenBy(store)).toEqual(allSeen)
    })

    test('is rolled back with an outer one that throws later, at any depth', async ({ store }) => {
      const deep = (tx: Transaction) => tx.nested((inner) => inner.nested(writeSome))
      await refusal(store.transaction((tx) => deep(tx).then(fail)))
      expect(await seenBy(store)).toEqual(nothingSeen)
      await store.transaction(deep)
      expect(await seenBy(store)).toEqual(allSeen)
    })

    test('returns the result of its work', async ({ store }) => {
      expect(await store.transaction((tx) => tx.nested(async () => 42))).toBe(42)
    })
  })

  describe('the journal after a rollback', () => {
    test('continues with growing sequences', async ({ store }) => {
      await store.transaction((tx) => tx.journal.record(anEntry({ version: 1 })))
      await refusal(store.transaction((tx) => tx.journal.record(anEntry({ version: 2 })).then(fail)))
      await store.transaction((tx) => tx.journal.record(anEntry({ version: 3 })))
      const rows = await store.journal.read({ after: 0, limit: 9 })
      expect(rows.map(({ version }) => version)).toEqual([1, 3])
      expect(rows[1]?.sequence).toBeGreaterThan(rows[0]?.sequence ?? Infinity)
    })
  })
}

async function removeAll(tx: Transaction): Promise<void> {
  await tx.entities.purge(main, item('CONT_1'))
  await tx.records.delete('group', 'GRUP_1', 1)
  await tx.ephemera.take('key', 1)
  await tx.ephemera.increment('count', 1, 100)
  await tx.journal.record(anEntry())
}
