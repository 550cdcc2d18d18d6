import {
  textQueryOf,
  type FacetQuery,
  type Store,
  type StoreReader,
  type Transaction,
} from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, entityOf, nextVersion, textOf } from '../entity.ts'
import { aQuery, main, refusal, write, writeIn, type StoreTest, item } from './fixture.ts'
import { aGroup, anEntry } from './record-samples.ts'
import { searchPage } from './searching.ts'

/** Writes something through each port, in one transaction. */
export async function writeSome(tx: Transaction): Promise<void> {
  await writeIn(tx, anEntity({ id: 'CONT_1', slug: 'news', search: textOf('news'), edges: [edge] }))
  await tx.records.put('group', aGroup('GRUP_1'), 0)
  await tx.texts.put('hash', 'text')
  await tx.journal.record(anEntry())
  await tx.ephemera.put('key', 'value', 100)
  await tx.ephemera.increment('count', 1, 100)
}

const edge = { path: 'link', targetId: 'T', onDelete: 'restrict' as const }

const newsFacet: FacetQuery = {
  kind: 'item',
  reader: { types: 'all', roles: 'all' },
  archived: false,
  text: textQueryOf('news'),
  fields: [{ member: 'type' }],
  limit: 9,
}

/** What a reader sees of the data that `writeSome` writes. */
export async function seenBy(reader: StoreReader) {
  const { entities, records, journal, ephemera } = reader
  return {
    head: (await entities.get(main, 'item', 'CONT_1'))?.id ?? null,
    bySlug: (await entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id ?? null,
    many: (await entities.getMany(main, 'item', ['CONT_1'])).length,
    count: (await entities.list(main, aQuery({ text: 'news' }))).count,
    versions: (await entities.versions(main, item('CONT_1'), { limit: 9 })).length,
    moment: (await entities.moment(main, item('CONT_1'), 1e15))?.version ?? null,
    incoming: (await entities.incoming(main, 'T', 9)).length,
    ...(await foundBy(reader)),
    record: (await records.get('group', 'GRUP_1'))?.revision ?? null,
    byKey: (await records.find('group', 'name:GRUP_1'))?.id ?? null,
    records: (await records.list('group')).length,
    journal: (await journal.read({ after: 0, limit: 9 })).length,
    value: await ephemera.get('key', 1),
  }
}

async function foundBy(reader: StoreReader) {
  const { entities, texts } = reader
  return {
    edges: (await entities.edges(main, { end: 'target', ids: ['T'], limit: 9 })).length,
    search: (await searchPage(reader, { text: 'news' })).count,
    document: (await entities.documents(main, 'item', ['CONT_1'])).size,
    facet: (await entities.facets(main, newsFacet))[0]?.[0]?.count ?? null,
    text: await texts.get('hash'),
  }
}

/** What is seen before `writeSome`. */
export const nothingSeen = {
  head: null,
  bySlug: null,
  many: 0,
  count: 0,
  versions: 0,
  moment: null,
  incoming: 0,
  edges: 0,
  search: 0,
  document: 0,
  facet: null,
  text: null,
  record: null,
  byKey: null,
  records: 0,
  journal: 0,
  value: null,
}
export const allSeen = {
  head: 'CONT_1',
  bySlug: 'CONT_1',
  many: 1,
  count: 1,
  versions: 1,
  moment: 1,
  incoming: 1,
  edges: 1,
  search: 1,
  document: 1,
  facet: 1,
  text: 'text',
  record: 1,
  byKey: 'GRUP_1',
  records: 1,
  journal: 1,
  value: 'value',
}

/** What no delete removes. */
const forGood = { journal: 1, text: 'text' }

export function isolationLaws(test: StoreTest): void {
  describe('a transaction', () => {
    test('sees its own writes, which others see after it has ended', async ({ store }) => {
      const held = await holdOpen(store, async (tx) => {
        await writeSome(tx)
        return seenBy(tx)
      })
      expect(held.inside).toEqual(allSeen)
      expect(await seenBy(store)).toEqual(nothingSeen)
      await held.end()
      expect(await seenBy(store)).toEqual(allSeen)
    })

    test('hides its deletes and changes from others until it has ended', async ({ store }) => {
      const article = anEntity({ id: 'CONT_1', slug: 'news' })
      await store.transaction(writeSome)
      const held = await holdOpen(store, async (tx) => {
        await tx.entities.purge(main, item('CONT_1'))
        await tx.records.delete('group', 'GRUP_1', 1)
        await tx.ephemera.take('key', 1)
        return seenBy(tx)
      })
      expect(held.inside).toEqual({ ...nothingSeen, ...forGood })
      expect(await seenBy(store)).toEqual(allSeen)
      await held.end()
      expect(await seenBy(store)).toEqual({ ...nothingSeen, ...forGood })
      await write(store, article, nextVersion(article))
      expect((await seenBy(store)).versions).toBe(2)
    })

    // A store that several processes share may run the next one meanwhile, as if it had been first.
    test('runs alone: the next one begins after it has ended, and sees its writes', async ({
      store,
      opened: { openAnother },
    }) => {
      const held = await holdOpen(store, writeSome)
      let began = false
      const next = store.transaction(async (tx) => {
        began = true
        return seenBy(tx)
      })
      await seenBy(store)
      expect(began && !openAnother).toBe(false)
      await held.end()
      expect(openAnother ? [allSeen, nothingSeen] : [allSeen]).toContainEqual(await next)
    })

    test('sees outer writes in a nested transaction, and nested writes afterwards', async ({ store }) => {
      const article = anEntity({ id: 'CONT_1' })
      const second = nextVersion(article, { name: 'Second' })
      const after = await store.transaction(async (tx) => {
        await writeIn(tx, article)
        await tx.nested((inner) => writeIn(inner, second))
        return tx.entities.get(main, 'item', 'CONT_1')
      })
      expect(after).toEqual(entityOf(second))
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(second))
    })
  })

  generationLaws(test)
}

