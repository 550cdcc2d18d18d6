import { textQueryOf, type Passage, type TextTerm } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { aDocument, anEntity, nextVersion, sameVersion } from '../entity.ts'
import { find, idsOf, main, write, type StoreTest } from './fixture.ts'
import { found, given, searchPage, seek } from './searching.ts'

/** Where words are found: in other scripts, categories and files. */
export function searchWordLaws(test: StoreTest): void {
  scriptLaws(test)
  localeLaws(test)
  categoryLaws(test)
  fileLaws(test)
}

function localeLaws(test: StoreTest): void {
  describe('words of locales', () => {
    const locales = ['de', 'en']
    const localized = [
      { path: 'fields.title.de', text: 'Tinte', locales: ['de'] },
      { path: 'fields.title.en', text: 'Ink', locales: ['en', 'fr~'] },
    ]
    const inLocales = (text: string, ...codes: readonly string[]) => ({
      ...textQueryOf(text),
      locales: codes,
    })

    test('are found in their locale, and shared ones in each, however long they are', async ({ store }) => {
      const shared = { path: 'fields.note', text: 'shared note' }
      const long = { path: 'fields.long', text: `long ${'text '.repeat(2000)}` }
      const document = (name: string, ...passages: readonly Passage[]) =>
        aDocument({ name, passages: [...localized, ...passages], locales })
      await write(
        store,
        anEntity({ id: 'short', search: document('Quill', shared) }),
        anEntity({ id: 'long', search: document('Nib', shared, long) }),
        anEntity({ id: 'plain', search: given('Pen', 'shared note') }),
      )
      const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
        ['tinte', ['de'], ['long', 'short']],
        ['tinte', ['en'], []],
        ['ink', ['en'], ['long', 'short']],
        ['ink', ['fr~', 'de'], ['long', 'short']],
        ['"shared note"', ['de'], ['plain', 'long', 'short']],
        ['note ink', ['en'], ['long', 'short']],
        ['"note ink"', ['en'], []],
        ['long tex', ['de'], ['long']],
        ['quill', ['en'], ['short']],
        ['quil tinte', ['de'], ['short']],
        ['pen', ['de', 'en'], ['plain']],
      ]
      for (const [text, codes, ids] of cases)
        expect(idsOf(await searchPage(store, { text: inLocales(text, ...codes) })), text).toEqual(ids)
    })

    test('answer their document as it was put, and change with its locales', async ({ store }) => {
      const search = aDocument({ name: 'Quill', passages: localized, locales })
      await write(store, anEntity({ id: 'a', search }))
      const more = { ...search, locales: [...locales, 'fr'] }
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(search)
      expect(idsOf(await searchPage(store, { text: inLocales('quill', 'en') }))).toEqual(['a'])
      await write(store, sameVersion(anEntity({ id: 'a', search }), { search: more }))
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(more)
      expect(idsOf(await searchPage(store, { text: inLocales('quill', 'fr') }))).toEqual(['a'])
    })
  })
}

function scriptLaws(test: StoreTest): void {
  describe('words of other scripts', () => {
    test('are found anywhere in a text without spaces', async ({ store }) => {
      await write(
        store,
        found('japanese', '東京都美術館'),
        found('chinese', '北京大学', '中国的大学在北京'),
        found('thai', 'x', 'ภาษาไทย'),
        found('kana', 'スーパーマーケット'),
      )
      const answers: readonly (readonly [string, readonly string[]])[] = [
        ['東京', ['japanese']],
        ['美術', ['japanese']],
        ['京都美', ['japanese']],
        ['館', ['japanese']],
        ['東京都美術館', ['japanese']],
        ['美術東京', []],
        ['東美', []],
        ['大学', ['chinese']],
        ['京', ['chinese', 'japanese']],
        ['"北京大学"', ['chinese']],
        ['"大学北京"', []],
        ['ไทย', ['thai']],
        ['ーマ', ['kana']],
        ['マーケット', ['kana']],
      ]
      for (const [text, ids] of answers) {
        expect((await seek(store, text)).toSorted(), text).toEqual(ids)
        expect(await find(store, { text }), text).toEqual(ids)
      }
    })

    test('are found next to words with spaces', async ({ store }) => {
      await write(store, found('a', 'iPhone手机壳 15'), found('b', 'iPhone 14'))
      for (const text of ['手机', '机壳', 'iphone 手机', '壳 15', '"iphone手机壳 15"'])
        expect(await seek(store, text), text).toEqual(['a'])
      expect(await seek(store, 'iphone')).toEqual(['b', 'a'])
    })

    test('are found whatever their case, accents, width and ligatures', async ({ store }) => {
      await write(store, found('a', 'ﬁn ΣΊΣΥΦΟΣ Ｗｉｄｅ Ёлка İstanbul'))
      for (const text of ['fin', 'σισυφοσ', 'Σίσυφος', 'wide', 'ＷＩＤＥ', 'елка', 'istanbul', 'ISTANBUL'])
        expect(await seek(store, text), text).toEqual(['a'])
    })

    test('with more than sixty-four letters are found by their beginning', async ({ store }) => {
      await write(store, found('a', 'x'.repeat(65)))
      for (const length of [2, 63, 64, 65, 1000])
        expect(await seek(store, 'x'.repeat(length)), String(length)).toEqual(['a'])
    })
  })
}

