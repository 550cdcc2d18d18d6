import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** Items that have a slug in each locale. */
export function localeSlugTests(bench: () => Bench): void {
  describe('a slug in each locale', () => {
    const configId = 'slugs'
    const address = { name: 'address', kind: 'slug' as const, localized: true, unique: true }
    const create = async (slug: string, byLocale: Record<string, string>) => {
      const { api } = bench()
      const given = { repositoryId: configId, type: 'post', name: slug, slug }
      const { id } = await api.items.create({ ...given, locale: '*', fields: { address: byLocale } })
      await api.items.publish({ configId, id })
      return id
    }
    const at = async (slug: string, locale?: string) => {
      const { id } = await bench().api.items.getBySlug({ configId, slug, ...(locale && { locale }) })
      expect((await bench().api.published.itemBySlug({ configId, slug, ...(locale && { locale }) })).id).toBe(
        id,
      )
      return id
    }
    const none = (slug: string, locale: string) =>
      failing(bench().api.items.getBySlug({ configId, slug, locale }), 'not_found')

    it('finds items by what the locale shows, its own before a fallback', async () => {
      const { api } = bench()
      await api.repositories.create({ name: configId, settings: { locales } })
      const settings = { localizedSlug: 'address' }
      expect((await api.types.create({ name: 'post', settings, fields: [address] })).settings).toMatchObject(
        settings,
      )
      const ink = await create('ink', { de: 'tinte', ar: 'hibr' })
      const paper = await create('paper', { en: 'fine-paper', de: 'ink' })
      const plain = await create('plain', {})
      expect(await at('ink')).toBe(ink)
      expect(await at('tinte', 'de')).toBe(ink)
      // Austrian German falls back to German.
      expect(await at('tinte', 'de-AT')).toBe(ink)
      expect(await at('hibr', 'ar')).toBe(ink)
      expect(await at('ink', 'de')).toBe(paper)
      expect(await at('fine-paper', 'en')).toBe(paper)
      expect(await at('plain', 'de')).toBe(plain)
      await none('tinte', 'ar')
      await none('ink', 'ar')
      await none('paper', 'en')
      expect(await api.items.getBySlug({ configId, slug: 'ink', locale: '*' })).toMatchObject({ id: ink })
    })

    it('goes with publication, in GraphQL too', async () => {
      const { api } = bench()
      const id = await create('nib', { de: 'feder' })
      await api.items.update({ configId, id, locale: 'de', fields: { address: 'stahlfeder' } })
      expect((await api.published.itemBySlug({ configId, slug: 'feder', locale: 'de' })).id).toBe(id)
      await failing(api.published.itemBySlug({ configId, slug: 'stahlfeder', locale: 'de' }), 'not_found')
      await none('feder', 'de')
      const query = '{ post(slug: "stahlfeder", locale: "de") { id } }'
      expect(await api.graphql.execute({ configId, query })).toEqual({ data: { post: { id } } })
    })

    it('is unique in its locale, and of a kind', async () => {
      const { api } = bench()
      await create('first', { de: 'erster' })
      await failing(create('second', { de: 'erster' }), 'value_taken')
      await create('third', { ar: 'erster' })
      const wrong = [
        { ...address, unique: false },
        { ...address, kind: 'text' as const },
      ]
      for (const field of wrong)
        expect(
          await invalidAt(
            api.types.create({ name: 'other', settings: { localizedSlug: 'address' }, fields: [field] }),
          ),
        ).toEqual(['settings.localizedSlug'])
    })
  })
}
