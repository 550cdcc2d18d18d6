import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { localePackageSteps } from './locale-package-steps.ts'
import { locales } from './locales.ts'

/** Publication in some locales by a package. Runs after `localeTests`, which makes the type. */
export function localePackageTests(bench: () => Bench): void {
  const { configId, create, shown, open, merge, versionsOf } = localePackageSteps(bench)

  describe('publication in locales by a package', () => {
    it('leaves what is public in the other locales as it is', async () => {
      const { api } = bench()
      await api.repositories.create({ name: configId, settings: { locales } })
      const { id } = await create('Ink', { en: 'Ink' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      const english = JSON.stringify(await api.published.item({ configId, id }))
      const packageName = 'german'
      await open(packageName)
      await api.items.update({
        ...ref,
        packageName,
        locale: '*',
        fields: { title: { de: 'Tinte', en: 'Inks' } },
      })
      const staged = await api.items.publish({ ...ref, packageName, locales: ['de'] })
      expect(versionsOf(staged)).toEqual({ en: 1, de: 2 })
      expect(staged.publications).toEqual({
        en: { version: 1, date: expect.any(Number) },
        de: { version: 2, date: expect.any(Number) },
      })
      await merge(packageName)
      expect(await shown(id)).toEqual({ en: 'Ink', de: 'Tinte' })
      expect(JSON.stringify(await api.published.item({ configId, id }))).toBe(english)
      expect(versionsOf(await api.items.get(ref))).toEqual({ en: 1, de: 2 })
    })

    it('publishes a locale of a version that main publishes in another', async () => {
      const { api } = bench()
      const { id } = await create('Quill', { en: 'Quill', ar: 'ريشة' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('arabic')
      await api.items.publish({ ...ref, packageName: 'arabic', locales: ['ar'] })
      await merge('arabic')
      expect(await shown(id)).toEqual({ en: 'Quill', ar: 'ريشة' })
      expect(versionsOf(await api.items.get(ref))).toEqual({ en: 1, ar: 1 })
    })

    it('publishes what is new only in the locales that it names, and checks no other', async () => {
      const { api } = bench()
      await open('new')
      const { id } = await create('Pen', { de: 'Feder' }, 'new')
      const ref = { configId, id, packageName: 'new' }
      const { issues } = await failing(api.items.publish({ ...ref, locales: ['en'] }), 'not_publishable')
      expect(issues?.map(({ path }) => path)).toEqual(['fields.title.en'])
      await api.items.publish({ ...ref, locales: ['de'] })
      await merge('new')
      expect(await shown(id)).toEqual({ de: 'Feder' })
    })

    it('says what it publishes again after main has moved on', async () => {
      const { api } = bench()
      const { id } = await create('Nib', { en: 'Nib', de: 'Spitze' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('moved')
      await api.items.update({ ...ref, packageName: 'moved', locale: 'de', fields: { title: 'Feder' } })
      await api.items.publish({ ...ref, packageName: 'moved', locales: ['de'] })
      await api.items.update({ ...ref, fields: { title: 'Nibs' } })
      await api.items.publish({ ...ref, locales: ['en'] })
      await api.packages.sync({ repo: configId, packageName: 'moved' })
      const synced = await api.items.get({ ...ref, packageName: 'moved' })
      expect(synced.fields).toMatchObject({ title: 'Nibs' })
      expect(versionsOf(synced)).toEqual({ en: 2, de: 3 })
      await api.items.update({ ...ref, fields: { title: 'Nibs!' } })
      await merge('moved')
      expect(await shown(id)).toEqual({ en: 'Nibs', de: 'Feder' })
    })

    it('counts an older version under a newer draft as not published', async () => {
      const { api } = bench()
      const { id } = await create('Draft', { en: 'One', de: 'Eins' })
      const ref = { configId, id, packageName: 'draft' }
      await open('draft')
      await api.items.publish({ ...ref, locales: ['de'] })
      await api.items.update({ ...ref, locale: 'de', fields: { title: 'Zwei' } })
      await merge('draft')
      expect(await shown(id)).toEqual({})
    })

    it('publishes everything, and the locales that it names, if the merge is told to', async () => {
      const { api } = bench()
      const { id } = await create('Whole', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('whole')
      await api.items.update({
        ...ref,
        packageName: 'whole',
        locale: '*',
        fields: { title: { en: 'Two', de: 'Zwei' } },
      })
      await api.items.publish({ ...ref, packageName: 'whole', locales: ['de'] })
      await merge('whole', { publish: true })
      expect(await shown(id)).toEqual({ en: 'Two', de: 'Zwei' })
    })

    it('adds locales to those in which it publishes anyway', async () => {
      const { api } = bench()
      const { id } = await create('Added', { en: 'One', de: 'Eins', 'de-AT': 'Eins', ar: 'واحد' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('added')
      await api.items.update({ ...ref, packageName: 'added', fields: { title: 'Two' } })
      await api.items.publish({ ...ref, packageName: 'added' })
      const { publications } = await api.items.publish({ ...ref, packageName: 'added', locales: ['de'] })
      expect(versionsOf({ publications })).toEqual({ en: 2, de: 2 })
      await merge('added')
      expect(await shown(id)).toEqual({ en: 'Two', de: 'Eins' })
    })

    it('publishes nothing in other locales after both sides made the same change', async () => {
      const { api } = bench()
      const { id } = await create('Same', { en: 'One', de: 'Eins' })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      await open('same')
      for (const on of [{ packageName: 'same' }, {}])
        await api.items.update({ ...ref, ...on, fields: { price: 2 } })
      await api.items.publish({ ...ref, locales: ['en'] })
      await api.packages.sync({ repo: configId, packageName: 'same' })
      const staged = await api.items.publish({ ...ref, packageName: 'same', locales: ['de'] })
      expect(Object.keys(staged.publications ?? {}).toSorted()).toEqual(['de', 'en'])
      const published = { ...ref, packageName: 'same', version: 'latestpublished' }
      expect(await api.items.get({ ...published, locale: 'en' })).toMatchObject({ fields: { title: 'One' } })
      await api.items.update({ ...ref, fields: { title: 'Draft' } })
      await merge('same')
      expect(await shown(id)).toEqual({ en: 'One', de: 'Eins' })
    })

    it('leaves what is public if its locale or all locales are gone by then', async () => {
      const { api } = bench()
      const other = 'packaged-once'
      await api.repositories.create({ name: other, settings: { locales } })
      const { id } = await api.items.create({
        repositoryId: other,
        type: 'story',
        name: 'Gone',
        fields: { title: 'One', price: 1 },
      })
      const ref = { configId: other, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      for (const packageName of ['a', 'b']) {
        await api.packages.create({ repo: other, name: packageName })
        await api.items.update({ ...ref, packageName, fields: { price: packageName === 'a' ? 2 : 3 } })
      }
      await api.items.update({ ...ref, locale: 'ar', fields: { title: 'واحد' } })
      await failing(api.items.publish({ ...ref, packageName: 'a', locales: ['ar'] }), 'not_publishable')
      await api.packages.sync({ repo: other, packageName: 'a' })
      await api.items.publish({ ...ref, packageName: 'a', locales: ['ar'] })
      const set = (changed: object | null) =>
        api.repositories.update({ id: other, migrate: true, settings: { locales: changed as never } })
      await set({ ...locales, list: locales.list.filter(({ code }) => code !== 'ar') })
      const before = await api.published.item(ref)
      await api.packages.merge({ repo: other, packageName: 'a' })
      expect(await api.published.item(ref)).toEqual(before)
      expect(versionsOf(await api.items.get(ref))).toEqual({ en: 1 })
    })

    it('takes back only what it publishes itself', async () => {
      const { api } = bench()
      const { id } = await create('Back', { en: 'Back', de: 'Zurück' })
      const ref = { configId, id, packageName: 'back' }
      await api.items.publish({ configId, id, locales: ['en'] })
      await open('back')
      await api.items.publish({ ...ref, locales: ['de'] })
      await failing(api.items.unpublish({ ...ref, locales: ['en'] }), 'invalid_state')
      await failing(api.items.unpublish({ ...ref, locales: ['ar'] }), 'invalid_state')
      expect(versionsOf(await api.items.unpublish({ ...ref, locales: ['de'] }))).toEqual({ en: 1 })
      await merge('back')
      expect(await shown(id)).toEqual({ en: 'Back' })
      expect(await invalidAt(api.items.publish({ ...ref, packageName: 'added', locales: ['fr'] }))).toEqual([
        'locales',
      ])
    })
  })
}