function categoryLaws(test: StoreTest): void {
  const term = (words: string, ...categories: readonly string[]): TextTerm => ({
    words: words.split(' '),
    prefix: true,
    categories,
  })
  const inCategories = (id: string, name: string, ...categories: readonly string[]) =>
    anEntity({ id, search: { ...given(name), categories } })

  describe('a term', () => {
    const rows = [
      inCategories('category', 'Boots', 'CATG_1'),
      inCategories('other', 'Boots', 'CATG_10'),
      inCategories('begun', 'Shoehorn'),
      inCategories('whole', 'Shoe', 'CATG_2'),
    ]

    test('matches by one of its categories like by a whole word of the text', async ({ store }) => {
      await write(store, ...rows, found('begun text', 'x', 'shoes'))
      const shoe = { terms: [term('shoe', 'CATG_1', 'CATG_3')] }
      expect(idsOf(await searchPage(store, { text: shoe }))).toEqual([
        'whole',
        'begun',
        'category',
        'begun text',
      ])
    })

    test('matches by a category next to terms that match by words', async ({ store }) => {
      await write(store, ...rows)
      const both = { terms: [term('boo'), term('shoe', 'CATG_1')] }
      expect(idsOf(await searchPage(store, { text: both }))).toEqual(['category'])
      const either = { terms: [term('shoe', 'CATG_2'), term('shoe', 'CATG_2')] }
      expect(idsOf(await searchPage(store, { text: either }))).toEqual(['whole', 'begun'])
    })

    test('matches by a category in lists, too', async ({ store }) => {
      await write(store, ...rows)
      const query = { kind: 'item', archived: false, sort: [], limit: 9, count: true } as const
      const reader = { types: 'all', roles: 'all' } as const
      const text = { terms: [term('shoe', 'CATG_1')] }
      const page = await store.entities.list(main, { ...query, reader, text })
      expect({ ids: idsOf(page), count: page.count }).toEqual({
        ids: ['begun', 'category', 'whole'],
        count: 3,
      })
    })

    test('does not match the id of a category as a word', async ({ store }) => {
      await write(store, ...rows)
      for (const text of ['CATG_1', 'catg', 'catg1', '1']) expect(await seek(store, text), text).toEqual([])
    })
  })
}

function fileLaws(test: StoreTest): void {
  const report = anEntity({ id: 'report', search: { ...given('Report'), file: 'hash' } })

  describe('the text of a file', () => {
    test('counts as text of every entity that names the file', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.texts.put('hash', 'Quarterly figures')
        await tx.entities.put(report, 0)
        await tx.entities.put(anEntity({ id: 'copy', search: aDocument({ file: 'hash' }) }), 0)
        await tx.entities.put(anEntity({ id: 'other', search: aDocument({ file: 'none' }) }), 0)
      })
      expect(await seek(store, 'quarter')).toEqual(['copy', 'report'])
      expect(await seek(store, '"quarterly figures"')).toEqual(['copy', 'report'])
      expect(await find(store, { text: 'figures report' })).toEqual(['report'])
      expect(await seek(store, 'hash')).toEqual([])
    })

    test('is no longer found once the entity names another file', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.texts.put('hash', 'old figures')
        await tx.texts.put('other', 'new numbers')
        await tx.entities.put(report, 0)
      })
      await write(store, nextVersion(report, { search: { ...given('Report'), file: 'other' } }))
      expect([await seek(store, 'figures'), await seek(store, 'numbers')]).toEqual([[], ['report']])
      await write(store, sameVersion(nextVersion(report), { search: given('Report') }))
      expect(await seek(store, 'numbers')).toEqual([])
    })

    test('that arrived after the entity counts from the next write of the entity', async ({ store }) => {
      await write(store, report, found('other', 'Report'))
      await store.transaction((tx) => tx.texts.put('hash', 'figures'))
      await write(store, sameVersion(report))
      expect([await seek(store, 'figures'), await seek(store, 'report')]).toEqual([
        ['report'],
        ['report', 'other'],
      ])
      await write(store, nextVersion(found('other', 'Report'), { search: given('Report', 'x') }))
      await write(store, sameVersion(sameVersion(report)))
      expect(await seek(store, 'report')).toEqual(['other', 'report'])
    })

    test('is stored by the hash of the file, and is never replaced', async ({ store }) => {
      expect(await store.texts.get('hash')).toBeNull()
      await store.transaction(async (tx) => {
        await tx.texts.put('hash', 'first')
        expect(await tx.texts.get('hash')).toBe('first')
        expect(await store.texts.get('hash')).toBeNull()
      })
      await store.transaction((tx) => tx.texts.put('hash', 'second'))
      await store.transaction((tx) => tx.texts.put('empty', ''))
      expect(await store.texts.get('hash')).toBe('first')
      expect(await store.texts.get('empty')).toBe('')
    })

    test('of a megabyte is found by its last word, and reads as it was put', async ({ store }) => {
      const text = `${'Grüße 東京 😀 '.repeat(2 ** 16)}Schluss`
      await store.transaction(async (tx) => {
        await tx.texts.put('hash', text)
        await tx.entities.put(report, 0)
      })
      expect(await seek(store, 'schluss')).toEqual(['report'])
      expect((await store.texts.get('hash')) === text).toBe(true)
    })

    test('is absent after a transaction that was rolled back', async ({ store }) => {
      const undone = store.transaction(async (tx) => {
        await tx.texts.put('hash', 'text')
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect(await store.texts.get('hash')).toBeNull()
    })
  })
}
