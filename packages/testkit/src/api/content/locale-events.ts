import { describe, expect, it } from 'vitest'
import { firstOf } from '../automation/following.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** Which locales events concern. Runs after `localeTests`, which makes the type. */
export function localeEventTests(bench: () => Bench): void {
  describe('events in locales', () => {
    it('say which ones they concern, in streams and to webhooks', async () => {
      const { api, system, scope } = bench()
      const configId = 'told-many'
      await api.repositories.create({ name: configId, settings: { locales } })
      await system.webhooks.create({
        repositoryId: configId,
        name: 'told',
        url: 'https://told.example.com/hook',
        events: ['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_PUBLISHED'],
        payloadSize: 'none',
      })
      const stream = await api.events.stream({ repositories: [configId] })
      const blocks = [{ type: 'prose', text: { en: 'One', de: 'Eins' } }]
      const given = { repositoryId: configId, type: 'story', name: 'Told', locale: '*' }
      const { id } = await api.items.create({
        ...given,
        fields: { title: { en: 'Told', ar: 'قيل' }, blocks },
      })
      const ref = { configId, id }
      await api.items.update({ ...ref, locale: 'de', fields: { title: 'Gesagt' } })
      await api.items.update({
        ...ref,
        locale: '*',
        fields: { title: { ar: null }, blocks: [{ type: 'prose', text: { en: 'One', de: 'Zwei' } }] },
      })
      await api.items.update({ ...ref, fields: { price: 3 } })
      await api.items.update({ ...ref, name: 'Told again' })
      await api.items.update({ ...ref, fields: { title: 'Said' } })
      await api.translations.confirm({ configId, itemId: id, locale: 'de' })
      await api.items.publish({ ...ref, locales: ['de', 'en'] })
      await api.items.archive(ref)
      const all = ['en', 'de', 'de-AT', 'ar']
      const told = [all, ['de'], ['de', 'ar'], all, all, ['en'], ['de'], ['de', 'en'], undefined]
      const events = await firstOf(stream, told.length)
      expect(events.map((event) => event.locales)).toEqual(told)
      await scope.quire.settled()
      const sent = scope.outbound.sent.filter(({ url }) => url.startsWith('https://told.example.com'))
      const headers = sent.map((one) => new Map(one.headers).get('webhook-locales'))
      const expected = told.flatMap((codes) => codes?.join(', ') ?? [])
      expect(headers).toHaveLength(expected.length)
      expect(new Set(headers)).toEqual(new Set(expected))
    })

    it('say nothing of locales where there are none', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'told-plainly' })
      const stream = await api.events.stream({ repositories: ['told-plainly'] })
      await api.items.create({ repositoryId: 'told-plainly', type: 'story', name: 'Plain' })
      expect((await firstOf(stream, 1))[0]).not.toHaveProperty('locales')
    })
  })
}
