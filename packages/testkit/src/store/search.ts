import type { Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { aDocument, anEntity, nextVersion, sameVersion } from '../entity.ts'
import { item, main, write, type StoreTest } from './fixture.ts'
import { found, given, searchPage, seek } from './searching.ts'

/** What a search finds, and in which order. */
export function searchLaws(test: StoreTest): void {
  describe('a search', () => {
    test('ranks the name before the text, and whole words before prefixes', async ({ store }) => {
      await write(
        store,
        found('whole name', 'An ant', 'of the garden'),
        found('begun name', 'An antelope'),
        found('whole text', 'Insects', 'the ant'),
        found('begun text', 'Mammals', 'the antelope'),
        found('neither', 'Plants', 'giant'),
      )
      expect(await seek(store, 'ant')).toEqual(['whole name', 'begun name', 'whole text', 'begun text'])
      expect(await seek(store, 'ANTE')).toEqual(['begun name', 'begun text'])
    })

    test('ranks each entity by the tier in which all terms match', async ({ store }) => {
      await write(
        store,
        found('both in the name', 'Red fox'),
        found('one begun in the name', 'Red foxglove'),
        found('one in the text', 'Fox', 'it is red'),
        found('one begun in the text', 'Foxglove', 'it is reddish'),
        found('one missing', 'Red'),
      )
      expect(await seek(store, 'fox red')).toEqual([
        'both in the name',
        'one begun in the name',
        'one in the text',
        'one begun in the text',
      ])
    })

    test('treats a single letter as a whole word', async ({ store }) => {
      await write(store, found('begun', 'Plan bee'), found('whole', 'Plan B'))
      expect(await seek(store, 'b')).toEqual(['whole'])
      expect(await seek(store, 'p')).toEqual([])
    })

    test('finds nothing without a word', async ({ store }) => {
      await write(store, found('a', 'A'), anEntity({ id: 'b' }))
      for (const text of ['', ' ', '*', '"', '😀'])
        expect(await searchPage(store, { text }), text).toEqual({ entities: [], count: 0, isCapped: false })
    })

    test('finds no entity without a document', async ({ store }) => {
      await write(store, anEntity({ id: 'a', name: 'Ant' }), anEntity({ id: 'b', search: aDocument() }))
      expect(await seek(store, 'ant')).toEqual([])
    })

    test('finds other kinds by their own words', async ({ store }) => {
      await write(store, anEntity({ kind: 'folder', id: 'same', search: given('ant') }), found('same', 'bee'))
      expect(await seek(store, 'ant')).toEqual([])
      expect(await seek(store, 'ant', { kind: 'folder' })).toEqual(['same'])
    })
  })

  phraseLaws(test)
  orderLaws(test)
}

function phraseLaws(test: StoreTest): void {
  describe('a phrase', () => {
    test('matches words next to each other, in their order', async ({ store }) => {
      await write(
        store,
        found('turned', 'oak old'),
        found('apart', 'old grey oak'),
        found('text', 'x', 'the old oak'),
        found('name', 'Old-Oak'),
      )
      expect(await seek(store, '"old oak"')).toEqual(['name', 'text'])
      expect(await seek(store, '"old oak" the')).toEqual(['text'])
      expect(await seek(store, 'old oak')).toEqual(['name', 'apart', 'turned', 'text'])
    })

    test('ends with a whole word', async ({ store }) => {
      await write(store, found('a', 'old oaks'))
      expect(await seek(store, '"old oak"')).toEqual([])
      const begun = { terms: [{ words: ['old', 'oak'], prefix: true, categories: [] }] }
      expect((await searchPage(store, { text: begun })).count).toBe(1)
      const first = { terms: [{ words: ['ol', 'oaks'], prefix: true, categories: [] }] }
      expect((await searchPage(store, { text: first })).count).toBe(0)
    })

    test('never spans the name and a text, two texts, or a text and the file', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.texts.put('hash', 'four')
        await tx.entities.put(
          anEntity({ id: 'a', search: { ...given('one', 'two', 'three'), file: 'hash' } }),
          0,
        )
      })
      for (const text of ['"one two"', '"two three"', '"three four"', '"four one"'])
        expect(await seek(store, text), text).toEqual([])
      expect(await seek(store, 'one two three four')).toEqual(['a'])
    })

    test('may contain the same word twice', async ({ store }) => {
      await write(store, found('once', 'pom frites'), found('twice', 'pom pom'))
      expect(await seek(store, '"pom pom"')).toEqual(['twice'])
      expect(await seek(store, 'pom pom')).toEqual(['twice', 'once'])
    })
  })
}

