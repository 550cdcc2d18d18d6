import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** What is public in each locale. Runs after `localeTests`, which makes the type. */
export function localePublicationTests(bench: () => Bench): void {
  describe('publication in locales', () => {
    const configId = 'public-many'
    const codes = ['en', 'de', 'de-AT', 'ar']

    const create = (name: string, title: Record<string, string>, price = 1) =>
      bench().api.items.create({
        repositoryId: configId,
        type: 'story',
        name,
        locale: '*',
        fields: { title, price },
      })

    /** What everybody sees of an item in each locale; null: nothing. */
    const shown = async (id: string) => {
      const { api } = bench()
      const one = async (locale: string) => {
        try {
          return JSON.stringify(await api.published.item({ configId, id, locale }))
        } catch {
          return null
        }
      }
      const listed = async (locale: string) => {
        const { items } = await api.published.items({ configId, locale, filter: { id } })
        return items.length === 0 ? null : JSON.stringify(items[0])
      }
      const all = await Promise.all(codes.map(async (code) => [code, await one(code)] as const))
      for (const [code, text] of all) expect(await listed(code), code).toBe(text)
      return Object.fromEntries(all)
    }

    it('publishes in some locales, of which no other changes a byte', async () => {
      const { api } = bench()
      await api.repositories.create({ name: configId, settings: { locales } })
      const { id } = await create('Ink', { en: 'Ink' })
      const ref = { configId, id }
      const first = await api.items.publish({ ...ref, locales: ['en'] })
      expect(first).toMatchObject({ status: 'published', publications: { en: { version: 1 } } })
      const english = await shown(id)
      expect(english).toMatchObject({ de: null, 'de-AT': null, ar: null })
      expect(JSON.parse(english['en'] ?? '')).toMatchObject({
        locale: 'en',
        fields: { title: 'Ink', price: 1 },
      })
      await api.items.update({ ...ref, locale: 'de', fields: { title: 'Tinte', price: 2 } })
      const { issues } = await failing(api.items.publish(ref), 'not_publishable')
      expect(issues?.map(({ path }) => path)).toEqual(['fields.title.de-AT', 'fields.title.ar'])
      const second = await api.items.publish({ ...ref, locales: ['de'] })
      expect(second).toMatchObject({
        status: 'draft',
        isPublished: true,
        publications: { en: { version: 1 }, de: { version: 2 } },
      })
      const both = await shown(id)
      expect(both['en']).toBe(english['en'])
      expect(JSON.parse(both['de'] ?? '')).toMatchObject({
        locale: 'de',
        fields: { title: 'Tinte', price: 2 },
      })
      expect(await api.items.get({ ...ref, version: 'latestpublished' })).toMatchObject({ currentVersion: 1 })
      expect(await api.items.get({ ...ref, version: 'latestpublished', locale: 'de' })).toMatchObject({
        currentVersion: 2,
        fields: { price: 2 },
      })
      await failing(api.items.get({ ...ref, version: 'latestpublished', locale: 'ar' }), 'not_found')
      await api.items.publish({ ...ref, locales: ['en'] })
      const whole = await shown(id)
      expect(whole['de']).toBe(both['de'])
      expect(JSON.parse(whole['en'] ?? '')).toMatchObject({ fields: { title: 'Ink', price: 2 } })
      await api.items.update({ ...ref, fields: { price: 3 } })
      expect(await shown(id)).toEqual(whole)
      await api.items.unpublish({ ...ref, locales: ['en'] })
      expect(await shown(id)).toEqual({ ...whole, en: null })
      await failing(api.items.unpublish({ ...ref, locales: ['ar'] }), 'invalid_state')
      expect(await api.items.unpublish(ref)).toMatchObject({ isPublished: false })
      expect(await shown(id)).toEqual({ en: null, de: null, 'de-AT': null, ar: null })
    })

    it('finds in lists and searches only what is public in the locale', async () => {
      const { api } = bench()
      const { id } = await create('Paper', { en: 'Paper', de: 'Papier' }, 10)
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en', 'de'] })
      await api.items.update({
        ...ref,
        locale: '*',
        fields: { title: { en: 'Sheet', de: 'Blatt' }, price: 20 },
      })
      await api.items.publish({ ...ref, locales: ['de'] })
      const found = async (input: object) =>
        (await api.published.items({ configId, ...input })).items.map(({ name }) => name)
      expect(await found({ text: 'paper' })).toEqual(['Paper'])
      expect(await found({ text: 'sheet' })).toEqual([])
      expect(await found({ text: 'blatt', locale: 'de' })).toEqual(['Paper'])
      expect(await found({ text: 'papier', locale: 'de' })).toEqual([])
      expect(await found({ filter: { 'fields.price': 10 } })).toEqual(['Paper'])
      expect(await found({ filter: { 'fields.price': 20 }, locale: 'de' })).toEqual(['Paper'])
      expect(await found({ locale: 'ar' })).toEqual([])
    })

    it('answers with the next public locale if told to', async () => {
      const { api } = bench()
      const { slug } = await create('Chain', { en: 'Chain', de: 'Kette' })
      const item = await api.items.getBySlug({ configId, slug })
      await api.items.publish({ configId, id: item.id ?? '', locales: ['en'] })
      await failing(api.published.itemBySlug({ configId, slug, locale: 'de-AT' }), 'not_found')
      expect(
        await api.published.itemBySlug({ configId, slug, locale: 'de-AT', fallback: true }),
      ).toMatchObject({
        locale: 'en',
        fields: { title: 'Chain' },
      })
      await failing(api.published.itemBySlug({ configId, slug, locale: 'ar', fallback: true }), 'not_found')
      expect(await invalidAt(api.published.itemBySlug({ configId, slug, locale: '*' }))).toEqual(['locale'])
    })

    it('does not publish in a locale that is added later, and forgets one that is removed', async () => {
      const { api } = bench()
      const { id } = await create('Later', { en: 'Later', de: 'Später', 'de-AT': 'Später', ar: 'لاحقا' })
      await api.items.publish({ configId, id })
      const before = await shown(id)
      expect(Object.values(before).every((text) => text !== null)).toBe(true)
      const set = (list: object[]) =>
        api.repositories.update({
          id: configId,
          migrate: true,
          settings: { locales: { ...locales, list: list as never } },
        })
      await set([...locales.list, { code: 'fr', name: 'Français', fallback: 'en' }])
      await failing(api.published.item({ configId, id, locale: 'fr' }), 'not_found')
      expect(await api.published.item({ configId, id, locale: 'fr', fallback: true })).toMatchObject({
        locale: 'en',
      })
      expect(await shown(id)).toEqual(before)
      await set(locales.list.filter(({ code }) => code !== 'ar'))
      expect(await invalidAt(api.published.item({ configId, id, locale: 'ar' }))).toEqual(['locale'])
      await set(locales.list)
      expect(await shown(id)).toEqual({ ...before, ar: null })
    })

    it('keeps what is public when locales are switched on and off', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'once-plain' })
      const { id } = await api.items.create({
        repositoryId: 'once-plain',
        type: 'story',
        name: 'Plain',
        fields: { title: 'Plain' },
      })
      const ref = { configId: 'once-plain', id }
      await api.items.publish(ref)
      const before = await api.published.item(ref)
      await api.items.update({ ...ref, fields: { title: 'Draft' } })
      const set = (changed: typeof locales | null) =>
        api.repositories.update({ id: 'once-plain', migrate: true, settings: { locales: changed } })
      await set(locales)
      expect(await api.published.item(ref)).toEqual({ ...before, locale: 'en' })
      await failing(api.published.item({ ...ref, locale: 'de' }), 'not_found')
      await set(null)
      expect(await api.published.item(ref)).toEqual(before)
    })

    it('ignores the parameters at public addresses of repositories without locales', async () => {
      const { api } = bench()
      const configOfPlain = { configId: 'once-plain' }
      const { items } = await api.published.items(configOfPlain)
      expect(items).toHaveLength(1)
      const chosen = { ...configOfPlain, locale: 'de', fallback: false }
      expect(await api.published.items(chosen)).toEqual(await api.published.items(configOfPlain))
      expect(await api.published.item({ ...chosen, id: items[0]?.id ?? '' })).toEqual(items[0])
    })

    it('names locales that cannot be published', async () => {
      const { api } = bench()
      const { id } = await create('Wrong', { en: 'Wrong' })
      expect(await invalidAt(api.items.publish({ configId, id, locales: ['fr'] }))).toEqual(['locales'])
      expect(await invalidAt(api.items.publish({ configId, id, locales: [] }))).toEqual(['locales'])
      const plain = await api.items.create({
        repositoryId: 'once-plain',
        type: 'story',
        name: 'P',
        fields: { title: 'P' },
      })
      expect(
        await invalidAt(api.items.publish({ configId: 'once-plain', id: plain.id, locales: ['en'] })),
      ).toEqual(['locales'])
    })

    it('at a time to come is that of the locales for which it is scheduled', async () => {
      const { api, scope } = bench()
      const { id } = await create('Soon', { en: 'Soon', de: 'Bald' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await api.items.update({ ...ref, locale: '*', fields: { title: { en: 'Sooner', de: 'Eher' } } })
      const at = scope.clock.now() + 3_600_000
      const later = at + 3_600_000
      await api.items.publish({ ...ref, locales: ['de'], at })
      await api.items.unpublish({ ...ref, locales: ['en'], at: later })
      const seen = async (locale: string, time: number) => {
        const asked = { ...ref, locale, at: time, version: 'latestpublished' as const }
        return (await api.items.get(asked)).fields?.['title']
      }
      await failing(seen('de', at - 1), 'not_found')
      expect([await seen('en', at), await seen('de', at)]).toEqual(['Soon', 'Eher'])
      const then = await api.items.get({ ...ref, at: later })
      expect(then.publications).toEqual({ de: { version: 2, date: at } })
      await failing(seen('en', later), 'not_found')
      expect(await seen('de', later)).toBe('Eher')
      await api.items.publish({ ...ref, at: null })
      // Nothing is public in one of them then.
      await api.items.unpublish({ ...ref, locales: ['de'], at: later })
      expect(await seen('en', later)).toBe('Soon')
      await api.items.unpublish({ ...ref, at: null })
    })
  })
}
