import type { Api, FieldInput } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'pasts'
const list = ['en', 'de', 'fr'].map((code) => ({ code, name: code }))
const three = { default: 'en', list }
const onlyEnglish = { default: 'en', list: list.slice(0, 1) }

const localized = { localized: true } as const
const fieldsOf = (more: { readonly localized?: true }): FieldInput[] => [
  { name: 'title', kind: 'text', ...more },
  { name: 'data', kind: 'json', ...more },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: { variants: [{ name: 'prose', fields: [{ name: 'text', kind: 'text', ...more }] }] },
  },
]
const valuesOf = (name: string) => ({
  title: { en: `${name} en`, de: `${name} de` },
  data: { en: { secret: name }, de: { shown: name } },
  blocks: [{ type: 'prose', text: { en: `${name} en`, de: `${name} de` } }],
})

/** What was public or deleted before the locales, or the localized fields, have changed. */
export function localePastTests(bench: () => Bench): void {
  describe('versions and items from before a change of locales', () => {
    const create = async (name: string) => {
      const { api } = bench()
      const place = { repositoryId: configId, type: 'past', locale: '*' }
      const { id } = await api.items.create({ ...place, name, fields: valuesOf(name) })
      return { configId, id }
    }
    const publicIn = async (api: Api, ref: { configId: string; id: string }, locale: string) => {
      const { fields } = await api.published.item({ ...ref, locale })
      return fields
    }
    const setLocales = (locales: object | null, migrate = true) =>
      bench().api.repositories.update({
        id: configId,
        settings: { locales: locales as typeof three | null },
        migrate,
      })

    it('show of fields that are localized no more what was public in each locale', async () => {
      const { api, anonymous } = bench()
      await api.repositories.create({ name: configId, public: true, settings: { locales: three } })
      await api.types.create({ name: 'past', fields: fieldsOf(localized) })
      const [head, draft] = [await create('Head'), await create('Draft')]
      for (const ref of [head, draft]) await api.items.publish({ ...ref, locales: ['de'] })
      const next = { title: { en: 'Draft en 2', de: 'Draft de 2' } }
      await api.items.update({ ...draft, locale: '*', fields: next })
      const fields = fieldsOf({})
      await api.types.update({ id: 'past', fields, migrate: true })
      const german = (name: string) => ({
        title: `${name} de`,
        data: { shown: name },
        blocks: [{ type: 'prose', text: `${name} de` }],
      })
      for (const [ref, name] of [[head, 'Head'] as const, [draft, 'Draft'] as const]) {
        expect(await publicIn(anonymous, ref, 'de')).toEqual(german(name))
        await failing(anonymous.published.item({ ...ref, locale: 'en' }), 'not_found')
        const latest = { ...ref, version: 'latestpublished' as const, locale: 'de' }
        expect((await api.items.get(latest)).fields).toEqual(german(name))
      }
      const german2 = { configId, locale: 'de', sort: 'name', filter: { 'fields.title': 'Draft de' } }
      expect((await anonymous.published.items(german2)).items.map(({ id }) => id)).toEqual([draft.id])
      expect((await api.items.get({ ...head, version: '1' })).fields).toMatchObject({ title: 'Head en' })
      await api.items.restore({ ...head, version: 1 })
      expect((await api.items.get(head)).fields).toMatchObject({ title: 'Head en', data: { secret: 'Head' } })
      // A file has what is public, too.
      const file = await (await api.repositories.export({ id: configId })).bytes()
      await api.repositories.create({ name: 'pasts-moved', public: true, settings: { locales: three } })
      await api.repositories.import({ id: 'pasts-moved', file: new Blob([file]) })
      expect(await publicIn(anonymous, { configId: 'pasts-moved', id: draft.id }, 'de')).toEqual(
        german('Draft'),
      )
      await api.types.update({ id: 'past', fields: fields.slice(1), migrate: true })
      expect(JSON.stringify(await publicIn(anonymous, draft, 'de'))).not.toContain('en')
      await api.types.update({ id: 'past', fields: fieldsOf(localized), migrate: true })
      expect(await publicIn(anonymous, draft, 'de')).toEqual(german('Draft'))
    })

    it('show what was public by fallback, and what was localized within or around', async () => {
      const { api, anonymous } = bench()
      const at = 'nested-pasts'
      const [english, german] = list
      const locales = { default: 'en', list: [...(english ? [english] : []), { ...german, fallback: 'en' }] }
      await api.repositories.create({
        name: at,
        public: true,
        settings: { locales: locales as typeof three },
      })
      const seo = (outer: object, inner: object): FieldInput[] => [
        { name: 'title', kind: 'text', ...outer },
        {
          name: 'seo',
          kind: 'group',
          ...outer,
          settings: { fields: [{ name: 'heading', kind: 'text', ...inner }] },
        },
      ]
      const set = (outer: object, inner: object) =>
        api.types.update({ id: 'nested-past', fields: seo(outer, inner), migrate: true })
      await api.types.create({ name: 'nested-past', fields: seo({}, localized) })
      const fields = { title: 'T', seo: { heading: { en: 'E', de: 'SECRET' } } }
      const place = { repositoryId: at, type: 'nested-past', locale: '*' }
      const { id } = await api.items.create({ ...place, name: 'Nested', fields })
      const ref = { configId: at, id }
      await api.items.publish({ ...ref, locales: ['en'] })
      const shown = async (locale: string) => (await anonymous.published.item({ ...ref, locale })).fields
      const expected = { title: 'T', seo: { heading: 'E' } }
      for (const [outer, inner] of [[localized, {}] as const, [{}, localized] as const, [{}, {}] as const]) {
        await set(outer, inner)
        expect(await shown('en')).toEqual(expected)
        await failing(shown('de'), 'not_found')
        const { fields } = await api.items.get({ ...ref, version: '1', locale: 'en' })
        expect(fields).toEqual(expected)
        await api.items.restore({ ...ref, version: 1 })
        expect((await api.items.get({ ...ref, locale: 'en' })).fields).toEqual(expected)
      }
      await set(localized, {})
      const two = await api.items.create({ ...place, name: 'Two', fields: { title: { en: 'Two' } } })
      await api.items.publish({ configId: at, id: two.id })
      await set({}, {})
      const german2 = await anonymous.published.item({ configId: at, id: two.id, locale: 'de' })
      expect(german2.fields).toEqual({ title: 'Two' })
    })

    it('are undeleted in the form of now, and public where they were', async () => {
      const { api, anonymous } = bench()
      const refs = [await create('Everywhere'), await create('German'), await create('Never')]
      const [everywhere, german, never] = refs as [(typeof refs)[0], (typeof refs)[0], (typeof refs)[0]]
      await api.items.publish({ ...everywhere })
      await api.items.publish({ ...german, locales: ['de'] })
      for (const ref of refs) await api.items.delete(ref)
      await setLocales({
        ...three,
        list: [...list.slice(0, 1), ...list.slice(2), { code: 'it', name: 'it' }],
      })
      for (const ref of refs) await api.items.undelete(ref)
      const codes = async (ref: typeof everywhere) =>
        Object.keys((await api.items.get(ref)).publications ?? {})
      expect([await codes(everywhere), await codes(german), await codes(never)]).toEqual([
        ['en', 'fr'],
        [],
        [],
      ])
      expect((await api.items.get({ ...never, locale: '*' })).fields).toMatchObject({
        title: { en: 'Never en' },
        blocks: [{ type: 'prose', text: { en: 'Never en' } }],
      })
      await failing(anonymous.published.item({ ...everywhere, locale: 'it' }), 'not_found')
      for (const ref of refs) await api.items.delete(ref)
      await setLocales(null)
      for (const ref of refs) await api.items.undelete(ref)
      expect(await anonymous.published.item(everywhere)).toMatchObject({ fields: { title: 'Everywhere en' } })
      expect(await api.items.get(never)).toMatchObject({ isPublished: false, fields: { title: 'Never en' } })
      for (const ref of refs) await api.items.delete(ref)
      await setLocales(three)
      for (const ref of refs) await api.items.undelete(ref)
      expect(await codes(everywhere)).toEqual(['en'])
      expect((await api.items.get({ ...german, locale: '*' })).fields).toMatchObject({
        title: { en: 'German en' },
      })
    })

    it('are planned with what is public no more, and need to be told to', async () => {
      const { api, anonymous } = bench()
      const place = { repositoryId: configId, type: 'past' }
      const { id } = await api.items.create({ ...place, name: 'Plain', fields: { title: 'Plain' } })
      const ref = { configId, id }
      await api.items.publish({ ...ref, locales: ['fr'] })
      const german = await api.items.create({ ...place, name: 'Nur', locale: 'de', fields: { title: 'Nur' } })
      await api.items.publish({ configId, id: german.id, locales: ['de'] })
      const plan = await api.repositories.setLocales({ id: configId, locales: onlyEnglish, dryRun: true })
      expect(plan).toEqual({ convert: 1, lose: 1, unpublish: 2, job: null })
      const { details } = await failing(setLocales(onlyEnglish, false), 'invalid_state')
      expect(details).toEqual({ count: 1, lose: 1, unpublish: 2 })
      expect(await publicIn(anonymous, { configId, id: german.id }, 'de')).toEqual({ title: 'Nur' })
      await setLocales(onlyEnglish)
      // No text takes the place of that of another locale.
      const after = await api.items.get({ configId, id: german.id, locale: '*' })
      expect(after.isPublished).toBe(false)
      expect(after.fields).toEqual({})
    })

    it('name the item that a change does not fit', async () => {
      const { api } = bench()
      await api.types.create({
        name: 'coded',
        fields: [{ name: 'code', kind: 'text', unique: true, ...localized }],
      })
      await setLocales(three)
      const coded = async (code: object) => {
        const place = { repositoryId: configId, type: 'coded', name: 'Coded', locale: '*' }
        return (await api.items.create({ ...place, fields: { code: code as { en: string } } })).id
      }
      await coded({ en: 'same' })
      const second = await coded({ de: 'same' })
      const { code, message } = await setLocales(null).then(
        () => ({ code: '', message: '' }),
        (error: { code: string; message: string }) => error,
      )
      expect(code).toBe('value_taken')
      expect(message).toContain(second)
      await api.items.delete({ configId, id: second })
    })

    it('publishes no removed locale of a package, also if it comes back', async () => {
      const { api } = bench()
      const ref = await create('Late')
      await api.packages.create({ repo: configId, name: 'late' })
      await api.items.update({ ...ref, packageName: 'late', locale: 'de', fields: { title: 'Spät' } })
      await api.items.publish({ ...ref, packageName: 'late', locales: ['de'] })
      await setLocales(onlyEnglish)
      expect((await api.items.get({ ...ref, packageName: 'late' })).publications).toBeUndefined()
      await setLocales(three)
      await api.packages.merge({ repo: configId, packageName: 'late' })
      expect(await api.items.get(ref)).toMatchObject({ isPublished: false })
    })
  })
}
