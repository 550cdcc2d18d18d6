import type { Api, FieldInput } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

/** The repository of these tests. */
export const configId = 'many'

/** Its locales. */
export const locales = {
  default: 'en',
  list: [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch', fallback: 'en' },
    { code: 'de-AT', name: 'Deutsch (Österreich)', fallback: 'de' },
    { code: 'ar', name: 'العربية', direction: 'rtl' as const },
  ],
}

const fields: FieldInput[] = [
  { name: 'title', kind: 'text', localized: true, required: true },
  { name: 'sku', kind: 'text', localized: true, unique: true },
  { name: 'price', kind: 'number' },
  { name: 'tags', kind: 'text', list: true, localized: true },
  {
    name: 'seo',
    kind: 'group',
    settings: {
      fields: [
        { name: 'heading', kind: 'text', localized: true },
        { name: 'index', kind: 'boolean' },
      ],
    },
  },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: {
      variants: [
        {
          name: 'prose',
          fields: [
            { name: 'text', kind: 'text', localized: true },
            { name: 'align', kind: 'text' },
          ],
        },
        { name: 'rule', fields: [{ name: 'width', kind: 'integer' }] },
      ],
    },
  },
]

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({ name: 'story', settings: { titleField: 'title', slugFrom: 'title' }, fields })
}

