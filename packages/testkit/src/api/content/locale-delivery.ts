import { describe, expect, it } from 'vitest'
import { invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { configId } from './locales.ts'
import { withLocale } from '@quire/contract'

/** Localized content in GraphQL and as published. Runs after `localeTests`. */
export function localeDeliveryTests(bench: () => Bench): void {
  describe('delivery in locales', () => {
    const execute = async (query: string) => (await bench().api.graphql.execute({ configId, query })).data

    it('reads and writes a locale in GraphQL, and what is below it in the same', async () => {
      const { api } = bench()
      const ink = { title: 'Tinte', seo: { heading: 'Buy ink' } }
      expect(
        await execute(
          '{ stories(locale: "de", filter: { title: { eq: "Tinte" } }) { items { title seo { heading } } count } }',
        ),
      ).toEqual({ stories: { items: [ink], count: 1 } })
      expect(
        await execute(
          '{ de: story(slug: "ink", locale: "de") { title } own: story(slug: "ink", locale: "de", fallback: false) { seo { heading } } en: story(slug: "ink") { title } }',
        ),
      ).toEqual({ de: { title: 'Tinte' }, own: { seo: { heading: null } }, en: { title: 'Ink' } })
      const [item] = (await api.items.list({ configId, filter: { slug: 'ink' } })).items
      const changed = await execute(
        `mutation { updateStory(id: "${item?.id}", locale: "ar", input: { fields: { title: "حبر" } }) { title } }`,
      )
      expect(changed).toEqual({ updateStory: { title: 'حبر' } })
      const { fields } = await api.items.get({ configId, id: item?.id ?? '', locale: '*' })
      expect(fields?.['title']).toEqual({ en: 'Ink', de: 'Tinte', ar: 'حبر' })
      const wrong = async (locale: string) =>
        api.graphql.execute({ configId, query: `{ story(slug: "ink", locale: "${locale}") { title } }` })
      for (const locale of ['fr', '*'])
        expect(await wrong(locale)).toMatchObject({
          errors: [{ extensions: { code: 'invalid', issues: [{ path: 'locale' }] } }],
        })
    })

    it('includes what the locale refers to, and what all of them do', async () => {
      const { api } = bench()
      const fields = [{ name: 'see', kind: 'reference' as const, localized: true }]
      await api.types.create({ name: 'pointer', fields })
      const items: string[] = []
      for (const name of ['One', 'Two']) {
        const { id } = await api.items.create({ repositoryId: configId, type: 'pointer', name })
        items.push(id)
      }
      const [one = '', two = ''] = items
      const see = { en: one, de: two, ar: one }
      const { id } = await api.items.create({
        repositoryId: configId,
        type: 'pointer',
        name: 'Points',
        locale: '*',
        fields: { see },
      })
      const included = async (locale: string) =>
        (await api.items.get({ configId, id, locale, include: ['see'] })).included?.['see']?.map(
          (item) => item.id,
        )
      expect([await included('en'), await included('de')]).toEqual([[one], [two]])
      expect(new Set(await included('*'))).toEqual(new Set(items))
    })

    it('has values of assets, too', async () => {
      const { api } = bench()
      const fields = [{ name: 'alt', kind: 'text' as const, localized: true }]
      await api.types.create({ name: 'photo', fields, settings: { isAsset: true } })
      const file = new File(['A nib'], 'nib.txt', { type: 'text/plain' })
      const given = { configId, type: 'photo', file }
      const german = await api.assets.create({ ...given, locale: 'de', fields: { alt: 'Eine Feder' } })
      expect(german).toMatchObject({ locale: 'de', fields: { alt: 'Eine Feder' } })
      const alt = { en: 'A nib', ar: 'ريشة' }
      const { id } = await api.assets.create({ ...given, locale: '*', fields: { alt } })
      expect((await api.items.get({ configId, id, locale: 'ar' })).fields).toEqual({ alt: alt.ar })
      expect(await invalidAt(api.assets.create({ ...given, locale: 'fr' }))).toEqual(['locale'])
      const begin = (metadata: object) =>
        api.uploads.create({
          length: file.size,
          metadata: { repositoryId: configId, type: 'photo', filename: 'nib.txt', ...metadata },
          file,
        })
      const { itemId } = await begin({ locale: 'de', fields: '{"alt":"Eine Feder"}' })
      expect(await api.items.get({ configId, id: itemId ?? '', locale: '*' })).toMatchObject({
        fields: { alt: { de: 'Eine Feder' } },
      })
      expect(await invalidAt(begin({ locale: 'fr' }))).toEqual(['metadata.locale'])
      await api.repositories.create({ name: 'without' })
      expect(await invalidAt(begin({ locale: 'de', repositoryId: 'without' }))).toEqual(['metadata.locale'])
    })

    it('is read and written with one locale for all calls', async () => {
      const { api } = bench()
      const german = withLocale(api, 'de')
      const { items } = await german.items.list({ configId, filter: { 'fields.title': 'Tinte' } })
      expect(items.map(({ name }) => name)).toEqual(['Ink'])
      const ref = { configId, id: items[0]?.id ?? '' }
      expect(await german.items.get(ref)).toMatchObject({ locale: 'de', fields: { title: 'Tinte' } })
      expect(await german.items.get({ ...ref, locale: 'en' })).toMatchObject({ locale: 'en' })
      expect(await german.repositories.get({ id: configId })).toEqual(
        await api.repositories.get({ id: configId }),
      )
    })

    it('reads what is published in a locale', async () => {
      const { api } = bench()
      const published = await api.items.create({
        repositoryId: configId,
        type: 'story',
        name: 'Published',
        slug: 'published',
        locale: '*',
        fields: { title: { en: 'One', de: 'Eins', 'de-AT': 'Oans', ar: 'واحد' }, price: 1 },
      })
      const ref = { configId, id: published.id }
      await api.items.publish(ref)
      await api.items.update({ ...ref, locale: 'de', fields: { title: 'Zwei' } })
      expect(await api.published.item({ ...ref, locale: 'de' })).toMatchObject({
        locale: 'de',
        fields: { title: 'Eins', price: 1 },
      })
      const listed = async (input: object) =>
        (await api.published.items({ configId, ...input })).items.map(({ fields }) => fields?.['title'])
      expect(await listed({ locale: 'ar', filter: { 'fields.title': 'واحد' } })).toEqual(['واحد'])
      expect(await listed({ locale: 'de', filter: { 'fields.title': 'Zwei' } })).toEqual([])
      expect(await listed({ text: 'eins', locale: 'de' })).toEqual(['Eins'])
      expect(await listed({ text: 'eins' })).toEqual([])
      expect(
        await invalidAt(api.published.itemBySlug({ configId, slug: 'published', locale: 'xx' })),
      ).toEqual(['locale'])
    })

    it('has the arguments only in repositories with locales', async () => {
      const { api } = bench()
      const query = `{ __type(name: "Query") { fields { name args { name } } } }`
      const argumentsIn = async (repository: string) =>
        JSON.stringify(await api.graphql.execute({ configId: repository, query }))
      expect(await argumentsIn(configId)).toContain('"locale"')
      await api.repositories.create({ name: 'plain' })
      expect(await argumentsIn('plain')).not.toContain('"locale"')
      expect(await invalidAt(api.items.list({ configId: 'plain', locale: 'en' }))).toEqual(['locale'])
      expect(await invalidAt(api.items.list({ configId: 'plain', fallback: false }))).toEqual(['fallback'])
    })
  })
}