function orderLaws(test: StoreTest): void {
  describe('within a tier', () => {
    const three = ['a', 'b', 'c'].map((id) => found(id, 'ant', `text of ${id}`))
    const [a, b] = [found('a', 'ant', 'text of a'), found('b', 'ant', 'text of b')]

    test('the last indexed entity comes first', async ({ store }) => {
      await write(store, ...three)
      expect(await seek(store, 'ant')).toEqual(['c', 'b', 'a'])
      await write(store, nextVersion(b, { search: given('ant', 'news of b') }))
      expect(await seek(store, 'ant')).toEqual(['b', 'c', 'a'])
    })

    test('writes without changes to the document do not change the order', async ({ store }) => {
      await write(store, ...three)
      await write(store, sameVersion(a, { publishedVersion: 1, publishedDate: 5 }))
      await write(store, nextVersion(b, { name: 'Renamed', body: { b: 1 } }))
      expect(await seek(store, 'ant')).toEqual(['c', 'b', 'a'])
    })

    for (const [what, change] of Object.entries({
      'a name': given('Ant', 'text of a'),
      'a text': given('ant', 'text of A'),
      'a path': aDocument({ name: 'ant', passages: [{ path: 'other', text: 'text of a' }] }),
      'a category': { ...given('ant', 'text of a'), categories: ['CATG_1'] },
      'a file': { ...given('ant', 'text of a'), file: 'hash' },
    })) {
      test(`a change of ${what} moves it to the front`, async ({ store }) => {
        await write(store, ...three)
        await write(store, sameVersion(a, { search: change }))
        expect(await seek(store, 'ant')).toEqual(['a', 'c', 'b'])
      })
    }

    test('a restored entity comes first', async ({ store }) => {
      await write(store, ...three)
      const gone = sameVersion(a, { deletedDate: 5 })
      await write(store, gone)
      expect(await seek(store, 'ant')).toEqual(['c', 'b'])
      await write(store, sameVersion(gone, { deletedDate: null }))
      expect(await seek(store, 'ant')).toEqual(['a', 'c', 'b'])
    })

    test('the order does not depend on how often a word occurs', async ({ store }) => {
      await write(
        store,
        found('often', 'x', 'ant ant ant ant'),
        found('once', 'x', `ant${' filler'.repeat(99)}`),
      )
      expect(await seek(store, 'ant')).toEqual(['once', 'often'])
    })
  })

  test('a search finds only the new content of an entity that was purged and created again', async ({
    store,
  }) => {
    await write(store, found('a', 'old'))
    await store.transaction((tx) => tx.entities.purge(main, item('a')))
    expect(await seek(store, 'old')).toEqual([])
    await write(store, found('a', 'new'))
    expect([await seek(store, 'old'), await seek(store, 'new')]).toEqual([[], ['a']])
  })

  test('a search inside a transaction sees its writes, and nothing that was rolled back', async ({
    store,
  }) => {
    await write(store, found('a', 'ant'))
    const undone = store.transaction(async (tx) => {
      await tx.entities.put(found('b', 'ant'), 0)
      await tx.entities.put(sameVersion(found('a', 'ant'), { search: given('bee') }), 1)
      expect(await seek(tx, 'ant')).toEqual(['b'])
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await expectOnly(store, 'ant', 'a')
    await expectOnly(store, 'bee')
  })
}

async function expectOnly(store: Store, text: string, ...ids: readonly string[]): Promise<void> {
  expect(await searchPage(store, { text })).toMatchObject({
    entities: ids.map((id) => ({ id })),
    count: ids.length,
  })
}
