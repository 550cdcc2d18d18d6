import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { locales } from './locales.ts'

/** The states of translations. Runs after `localeTests`, which makes the type. */
export function translationTests(bench: () => Bench): void {
  describe('translations', () => {
    const configId = 'translated'

    const create = async (name: string, fields: object) => {
      const { id } = await bench().api.items.create({
        repositoryId: configId,
        type: 'story',
        name,
        locale: '*',
        fields: { ...fields },
      })
      return { configId, id }
    }

    /** The states of an item: `title de outdated`. */
    const statesOf = async (id: string, locale = 'de', on: { packageName?: string } = {}) => {
      const { items } = await bench().api.translations.list({ configId, locale, ...on })
      const item = items.find((one) => one.id === id)
      return Object.fromEntries((item?.translations ?? []).map(({ path, state }) => [path.slice(7), state]))
    }

    const write = (id: string, locale: string, fields: object) =>
      bench().api.items.update({ configId, id, locale, fields: { ...fields } })

    it('are missing, outdated or current, by value', async () => {
      const { api } = bench()
      await api.repositories.create({ name: configId, settings: { locales } })
      const { id } = await create('Ink', {
        title: { en: 'Ink', de: 'Tinte' },
        seo: { heading: { en: 'About ink' } },
        blocks: [
          { type: 'prose', text: { en: 'One', de: 'Eins' } },
          { type: 'prose', text: { en: 'Two', de: 'Zwei' } },
        ],
      })
      const all = {
        title: 'current',
        'seo.heading': 'missing',
        'blocks.0.text': 'current',
        'blocks.1.text': 'current',
      }
      expect(await statesOf(id)).toEqual(all)
      await write(id, 'en', { title: 'Black ink' })
      expect(await statesOf(id)).toEqual({ ...all, title: 'outdated' })
      // Saved without a change.
      await write(id, 'de', { title: 'Tinte' })
      expect(await statesOf(id)).toEqual({ ...all, title: 'outdated' })
      await write(id, 'en', { title: 'Ink' })
      expect(await statesOf(id)).toEqual(all)
      await write(id, 'en', { title: 'Red ink' })
      await write(id, 'de', { title: 'Rote Tinte' })
      expect(await statesOf(id)).toEqual(all)
      // Blocks that move, and one that is edited.
      await write(id, 'en', {
        blocks: [
          { type: 'prose', text: 'Two' },
          { type: 'prose', text: 'One' },
        ],
      })
      expect(await statesOf(id)).toEqual(all)
      await write(id, 'en', {
        blocks: [
          { type: 'prose', text: 'Two and a half' },
          { type: 'prose', text: 'One' },
        ],
      })
      expect(await statesOf(id)).toEqual({ ...all, 'blocks.0.text': 'outdated' })
      await api.items.publish({ configId, id, locales: ['en'] })
      await api.items.archive({ configId, id })
      await api.items.unarchive({ configId, id })
      expect(await statesOf(id)).toEqual({ ...all, 'blocks.0.text': 'outdated' })
      await api.items.restore({ configId, id, version: 1 })
      expect(await statesOf(id)).toEqual(all)
    })

    it('are confirmed without a version, until the source changes again', async () => {
      const { api } = bench()
      const { id } = await create('Pen', { title: { en: 'Pen', de: 'Feder' }, sku: { en: '1', de: '2' } })
      await api.items.publish({ configId, id, locales: ['en', 'de'] })
      await write(id, 'en', { title: 'Fountain pen', sku: '3' })
      await api.items.publish({ configId, id, locales: ['en', 'de'] })
      const before = await api.items.get({ configId, id })
      const shown = JSON.stringify(await api.published.item({ configId, id, locale: 'de' }))
      const ref = { configId, itemId: id, locale: 'de' }
      expect(
        await api.translations.confirm({ ...ref, paths: ['fields.title'], comment: 'Still a pen' }),
      ).toEqual({
        id,
        type: 'story',
        name: 'Pen',
        slug: before.slug,
        version: 2,
        translations: [{ path: 'fields.title', locale: 'de', state: 'current' }],
      })
      expect(await statesOf(id)).toEqual({ title: 'current', sku: 'outdated' })
      expect(await api.items.get({ configId, id })).toEqual(before)
      expect(JSON.stringify(await api.published.item({ configId, id, locale: 'de' }))).toBe(shown)
      const { items: entries } = await api.activity.list({ configId, limit: 1 })
      expect(entries[0]).toMatchObject({ event: 'ITEM_UPDATED', comment: 'Still a pen' })
      await write(id, 'en', { title: 'Pen' })
      expect(await statesOf(id)).toMatchObject({ title: 'outdated' })
      await write(id, 'en', { title: 'Fountain pen' })
      expect(await statesOf(id)).toMatchObject({ title: 'current' })
      await write(id, 'de', { title: 'Stift' })
      await api.items.restore({ configId, id, version: 2 })
      expect(await statesOf(id)).toEqual({ title: 'current', sku: 'outdated' })
      await api.translations.confirm(ref)
      expect(await statesOf(id)).toEqual({ title: 'current', sku: 'current' })
      // There is nothing to confirm.
      const { items: last } = await api.activity.list({ configId, limit: 1 })
      await api.translations.confirm(ref)
      expect((await api.activity.list({ configId, limit: 1 })).items).toEqual(last)
    })

    it('are listed, counted, filtered and faceted by locale and state', async () => {
      const { api, as } = bench()
      const { id } = await create('Nib', { title: { en: 'Nib', de: 'Spitze' } })
      await write(id, 'en', { title: 'Steel nib' })
      const { count, counts, items } = await api.translations.list({ configId, state: ['outdated'] })
      expect(count).toBe(1)
      expect(items).toMatchObject([
        { id, translations: [{ path: 'fields.title', locale: 'de', state: 'outdated' }] },
      ])
      expect(counts).toMatchObject({
        de: { outdated: 1, current: 2, missing: 1 },
        ar: { missing: 3, outdated: 0, current: 0 },
      })
      const one = await api.translations.list({ configId, itemId: id })
      expect(one).toMatchObject({ count: 1, counts: { de: { outdated: 1, current: 0 } } })
      const states = one.items[0]?.translations.map(({ locale, state }) => `${locale}:${state}`)
      expect(states).toEqual(['de:outdated', 'de-AT:missing', 'ar:missing'])
      expect(await api.translations.list({ configId, itemId: 'CONT_NOBODY' })).toMatchObject({ count: 0 })
      const page = await api.translations.list({ configId, locale: 'ar', limit: 2 })
      expect(page.items.map(({ name }) => name)).toEqual(['Ink', 'Nib'])
      const { nextCursor: cursor = '' } = page
      const rest = await api.translations.list({ configId, locale: 'ar', limit: 2, cursor, skipCount: true })
      expect(rest).toMatchObject({ items: [{ name: 'Pen' }] })
      expect(rest).not.toHaveProperty('counts')
      const filter = { translations: 'de:outdated' }
      expect((await api.items.list({ configId, filter })).items.map((item) => item.id)).toEqual([id])
      const { facets } = await api.queries.run({ configId, facets: ['translations'] })
      expect(facets?.['translations']).toContainEqual({ value: 'ar:missing', count: 3 })
      const reader = await as({ bundles: ['bundle.editor'] })
      await api.items.update({ configId, id, readPerm: [(await api.roles.create({ name: 'Penmen' })).id] })
      expect(await reader.translations.list({ configId, locale: 'de' })).toMatchObject({
        count: 2,
        counts: { de: { outdated: 0, current: 2, missing: 1 } },
      })
      expect(await reader.translations.list({ configId, itemId: id })).toMatchObject({ count: 0 })
      await failing(reader.translations.confirm({ configId, itemId: id, locale: 'de' }), 'not_found')
    })

    it('are in GraphQL', async () => {
      const { api } = bench()
      const query =
        '{ stories(filter: { title: { eq: "Steel nib" } }) { items { translations(locale: "de", states: ["outdated"]) { path locale state } } } }'
      const { data } = await api.graphql.execute({ configId, query })
      expect(data).toEqual({
        stories: { items: [{ translations: [{ path: 'fields.title', locale: 'de', state: 'outdated' }] }] },
      })
    })

    it('are of the source that their writer saw', async () => {
      const { api } = bench()
      const { id } = await create('Nib', { title: { en: 'Nib' }, sku: { en: 'N' } })
      await write(id, 'en', { title: 'Gold nib' })
      const fields = { title: 'Feder' }
      await api.items.update({ configId, id, locale: 'de', fields, baseVersion: 1 })
      expect(await statesOf(id)).toEqual({ title: 'outdated', sku: 'missing' })
      await write(id, 'en', { title: 'Nib' })
      expect(await statesOf(id)).toEqual({ title: 'current', sku: 'missing' })
    })

    it('of equal blocks are told apart by their sources', async () => {
      const { api } = bench()
      const block = (en: string, de: string) => ({ type: 'prose', text: { en, de } })
      const { id } = await create('Equal', { blocks: [block('Yes', 'Ja'), block('Yes', 'Ja')] })
      const save = (blocks: ReturnType<typeof block>[]) =>
        api.items.update({ configId, id, locale: '*', fields: { blocks } })
      await save([block('Yes', 'Ja'), block('No', 'Ja')])
      expect(await statesOf(id)).toEqual({ 'blocks.0.text': 'current', 'blocks.1.text': 'outdated' })
      await save([block('Yes', 'Ja'), block('No', 'Ja'), block('Yeah', 'Ja')])
      expect(await statesOf(id)).toEqual({
        'blocks.0.text': 'current',
        'blocks.1.text': 'outdated',
        'blocks.2.text': 'current',
      })
    })

    it('stay when a type changes', async () => {
      const { api } = bench()
      const localized = { kind: 'text', localized: true } as const
      const { id: type } = await api.types.create({
        name: 'migrated',
        fields: [
          { name: 'one', ...localized },
          { name: 'two', ...localized },
          { name: 'inner', kind: 'group', settings: { fields: [{ name: 'three', ...localized }] } },
        ],
      })
      const { id } = await api.items.create({
        repositoryId: configId,
        type: 'migrated',
        name: 'Moved',
        locale: '*',
        fields: {
          one: { en: '1', de: '2' },
          two: { en: 'A', de: 'B' },
          inner: { three: { en: 'C', de: 'D' } },
        },
      })
      await write(id, 'en', { one: '3', inner: { three: 'E' } })
      expect(await statesOf(id)).toEqual({ one: 'outdated', two: 'current', 'inner.three': 'outdated' })
      await api.types.update({
        id: type,
        migrate: true,
        renames: { second: 'two', 'within.third': 'three', within: 'inner' },
        fields: [
          { name: 'one', ...localized, kind: 'number' },
          { name: 'second', ...localized, list: true },
          {
            name: 'within',
            kind: 'group',
            list: true,
            settings: { fields: [{ name: 'third', ...localized }] },
          },
        ],
      })
      expect(await api.items.get({ configId, id, locale: '*' })).toMatchObject({
        fields: { one: { en: 3, de: 2 }, second: { de: ['B'] }, within: [{ third: { en: 'E', de: 'D' } }] },
      })
      const moved = { one: 'outdated', second: 'current', 'within.0.third': 'outdated' }
      expect(await statesOf(id)).toEqual(moved)
      await write(id, 'en', { within: [{ third: 'C' }] })
      expect(await statesOf(id)).toEqual({ ...moved, 'within.0.third': 'current' })
    })

    it('go with items into packages and back', async () => {
      const { api } = bench()
      const { id } = await create('Paper', {
        title: { en: 'Paper', de: 'Papier' },
        sku: { en: 'A', de: 'B' },
      })
      const on = { packageName: 'review' }
      await api.packages.create({ repo: configId, name: on.packageName })
      await write(id, 'en', { title: 'Fine paper', sku: 'C' })
      await api.items.publish({ configId, id, locales: ['en'] })
      await api.translations.confirm({ configId, ...on, itemId: id, locale: 'de', paths: ['fields.title'] })
      expect(await statesOf(id, 'de', on)).toEqual({ title: 'current', sku: 'outdated' })
      expect(await statesOf(id)).toEqual({ title: 'outdated', sku: 'outdated' })
      const { items: differences } = await api.packages.diff({ repo: configId, ...on })
      expect(differences).toMatchObject([{ entity: { id }, changes: [] }])
      await api.translations.confirm({ configId, itemId: id, locale: 'de', paths: ['fields.sku'] })
      await api.packages.sync({ repo: configId, ...on })
      expect(await statesOf(id, 'de', on)).toEqual({ title: 'current', sku: 'current' })
      expect(await statesOf(id)).toEqual({ title: 'outdated', sku: 'current' })
      await api.packages.merge({ repo: configId, ...on })
      expect(await statesOf(id)).toEqual({ title: 'current', sku: 'current' })
      expect(await api.items.get({ configId, id })).toMatchObject({ currentVersion: 2, status: 'published' })
    })

    it('name what is wrong', async () => {
      const { api } = bench()
      const { id } = await create('Blot', { title: { en: 'Blot' }, sku: { en: 'X', de: 'Y' } })
      const ref = { configId, itemId: id, locale: 'de' }
      await api.repositories.create({ name: 'plainly' })
      expect(await invalidAt(api.translations.list({ configId, locale: 'fr' }))).toEqual(['locale'])
      expect(await invalidAt(api.translations.list({ configId, locale: 'en' }))).toEqual(['locale'])
      expect(await invalidAt(api.translations.list({ configId: 'plainly' }))).toEqual(['configId'])
      await failing(api.translations.list({ configId: 'nowhere' }), 'not_found')
      expect(await invalidAt(api.translations.confirm({ ...ref, locale: 'en' }))).toEqual(['locale'])
      expect(
        await invalidAt(api.translations.confirm({ ...ref, paths: ['fields.sku', 'fields.title', 'title'] })),
      ).toEqual(['paths.1', 'paths.2'])
      await failing(api.translations.confirm({ ...ref, itemId: 'CONT_none' }), 'not_found')
      await failing(api.translations.confirm({ ...ref, baseVersion: 2 }), 'version_conflict')
      await failing(api.translations.confirm(ref, { ifMatch: 'stale' }), 'precondition_failed')
      const once = { idempotencyKey: 'confirm-1' }
      await api.translations.confirm(ref, once)
      await failing(api.translations.confirm({ ...ref, baseVersion: 1 }, once), 'idempotency_mismatch')
      await api.items.update({ configId, id, locale: 'en', fields: { sku: 'Z' } })
      const { id: repositoryId } = await api.repositories.get({ id: configId })
      const rule = await api.autoPackageRules.create({ repositoryId, name: 'Translated', types: ['story'] })
      await failing(api.translations.confirm(ref), 'auto_package_required')
      await api.autoPackageRules.delete({ id: rule.id })
    })
  })
}