/** Content in several locales. */
export function localeTests(bench: () => Bench): void {
  describe('locales', () => {
    const newStory = (name: string, values: Record<string, unknown> = {}, locale?: string) =>
      bench().api.items.create({
        repositoryId: configId,
        type: 'story',
        name,
        fields: values as never,
        ...(locale !== undefined && { locale }),
      })

    it('stores a localized value by locale, and reads it in one with its fallbacks', async () => {
      const { api } = bench()
      await prepare(api)
      const { id, slug, ...created } = await newStory('Ink', {
        title: 'Ink',
        price: 3,
        seo: { heading: 'Buy ink', index: true },
      })
      expect(slug).toBe('ink')
      expect(created).toMatchObject({
        locale: 'en',
        fields: { title: 'Ink', price: 3, seo: { heading: 'Buy ink', index: true } },
      })
      expect(created.fallbacks).toBeUndefined()
      const german = await api.items.update({
        configId,
        id,
        locale: 'de',
        fields: { title: 'Tinte', price: 4 },
      })
      expect(german).toMatchObject({
        locale: 'de',
        fields: { title: 'Tinte', price: 4, seo: { heading: 'Buy ink', index: true } },
        fallbacks: { 'fields.seo.heading': 'en' },
      })
      expect(await api.items.get({ configId, id, locale: 'de-AT' })).toMatchObject({
        locale: 'de-AT',
        fields: { title: 'Tinte', seo: { heading: 'Buy ink' } },
        fallbacks: { 'fields.title': 'de', 'fields.seo.heading': 'en' },
      })
      const own = await api.items.get({ configId, id, locale: 'de-AT', fallback: false })
      expect(own.fields).toEqual({ price: 4, seo: { index: true } })
      expect(own.fallbacks).toBeUndefined()
      expect((await api.items.get({ configId, id, locale: 'ar' })).fields).toEqual({
        price: 4,
        seo: { index: true },
      })
      const all = await api.items.getBySlug({ configId, slug, locale: '*' })
      expect(all).toMatchObject({
        fields: {
          title: { en: 'Ink', de: 'Tinte' },
          price: 4,
          seo: { heading: { en: 'Buy ink' }, index: true },
        },
      })
      expect(all.locale).toBeUndefined()
      expect((await api.items.get({ configId, id })).fields).toMatchObject({ title: 'Ink', price: 4 })
    })

    it('changes the values of one locale and of no other', async () => {
      const { api } = bench()
      const { id } = await newStory(
        'Paper',
        { title: { en: 'Paper', de: 'Papier' }, tags: { en: ['a', 'b'] } },
        '*',
      )
      await api.items.update({ configId, id, locale: 'ar', fields: { title: 'ورق', tags: ['ا'] } })
      await api.items.update({ configId, id, locale: 'de', fields: { title: null } })
      expect((await api.items.get({ configId, id, locale: '*' })).fields).toEqual({
        title: { en: 'Paper', ar: 'ورق' },
        tags: { en: ['a', 'b'], ar: ['ا'] },
      })
      await api.items.update({ configId, id, locale: '*', fields: { title: { de: 'Papier', ar: null } } })
      expect((await api.items.get({ configId, id, locale: '*' })).fields?.['title']).toEqual({
        en: 'Paper',
        de: 'Papier',
      })
    })

    it('keeps the translations of blocks that are edited, moved and removed', async () => {
      const { api } = bench()
      const prose = (en: string, de: string) => ({ type: 'prose', text: { en, de }, align: 'left' })
      const blocks = [
        prose('The first paragraph', 'Der erste Absatz'),
        { type: 'rule', width: 2 },
        prose('The second one', 'Der zweite'),
      ]
      const { id } = await newStory('Blocks', { title: { en: 'Blocks' }, blocks }, '*')
      await api.items.update({
        configId,
        id,
        fields: {
          blocks: [
            { type: 'prose', text: 'The second one, longer', align: 'right' },
            { type: 'rule', width: 3 },
            { type: 'prose', text: 'Entirely different words' },
          ],
        },
      })
      expect((await api.items.get({ configId, id, locale: '*' })).fields?.['blocks']).toEqual([
        { type: 'prose', text: { en: 'The second one, longer', de: 'Der zweite' }, align: 'right' },
        { type: 'rule', width: 3 },
        { type: 'prose', text: { en: 'Entirely different words' } },
      ])
      const german = await api.items.get({ configId, id, locale: 'de' })
      expect(german.fallbacks).toEqual({ 'fields.title': 'en', 'fields.blocks.2.text': 'en' })
    })

    it('takes the first list of blocks in a locale as a translation of the one that is there', async () => {
      const { api } = bench()
      const prose = (text: string | Record<string, string>) => ({ type: 'prose', text })
      const blocks = [prose({ en: 'First' }), { type: 'rule', width: 2 }, prose({ en: 'Second' })]
      const { id } = await newStory('Untranslated', { title: { en: 'Untranslated' }, blocks }, '*')
      const german = [prose('Erstens'), { type: 'rule', width: 2 }, prose('Zweitens'), prose('Drittens')]
      await api.items.update({ configId, id, locale: 'de', fields: { blocks: german } })
      expect((await api.items.get({ configId, id, locale: '*' })).fields?.['blocks']).toEqual([
        prose({ en: 'First', de: 'Erstens' }),
        { type: 'rule', width: 2 },
        prose({ en: 'Second', de: 'Zweitens' }),
        prose({ de: 'Drittens' }),
      ])
      await api.items.delete({ configId, id })
    })

    it('filters and sorts by the values that the locale shows', async () => {
      const { api } = bench()
      const named = async (input: Parameters<Api['items']['list']>[0]) =>
        (await api.items.list({ type: 'story', sort: 'name', ...input })).items.map(({ name }) => name)
      expect(await named({ configId, filter: { 'fields.title': 'Ink' } })).toEqual(['Ink'])
      expect(await named({ configId, locale: 'de', filter: { 'fields.title': 'Ink' } })).toEqual([])
      expect(await named({ configId, locale: 'de-AT', filter: { 'fields.title': 'Tinte' } })).toEqual(['Ink'])
      expect(await named({ configId, locale: 'de', filter: { 'fields.title': 'Blocks' } })).toEqual([
        'Blocks',
      ])
      expect(
        await named({ configId, locale: 'de', fallback: false, filter: { 'fields.title': 'Blocks' } }),
      ).toEqual([])
      expect(await named({ configId, locale: 'de', sort: '-fields.title' })).toEqual([
        'Ink',
        'Paper',
        'Blocks',
      ])
      expect(await named({ configId, locale: '*', filter: { 'fields.title.de': 'Papier' } })).toEqual([
        'Paper',
      ])
      expect(await named({ configId, locale: 'de', filter: { 'fields.seo.heading': 'Buy ink' } })).toEqual([
        'Ink',
      ])
      const facets = await api.queries.run({ configId, locale: 'ar', facets: ['fields.tags'] })
      expect(facets.facets).toEqual({ 'fields.tags': [{ value: 'ا', count: 1 }] })
    })

    it('searches the words that the locale shows, and marks them', async () => {
      const { api } = bench()
      const found = async (text: string, choice: { locale?: string; fallback?: boolean } = {}) => {
        const answer = await api.queries.run({ configId, text, highlight: true, limit: 10, ...choice })
        const highlights = Object.values(answer.highlights ?? {}).flat()
        return [answer.items.map(({ name }) => name), highlights.map(({ path }) => path)]
      }
      await api.items.create({
        repositoryId: configId,
        type: 'story',
        name: 'Words',
        slug: 'words',
        locale: '*',
        fields: { title: { en: 'Quills', de: 'Federkiele', ar: 'ريشات' }, seo: { heading: { en: 'Plume' } } },
      })
      expect(await found('quill')).toEqual([['Words'], ['fields.title']])
      expect(await found('quill', { locale: 'de' })).toEqual([[], []])
      expect(await found('federkiel')).toEqual([[], []])
      expect(await found('federkiel', { locale: 'de' })).toEqual([['Words'], ['fields.title']])
      expect(await found('federkiel', { locale: 'de-AT' })).toEqual([['Words'], ['fields.title']])
      expect(await found('federkiel', { locale: 'de-AT', fallback: false })).toEqual([[], []])
      expect(await found('ريش', { locale: 'ar' })).toEqual([['Words'], ['fields.title']])
      expect(await found('plume', { locale: 'de-AT' })).toEqual([['Words'], ['fields.seo.heading']])
      expect(await found('plume federkiele', { locale: 'de' })).toEqual([
        ['Words'],
        ['fields.title', 'fields.seo.heading'],
      ])
      expect(await found('"federkiele plume"', { locale: 'de' })).toEqual([[], []])
      expect(await found('federkiel', { locale: '*' })).toEqual([['Words'], ['fields.title.de']])
      expect(await found('words', { locale: 'ar' })).toEqual([['Words'], ['name', 'slug']])
    })

    it('holds a unique value within a locale', async () => {
      const { api } = bench()
      const { id } = await newStory('One', { title: 'One', sku: 'S' })
      const other = await newStory('Two', { title: 'Two', sku: 'S' }, 'de')
      await failing(newStory('Three', { sku: 'S' }), 'value_taken')
      const clash = api.items.update({ configId, id: other.id, locale: '*', fields: { sku: { en: 'S' } } })
      expect((await failing(clash, 'value_taken')).details).toEqual({ path: 'fields.sku.en' })
      for (const one of [id, other.id]) await api.items.delete({ configId, id: one })
    })

    it('publishes only with a value in each locale', async () => {
      const { api } = bench()
      const { id } = await newStory('Whole', { title: 'Whole' })
      const { issues } = await failing(api.items.publish({ configId, id }), 'not_publishable')
      expect(issues).toEqual(
        ['de', 'de-AT', 'ar'].map((code) => ({ path: `fields.title.${code}`, message: 'is required' })),
      )
      await api.items.delete({ configId, id })
    })
  })
}
