import type { Api, Job } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { configId, locales } from './locales.ts'

/** Changes of locales and of localized fields. Runs after `localeTests`. */
export function localeChangeTests(bench: () => Bench): void {
  describe('changes of locales', () => {
    it('names what is wrong', async () => {
      const { api } = bench()
      const {
        items: [item],
      } = await api.items.list({ configId, filter: { name: 'Ink' } })
      const id = item?.id ?? ''
      expect(await invalidAt(api.items.get({ configId, id, locale: 'fr' }))).toEqual(['locale'])
      expect(await invalidAt(api.items.list({ configId, locale: 'EN' }))).toEqual(['locale'])
      expect(await invalidAt(api.items.get({ configId, id, locale: '*', fallback: true }))).toEqual([
        'fallback',
      ])
      expect(
        await invalidAt(api.items.update({ configId, id, locale: '*', fields: { title: 'plain' } })),
      ).toEqual(['fields.title'])
      expect(
        await invalidAt(api.items.update({ configId, id, locale: '*', fields: { title: { fr: 'Encre' } } })),
      ).toEqual(['fields.title.fr'])
      expect(
        await invalidAt(api.items.update({ configId, id, locale: 'de', fields: { title: { de: 'Tinte' } } })),
      ).toEqual(['fields.title.de'])
      const settings = (changed: object) =>
        invalidAt(
          api.repositories.update({ id: configId, settings: { locales: { ...locales, ...changed } } }),
        )
      expect(await settings({ default: 'fr' })).toEqual(['settings.locales.default'])
      expect(await settings({ list: [...locales.list, { code: 'pt-br', name: 'x' }] })).toEqual([
        'settings.locales.list.4.code',
      ])
      expect(await settings({ list: [...locales.list, { code: 'en', name: 'x' }] })).toEqual([
        'settings.locales.list.4.code',
      ])
      const cycle = [
        { code: 'en', name: 'English', fallback: 'de' },
        { code: 'de', name: 'Deutsch', fallback: 'en' },
      ]
      expect(await settings({ list: cycle })).toEqual(
        [0, 1].map((at) => `settings.locales.list.${at}.fallback`),
      )
      expect(
        await invalidAt(
          api.types.create({
            name: 'nested',
            fields: [
              {
                name: 'outer',
                kind: 'group',
                localized: true,
                settings: { fields: [{ name: 'inner', kind: 'text', localized: true }] },
              },
            ],
          }),
        ),
      ).toEqual(['fields.0.settings.fields.0.localized'])
    })
    it('converts items when locales are switched on, removed and switched off, if told to', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'switched' })
      const on = { repositoryId: 'switched', type: 'story' }
      const { id } = await api.items.create({
        ...on,
        name: 'Old',
        fields: { title: 'Old', blocks: [{ type: 'prose', text: 'Words' }] },
      })
      const ref = { configId: 'switched', id }
      const set = (changed: object | null, migrate?: boolean) =>
        api.repositories.update({
          id: 'switched',
          settings: { locales: changed as typeof locales | null },
          ...(migrate && { migrate }),
        })
      const error = await failing(set(locales), 'invalid_state')
      expect(error.details).toEqual({ count: 1, lose: 0 })
      expect(await invalidAt(api.items.get({ ...ref, locale: 'en' }))).toEqual(['locale'])
      await set(locales, true)
      const blocks = [{ type: 'prose', text: { en: 'Words' } }]
      expect(await api.items.get({ ...ref, locale: '*' })).toMatchObject({
        currentVersion: 2,
        fields: { title: { en: 'Old' }, blocks },
      })
      await api.items.update({ ...ref, locale: 'de', fields: { title: 'Alt' } })
      const found = await api.items.list({
        configId: 'switched',
        locale: 'de-AT',
        filter: { 'fields.title': 'Alt' },
      })
      expect(found.count).toBe(1)
      const without = { ...locales, list: locales.list.filter(({ code }) => !code.startsWith('de')) }
      expect((await failing(set(without), 'invalid_state')).details).toEqual({ count: 1, lose: 1 })
      const [english, ...others] = locales.list
      await set({ ...locales, list: [english, ...others, { code: 'fr', name: 'Français', fallback: 'de' }] })
      expect((await api.items.get({ ...ref, locale: 'fr' })).fields?.['title']).toBe('Alt')
      await failing(set({ ...locales, default: 'de' }), 'invalid_state')
      await set({ ...locales, default: 'de' }, true)
      expect((await api.items.get(ref)).fields?.['title']).toBe('Alt')
      expect(await api.items.get({ ...ref, version: '1', locale: '*' })).toMatchObject({
        currentVersion: 1,
        fields: { title: { de: 'Old' }, blocks: [{ type: 'prose', text: { de: 'Words' } }] },
      })
      await set(null, true)
      expect((await api.items.get({ ...ref, version: '3' })).fields?.['title']).toBe('Old')
      await api.items.restore({ ...ref, version: 3 })
      expect((await api.items.get(ref)).fields?.['title']).toBe('Old')
      await api.items.update({ ...ref, fields: { title: 'Alt' } })
      const { fields: values, ...plain } = await api.items.get(ref)
      expect(values).toEqual({ title: 'Alt', blocks: [{ type: 'prose', text: 'Words' }] })
      expect(Object.keys(plain)).not.toContain('locale')
    })

    it('are made in the background, whole, after a plan that changes nothing', async () => {
      const { api, as } = bench()
      await api.repositories.create({ name: 'planned' })
      const create = (name: string) =>
        api.items.create({ repositoryId: 'planned', type: 'story', name, fields: { title: name } })
      const { id } = await create('One')
      await create('Two')
      const set = async (changed: object | null, dryRun?: boolean) =>
        api.repositories.setLocales({
          id: 'planned',
          locales: changed as typeof locales | null,
          ...(dryRun && { dryRun }),
        })
      expect(await set(locales, true)).toEqual({ convert: 2, lose: 0, unpublish: 0, job: null })
      expect((await api.repositories.get({ id: 'planned' })).settings.locales).toBeUndefined()
      const { job } = await set(locales)
      expect(job).toMatchObject({ kind: 'repository.locales' })
      expect(await endOf(api, job)).toMatchObject({ state: 'succeeded', error: null })
      expect(await set(locales)).toEqual({ convert: null, lose: null, unpublish: null, job: null })
      expect(await api.items.get({ configId: 'planned', id, locale: '*' })).toMatchObject({
        currentVersion: 2,
        fields: { title: { en: 'One' } },
      })
      const [english] = locales.list
      await api.items.update({ configId: 'planned', id, locale: 'de', fields: { title: 'Eins' } })
      expect(await set({ ...locales, list: [english] }, true)).toMatchObject({ convert: 1, lose: 1 })
      await api.packages.create({ repo: 'planned', name: 'autumn' })
      await api.items.update({ configId: 'planned', packageName: 'autumn', id, fields: { title: 'Uno' } })
      expect((await failing(set(null, true), 'invalid_state')).details).toEqual({ count: 1 })
      expect(await set({ ...locales, list: [english] }, true)).toMatchObject({ convert: 2, lose: 2 })
      expect(await invalidAt(set({ ...locales, default: 'fr' }, true))).toEqual(['locales.default'])
      const editor = await as({ bundles: ['bundle.editor'] })
      const stale = { ifMatch: '"REPO_00000000000000000000000000.1"' }
      const without = { id: 'planned', locales: null }
      await failing(api.repositories.setLocales(without, stale), 'precondition_failed')
      const once = { idempotencyKey: 'locales-once' }
      const first = await api.repositories.setLocales(without, once)
      expect((await api.repositories.setLocales(without, once)).job?.id).toBe(first.job?.id)
      expect(await endOf(api, first.job)).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('open packages'),
      })
      const other = { id: 'planned', locales: { default: 'en', list: locales.list.slice(0, 1) } }
      await failing(api.repositories.setLocales(other, once), 'idempotency_mismatch')
      const asked = { ...without, dryRun: true }
      await failing(editor.repositories.setLocales(asked), 'forbidden')
      await failing(api.repositories.setLocales({ ...asked, id: 'nowhere' }), 'not_found')
    })

    it('converts what is copied to a repository with other locales, or with none', async () => {
      const { api } = bench()
      const {
        items: [item],
      } = await api.items.list({ configId, filter: { name: 'Ink' } })
      const ref = { configId, id: item?.id ?? '' }
      const plain = await api.items.copy({ ...ref, repositoryId: 'switched' })
      expect(plain.fields).toMatchObject({ title: 'Ink', seo: { heading: 'Buy ink' } })
      const back = await api.items.copy({ configId: 'switched', id: plain.id, repositoryId: configId })
      expect((await api.items.get({ configId, id: back.id, locale: '*' })).fields?.['title']).toEqual({
        en: 'Ink',
      })
      await api.items.delete({ configId, id: back.id })
    })

    it('converts what is imported into a repository with other locales, or with none', async () => {
      const { api } = bench()
      const move = async (from: string, to: string) => {
        const bytes = await (
          await api.repositories.export({ id: from, query: { filter: { slug: 'ink' } } })
        ).bytes()
        return api.repositories.import({ id: to, file: new Blob([bytes]) })
      }
      await api.repositories.create({ name: 'bare' })
      const list = [
        { code: 'fr', name: 'Français' },
        { code: 'de', name: 'Deutsch' },
      ]
      await api.repositories.create({ name: 'other', settings: { locales: { default: 'fr', list } } })
      const titleIn = async (name: string) =>
        (await api.items.getBySlug({ configId: name, slug: 'ink', ...(name !== 'bare' && { locale: '*' }) }))
          .fields?.['title']
      expect((await move(configId, 'bare')).counts).toMatchObject({ create: 1, convert: 1 })
      expect(await titleIn('bare')).toBe('Ink')
      await move(configId, 'other')
      expect(await titleIn('other')).toEqual({ de: 'Tinte' })
      expect((await move(configId, 'other')).counts).toMatchObject({
        create: 0,
        update: 0,
        convert: 0,
        refuse: 0,
      })
    })

    it('converts the values of a field that becomes localized, or is so no more', async () => {
      const { api } = bench()
      await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
      const create = (repositoryId: string) =>
        api.items.create({ repositoryId, type: 'note', name: 'Note', fields: { text: 'Note' } })
      const [here, plain] = [await create(configId), await create('switched')]
      const set = (localized: boolean, migrate: boolean) =>
        api.types.update({ id: 'note', fields: [{ name: 'text', kind: 'text', localized }], migrate })
      expect((await failing(set(true, false), 'type_incompatible')).details).toEqual({ count: 1 })
      await set(true, true)
      const ref = { configId, id: here.id, locale: '*' }
      expect((await api.items.get(ref)).fields).toEqual({ text: { en: 'Note' } })
      expect(await api.items.get({ configId: 'switched', id: plain.id })).toMatchObject({
        currentVersion: 1,
        fields: { text: 'Note' },
      })
      await api.items.update({ configId, id: here.id, locale: 'de', fields: { text: 'Notiz' } })
      await set(false, true)
      expect((await api.items.get(ref)).fields).toEqual({ text: 'Note' })
    })
  })
}

/** A job once it has ended. */
async function endOf(api: Api, job: Job | null): Promise<Job | undefined> {
  let last: Job | undefined
  for await (const state of await api.queue.watch({ jobId: job?.id ?? '' })) last = state
  return last
}
