import { describe, expect } from 'vitest'
import { anEntity, indexed, textOf } from '../entity.ts'
import { find, write, type StoreTest } from './fixture.ts'

const searchable = (id: string, text: string) => anEntity({ id, search: textOf(text) })

export function textLaws(test: StoreTest): void {
  describe('text search', () => {
    test('finds entities that contain every word, as a whole word or a prefix', async ({ store }) => {
      await write(store, searchable('a', 'The quick brown fox'), searchable('b', 'A quick answer'))
      expect(await find(store, { text: 'quick' })).toEqual(['a', 'b'])
      expect(await find(store, { text: 'fox quick' })).toEqual(['a'])
      expect(await find(store, { text: 'qui an' })).toEqual(['b'])
      expect(await find(store, { text: 'uick' })).toEqual([])
      expect(await find(store, { text: 'quicker' })).toEqual([])
    })

    test('ignores case and accents, composed or not', async ({ store }) => {
      await write(store, searchable('a', 'Crème Brûlée'), searchable('b', 'creme bru\u0302le\u0301e'))
      for (const text of ['creme', 'CRÈME', 'brule', 'bru\u0302lee', 'BRÛLÉE'])
        expect(await find(store, { text }), text).toEqual(['a', 'b'])
    })

    test('finds words and numbers of other scripts', async ({ store }) => {
      await write(
        store,
        searchable('a', 'Привет, мир'),
        searchable('b', '東京 2025'),
        searchable('c', 'Größe'),
      )
      expect(await find(store, { text: 'ПРИВ' })).toEqual(['a'])
      expect(await find(store, { text: '東' })).toEqual(['b'])
      expect(await find(store, { text: '20' })).toEqual(['b'])
      expect(await find(store, { text: 'grö' })).toEqual(['c'])
    })

    test('treats everything except letters and digits as a gap, and no word as an operator', async ({
      store,
    }) => {
      await write(store, searchable('a', 'left-hand, it’s (AND) near_by NOT'), searchable('b', 'left'))
      const texts = [
        'left-hand',
        'hand.left',
        '"left hand"',
        'it’s',
        'hand*',
        'AND',
        'left AND hand',
        'NOT hand',
      ]
      for (const text of [
        ...texts,
        'near by',
        'hand:left',
        '(left hand',
        '^hand',
        '-hand',
        'left + hand',
        "hand'",
      ])
        expect(await find(store, { text }), text).toEqual(['a'])
      expect(await find(store, { text: 'left OR hand' })).toEqual([])
    })

    test('does not filter when it contains no word', async ({ store }) => {
      await write(store, searchable('a', 'x'), searchable('b', ''))
      for (const text of ['', '  ', '!?', '"', '*'])
        expect(await find(store, { text }), text).toEqual(['a', 'b'])
    })

    test('can be combined with filter, sort and pages', async ({ store }) => {
      const rows = [3, 1, 2, 9].map((price, index) =>
        anEntity({
          id: `CONT_${index}`,
          search: textOf(price === 9 ? 'other' : 'offer'),
          values: indexed({ price }),
        }),
      )
      await write(store, ...rows)
      const field = { path: 'price', list: false }
      const sort = [{ field, descending: true }]
      expect(await find(store, { text: 'offer', sort })).toEqual(['CONT_0', 'CONT_2', 'CONT_1'])
      expect(await find(store, { text: 'offer', sort, offset: 1, limit: 1 })).toEqual(['CONT_2'])
      expect(await find(store, { text: 'offer', filter: { field, op: 'lt', value: 3 } })).toEqual([
        'CONT_1',
        'CONT_2',
      ])
    })
  })
}