function generationLaws(test: StoreTest): void {
  const put = (id: string) => (tx: Transaction) => tx.records.put('group', aGroup(id), 0)

  describe('the generation of records', () => {
    test('changes at once with every commit that writes a record', async ({ store }) => {
      const seen = [store.records.generation()]
      for (const id of ['GRUP_1', 'GRUP_2']) {
        await store.transaction(put(id))
        seen.push(store.records.generation())
      }
      await store.transaction((tx) => tx.records.delete('group', 'GRUP_1', 1))
      seen.push(store.records.generation())
      expect(new Set(seen).size).toBe(4)
    })

    test('stays the same while no record changes', async ({ store }) => {
      await store.transaction(put('GRUP_1'))
      const before = store.records.generation()
      await store.transaction(async (tx) => {
        expect(tx.records.generation()).toBe(before)
        await writeIn(tx, anEntity())
        expect(tx.records.generation()).toBe(before)
      })
      await refusal(store.transaction(put('GRUP_1')))
      expect(store.records.generation()).toBe(before)
    })

    test('changes inside a transaction with its own writes, to numbers that are never seen outside', async ({
      store,
    }) => {
      const outside = [store.records.generation()]
      const inside: number[] = []
      await store.transaction(async (tx) => {
        await put('GRUP_1')(tx)
        inside.push(tx.records.generation())
        outside.push(store.records.generation())
        await put('GRUP_2')(tx)
        inside.push(tx.records.generation())
      })
      outside.push(store.records.generation())
      for (const id of ['GRUP_3', 'GRUP_4', 'GRUP_5']) {
        await store.transaction(put(id))
        outside.push(store.records.generation())
      }
      expect(outside[0]).toBe(outside[1])
      expect(inside[0]).not.toBe(inside[1])
      expect(inside.filter((number) => outside.includes(number))).toEqual([])
    })

    test('never reuses a number of a transaction that was rolled back', async ({ store }) => {
      const undone: number[] = []
      let afterNested: number | undefined
      const before = store.records.generation()
      await refusal(
        store.transaction(async (tx) => {
          await put('GRUP_1')(tx)
          undone.push(tx.records.generation())
          await refusal(
            tx.nested(async (inner) => {
              await put('GRUP_2')(inner)
              undone.push(inner.records.generation())
              throw new Error('undo')
            }),
          )
          afterNested = tx.records.generation()
          throw new Error('undo')
        }),
      )
      expect(store.records.generation()).toBe(before)
      const later = await store.transaction(async (tx) => {
        await put('GRUP_9')(tx)
        return tx.records.generation()
      })
      expect(afterNested).toBeTypeOf('number')
      expect(afterNested).not.toBe(undone[1])
      expect(undone).not.toContain(later)
      expect(undone).not.toContain(store.records.generation())
    })
  })
}

/** Starts a transaction and leaves it open after `work` until `end` is called. */
async function holdOpen<T>(store: Store, work: (tx: Transaction) => Promise<T>) {
  const done = Promise.withResolvers<T>()
  const release = Promise.withResolvers<void>()
  const ended = store.transaction(async (tx) => {
    done.resolve(await work(tx))
    await release.promise
  })
  ended.catch(done.reject)
  const end = () => {
    release.resolve()
    return ended
  }
  return { inside: await done.promise, end }
}
