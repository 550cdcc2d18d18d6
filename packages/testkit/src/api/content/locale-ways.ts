import type { Api, FieldInput } from '@quire/contract'
import { withLocale } from '@quire/contract/locales'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

const configId = 'located'
const at = { configId, type: 'sign' } as const

/** Every way to read and write that is not one item: each takes a locale, too. */
export function localeWayTests(bench: () => Bench): void {
  describe('locales in saved queries, rows, GraphQL and validation', () => {
    it('a saved query runs in its locale, or in that of the call', async () => {
      const { api } = bench()
      await prepare(api)
      const parameters = [{ name: 'lang', kind: 'text' as const }]
      const query = { locale: 'de', filter: { 'fields.title': 'Tinte' }, facets: ['fields.title'] }
      await api.savedQueries.create({ configId, name: 'german', query })
      await api.savedQueries.create({
        configId,
        name: 'any',
        query: { ...query, locale: { $param: 'lang' }, fallback: false },
        parameters,
      })
      const german = await api.queries.runSaved({ configId, name: 'german' })
      expect(german).toMatchObject({ count: 1, facets: { 'fields.title': [{ value: 'Tinte', count: 1 }] } })
      expect(german.items[0]).toMatchObject({ locale: 'de', fields: { title: 'Tinte' } })
      expect((await api.queries.runSaved({ configId, name: 'german', locale: 'en' })).count).toBe(0)
      expect((await withLocale(api, 'en').queries.runSaved({ configId, name: 'german' })).count).toBe(0)
      const any = (lang: string) => api.queries.runSaved({ configId, name: 'any', parameters: { lang } })
      expect([(await any('de')).count, (await any('de-AT')).count, (await any('en')).count]).toEqual([
        1, 0, 0,
      ])
      expect(await invalidAt(any('xx'))).toEqual(['locale'])
      expect(await invalidAt(api.queries.runSaved({ configId, name: 'german', locale: 'xx' }))).toEqual([
        'locale',
      ])
    })

    it('GraphQL publishes in the locales that it names', async () => {
      const { api } = bench()
      const id = await idOf(api, 'ink')
      const publicIn = async () => {
        const { publications, isPublished } = await api.items.get({ configId, id })
        return publications ? Object.keys(publications) : isPublished
      }
      const execute = (query: string) => api.graphql.execute({ configId, query })
      await execute(`mutation { publishSign(id: "${id}", locales: ["de"], locale: "de") { title } }`)
      expect(await publicIn()).toEqual(['de'])
      await execute(`mutation { publishSign(id: "${id}", locales: ["en"]) { title } }`)
      await execute(`mutation { unpublishSign(id: "${id}", locales: ["de"]) { title } }`)
      expect(await publicIn()).toEqual(['en'])
      const wrong = await execute(`mutation { publishSign(id: "${id}", locales: ["xx"]) { title } }`)
      expect(JSON.stringify(wrong.errors)).toContain('xx')
      await execute(`mutation { unpublishSign(id: "${id}") { title } }`)
      expect(await publicIn()).toBe(false)
    })

    it('validation is that of the locales that are to be published', async () => {
      const { api } = bench()
      const id = await idOf(api, 'ink')
      expect(await api.items.validate({ configId, id, locales: ['en', 'de'] })).toEqual({
        valid: true,
        issues: [],
      })
      expect((await api.items.validate({ configId, id })).issues.map(({ path }) => path)).toEqual([
        'fields.title.de-AT',
        'fields.title.ar',
      ])
      expect(await invalidAt(api.items.validate({ configId, id, locales: ['xx'] }))).toEqual(['locales'])
    })

    it('rows are read and written in one locale, and published there', async () => {
      const { api } = bench()
      const columns = { Slug: 'slug', Title: 'fields.title', Price: 'fields.price' }
      const read = async (locale: string, fallback?: boolean) => {
        const asked = { ...at, columns, sort: 'slug', locale, ...(fallback === false && { fallback }) }
        const lines = new TextDecoder().decode(await (await api.items.exportRows(asked)).bytes())
        return lines
          .trimEnd()
          .split('\n')
          .map((text) => JSON.parse(text) as object)
      }
      expect(await read('de')).toEqual([
        { Slug: 'ink', Title: 'Tinte', Price: 3 },
        { Slug: 'pen', Title: 'Pen', Price: null },
      ])
      expect(await read('de', false)).toMatchObject([{ Title: 'Tinte' }, { Title: null }])
      const file = new File(['Slug,Title\nink,Tinte\npen,Pen\n'], 'rows.csv', { type: 'text/csv' })
      const given = {
        ...at,
        columns: { Slug: 'slug', Title: 'fields.title' },
        key: 'slug',
        locale: 'de',
        publish: true,
      }
      // The pen had its English name there, which is none of its own.
      expect(await api.items.importRows({ ...given, file })).toMatchObject({ update: 1, refuse: 0 })
      expect(await read('de', false)).toMatchObject([{ Title: 'Tinte' }, { Title: 'Pen' }])
      expect(await read('en')).toMatchObject([{ Title: 'Ink' }, { Title: 'Pen' }])
      const pen = await api.items.get({ configId, id: await idOf(api, 'pen') })
      expect(Object.keys(pen.publications ?? {})).toEqual(['de'])
      // Nothing is changed, and everything is published there.
      expect(await api.items.importRows({ ...given, file })).toMatchObject({ update: 0, unchanged: 2 })
      const ink = await api.items.get({ configId, id: await idOf(api, 'ink') })
      expect(Object.keys(ink.publications ?? {})).toEqual(['de'])
      expect(await invalidAt(api.items.importRows({ ...given, locale: 'xx', file }))).toEqual(['locale'])
      expect(await invalidAt(api.items.exportRows({ ...at, locale: '*' }))).toEqual(['locale'])
    })

    it('a key of one locale imports rows there, and nowhere else', async () => {
      const { api, as } = bench()
      const { id } = await api.repositories.get({ id: configId })
      const desk = await as({
        bundles: ['bundle.viewer'],
        permissions: { repos: { [`${id}:sign@ar`]: ['items.update'] } },
      })
      const file = new File(['slug,fields.title\nink,حبر\n'], 'rows.csv', { type: 'text/csv' })
      const given = { ...at, key: 'slug', file }
      expect(await desk.items.importRows({ ...given, locale: 'ar' })).toMatchObject({ update: 1 })
      expect(await desk.items.importRows({ ...given, locale: 'de' })).toMatchObject({ update: 0, refuse: 1 })
      expect(await desk.items.importRows(given)).toMatchObject({ update: 0, refuse: 1 })
      const item = await api.items.get({ configId, id: await idOf(api, 'ink'), locale: '*' })
      expect(item.fields?.['title']).toEqual({ en: 'Ink', de: 'Tinte', ar: 'حبر' })
    })

    it('any JSON is converted when its field becomes localized, or is so no more', async () => {
      const { api } = bench()
      const field = { name: 'data', kind: 'json' as const }
      await api.types.create({ name: 'datum', fields: [field] })
      const values = [{ k: 1 }, { en: 1 }, { de: { x: 1 } }, {}, 'text']
      for (const [index, data] of values.entries())
        await api.items.create({
          repositoryId: configId,
          type: 'datum',
          name: 'Datum',
          slug: `datum-${index}`,
          fields: { data },
        })
      const set = (localized: boolean, migrate: boolean) =>
        api.types.update({ id: 'datum', fields: [{ ...field, localized }], migrate })
      const read = async (locale?: string) => {
        const asked = { configId, type: 'datum', sort: 'slug', ...(locale !== undefined && { locale }) }
        return (await api.items.list(asked)).items.map(({ fields }) => fields?.['data'])
      }
      expect((await failing(set(true, false), 'type_incompatible')).details).toEqual({ count: 5 })
      await set(true, true)
      expect(await read('*')).toEqual(values.map((data) => ({ en: data })))
      expect(await read()).toEqual(values)
      expect((await failing(set(false, false), 'type_incompatible')).details).toEqual({ count: 5 })
      await set(false, true)
      expect(await read()).toEqual(values)
    })

    it('values that were by locale by hand stay so', async () => {
      const { api } = bench()
      const text = (name: string) => ({ name, kind: 'text' as const })
      const plain = { name: 'word', kind: 'group' as const, settings: { fields: [text('en'), text('de')] } }
      const localized = { ...text('word'), localized: true }
      const made = await api.types.create({ name: 'word', fields: [plain] })
      const word = { en: 'Ink', de: 'Tinte' }
      const item = { repositoryId: configId, type: 'word', name: 'Word', fields: { word } }
      const { id } = await api.items.create(item)
      for (const migrate of [false, true])
        for (const field of [localized, plain]) {
          await api.types.update({ id: made.id, fields: [field], migrate })
          expect((await api.items.get({ configId, id, locale: '*' })).fields).toEqual({ word })
        }
    })

    it('values go along when a field is renamed in the same change, or the localized one is another', async () => {
      const { api } = bench()
      const text = (name: string, localized: boolean) => ({ name, kind: 'text' as const, localized })
      const group = (localized: boolean, inner: FieldInput[]) =>
        ({ name: 'group', kind: 'group', localized, settings: { fields: inner } }) as const
      const made = await api.types.create({
        name: 'moved',
        fields: [text('title', false), group(false, [text('word', true)])],
      })
      const { id } = await api.items.create({
        repositoryId: configId,
        type: 'moved',
        name: 'Moved',
        locale: '*',
        fields: { title: 'Ink', group: { word: { en: 'Ink', de: 'Tinte' } } },
      })
      const after = async (fields: FieldInput[], renames = {}) => {
        await api.types.update({ id: made.id, fields, renames, migrate: true })
        return (await api.items.get({ configId, id, locale: '*' })).fields
      }
      const renamed = [text('heading', true), group(false, [text('term', false)])]
      expect(await after(renamed, { heading: 'title', 'group.term': 'word' })).toEqual({
        heading: { en: 'Ink' },
        group: { term: 'Ink' },
      })
      const outer = [text('title', false), group(true, [text('term', false)])]
      expect(await after(outer, { title: 'heading' })).toEqual({
        title: 'Ink',
        group: { en: { term: 'Ink' } },
      })
      const inner = [text('title', false), group(false, [text('term', true)])]
      expect(await after(inner)).toEqual({ title: 'Ink', group: { term: { en: 'Ink' } } })
      expect(await after(outer)).toEqual({ title: 'Ink', group: { en: { term: 'Ink' } } })
    })
  })
}

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({
    name: 'sign',
    fields: [
      { name: 'title', kind: 'text', localized: true, required: true },
      { name: 'price', kind: 'number' },
    ],
  })
  const made = { repositoryId: configId, type: 'sign', locale: '*' } as const
  const title = { en: 'Ink', de: 'Tinte' }
  await api.items.create({ ...made, name: 'Ink', slug: 'ink', fields: { title, price: 3 } })
  await api.items.create({ ...made, name: 'Pen', slug: 'pen', fields: { title: { en: 'Pen' } } })
}

async function idOf(api: Api, slug: string): Promise<string> {
  return (await api.items.getBySlug({ configId, slug })).id
}
