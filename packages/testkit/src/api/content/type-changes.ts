import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

/** Changes of content types that have items. */
export function typeChangeTests(bench: () => Bench): void {
  describe('content types that change', () => {
    it('accepts a change that items satisfy, refuses others, and converts items on request', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'migrations' })
      const configId = 'migrations'
      const { id } = await api.types.create({
        name: 'row',
        fields: [
          { name: 'size', kind: 'text' },
          { name: 'note', kind: 'text' },
        ],
      })
      const make = (name: string, fields: Record<string, string>) =>
        api.items.create({ repositoryId: configId, type: 'row', name, fields })
      const [ten, many] = [await make('ten', { size: '10', note: 'n' }), await make('many', { size: 'many' })]
      await api.types.update({
        id,
        fields: [
          { name: 'size', kind: 'text' },
          { name: 'note', kind: 'text' },
          { name: 'more', kind: 'geo' },
        ],
      })
      const fields = [
        { name: 'size', kind: 'integer' as const },
        { name: 'note', kind: 'text' as const },
      ]
      const error = await failing(api.types.update({ id, fields }), 'type_incompatible')
      expect(error.details).toEqual({ count: 2 })
      expect(await api.items.get({ configId, id: ten.id })).toEqual(ten)
      await failing(api.types.update({ id, name: 'line' }), 'type_in_use')
      await api.types.update({ id, fields, migrate: true })
      expect(await api.items.get({ configId, id: ten.id })).toMatchObject({
        currentVersion: 2,
        fields: { size: 10, note: 'n' },
      })
      expect(await api.items.get({ configId, id: many.id })).toMatchObject({ currentVersion: 2, fields: {} })
      expect(await api.items.get({ configId, id: many.id, version: '1' })).toMatchObject({
        fields: { size: 'many' },
      })
      await failing(api.types.delete({ id }), 'type_in_use')
    })

    it('reveals nothing about items that the caller may not read', async () => {
      const { system, as } = bench()
      await system.repositories.create({ name: 'hidden-rows' })
      const field = (settings: object = {}, more: object = {}) => [
        { name: 'size', kind: 'integer' as const, settings, ...more },
      ]
      const { id } = await system.types.create({ name: 'hidden-row', fields: field() })
      const make = (size: number, more: object = {}) =>
        system.items.create({
          repositoryId: 'hidden-rows',
          type: 'hidden-row',
          name: 'Row',
          fields: { size },
          ...more,
        })
      const developer = await as({ bundles: ['bundle.developer'] })
      const seen = await make(10)
      const refused = async (settings: object, more: object = {}) =>
        (await failing(developer.types.update({ id, fields: field(settings, more) }), 'type_incompatible'))
          .details
      expect(await refused({ max: 9 })).toEqual({ count: 1 })
      await developer.types.update({ id, fields: field({ max: 8000 }) })
      await system.types.update({ id, fields: field() })
      const role = await system.roles.create({ name: 'Sees rows' })
      const hidden = await make(7331, { readPerm: [role.id] })
      // The answer is the same with and without a match, even if a readable item has its value.
      await make(7331)
      for (const max of [7330, 7331, 8000]) expect(await refused({ max: Math.max(max, 7331) })).toEqual({})
      expect(await refused({}, { unique: true })).toEqual({})
      expect(await refused({ max: 9 })).toEqual({ count: 2 })
      expect(await system.items.get({ configId: 'hidden-rows', id: hidden.id })).toEqual(hidden)
      expect(await system.items.get({ configId: 'hidden-rows', id: seen.id })).toEqual(seen)
      await developer.types.update({ id, fields: field({ max: 8000 }), migrate: true })
    })

    it('converts the values inside groups and lists one by one', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'conversions' })
      const inner = (names: string[]) => ({ fields: names.map((name) => ({ name, kind: 'text' as const })) })
      const fields = [
        { name: 'seo', kind: 'group' as const, settings: inner(['a', 'b']) },
        { name: 'sizes', kind: 'text' as const, list: true },
      ]
      const { id } = await api.types.create({ name: 'nested', fields })
      const values = { seo: { a: 'kept', b: 'goes' }, sizes: ['1', 'x', '2'] }
      const item = await api.items.create({
        repositoryId: 'conversions',
        type: 'nested',
        name: 'n',
        fields: values,
      })
      const changed = [
        { name: 'seo', kind: 'group' as const, settings: inner(['a']) },
        { name: 'sizes', kind: 'integer' as const, list: true },
      ]
      await api.types.update({ id, fields: changed, migrate: true })
      const converted = await api.items.get({ configId: 'conversions', id: item.id })
      expect(converted.fields).toEqual({ seo: { a: 'kept' }, sizes: [1, 2] })
    })

    it('drops texts that are not valid numbers', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'numbers' })
      const texts = { word: 'xyz', huge: '1e999', blank: ' ', five: '5' }
      const fieldsOf = (kind: 'text' | 'number') => Object.keys(texts).map((name) => ({ name, kind }))
      const { id } = await api.types.create({ name: 'numbered', fields: fieldsOf('text') })
      const made = { repositoryId: 'numbers', type: 'numbered', name: 'n', fields: texts }
      const item = await api.items.create(made)
      await api.types.update({ id, fields: fieldsOf('number'), migrate: true })
      const converted = await api.items.get({ configId: 'numbers', id: item.id })
      expect(converted.fields).toEqual({ five: 5 })
    })

    it('finds by a field as soon as it is searchable', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'searches' })
      const field = (searchable: boolean) => [{ name: 'a', kind: 'text' as const, searchable }]
      const { id } = await api.types.create({ name: 'found', fields: field(false) })
      const item = await api.items.create({
        repositoryId: 'searches',
        type: 'found',
        name: 'n',
        fields: { a: 'zebra' },
      })
      const count = async () => (await api.items.list({ configId: 'searches', text: 'zebra' })).count
      expect(await count()).toBe(0)
      await api.types.update({ id, fields: field(true) })
      expect(await count()).toBe(1)
      await api.types.update({ id, fields: field(false) })
      expect(await count()).toBe(0)
      expect(await api.items.get({ configId: 'searches', id: item.id })).toEqual(item)
    })

    it('finds and orders by a field as soon as it exists, without changing the items', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'came' })
      const configId = 'came'
      const first = { name: 'a', kind: 'text' as const }
      const { id } = await api.types.create({ name: 'came', fields: [first] })
      const make = (name: string, fields: object = {}) =>
        api.items.create({ repositoryId: configId, type: 'came', name, fields: { ...fields } })
      const [old, other] = [await make('old', { a: 'x' }), await make('other')]
      const fields = [
        {
          name: 'seo',
          kind: 'group' as const,
          settings: { fields: [{ name: 'title', kind: 'text' as const }] },
        },
        first,
        { name: 'rank', kind: 'number' as const },
      ]
      await api.types.update({ id, fields })
      const made = await make('new', { rank: 1, seo: { title: 't' } })
      for (const path of ['fields.rank', 'fields.seo.title']) {
        const list = await api.items.list({ configId, sort: `-${path}` })
        expect(list.items.map((item) => item.id)).toEqual([made.id, ...[old.id, other.id].toSorted()])
        expect((await api.items.list({ configId, filter: { [path]: { exists: false } } })).count).toBe(2)
      }
      expect(await api.items.get({ configId, id: old.id })).toEqual(old)
    })

    it('finds published items by a field that was added again', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'back', public: true })
      const configId = 'back'
      const both = (['a', 'b'] as const).map((name) => ({ name, kind: 'text' as const }))
      const { id } = await api.types.create({ name: 'back', fields: both })
      const input = { repositoryId: configId, type: 'back', name: 'n', fields: { a: 'x', b: 'y' } }
      const item = await api.items.create(input)
      await api.items.publish({ configId, id: item.id })
      await api.types.update({ id, fields: both.slice(0, 1), migrate: true })
      await api.types.update({ id, fields: both })
      const { items } = await api.published.items({ configId, filter: { 'fields.b': 'y' } })
      expect(items).toMatchObject([{ id: item.id, fields: { b: 'y' } }])
      expect((await api.items.list({ configId, filter: { 'fields.b': 'y' } })).count).toBe(0)
    })

    it('converts more items than one batch holds', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'many' })
      const fieldsOf = (kind: 'text' | 'number') => [{ name: 'a', kind }]
      const { id } = await api.types.create({ name: 'many', fields: fieldsOf('text') })
      const rows = Array.from({ length: 250 }, (_, index) => ({
        repositoryId: 'many',
        type: 'many',
        name: `n${index}`,
        fields: { a: String(index) },
      }))
      for (const row of rows) await api.items.create(row)
      await api.types.update({ id, fields: fieldsOf('number'), migrate: true })
      const { items } = await api.items.list({ configId: 'many', type: 'many', sort: '-fields.a', limit: 2 })
      expect(items.map(({ fields }) => fields)).toEqual([{ a: 249 }, { a: 248 }])
    })
  })
}
