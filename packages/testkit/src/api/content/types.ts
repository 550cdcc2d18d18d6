import { describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const gone = 'TYPE_01JB2Q3F2K4M6P8R0T2V4X6Z8B'

/** Content types, their fields and locks. */
export function typeTests(bench: () => Bench): void {
  describe('content types', () => {
    it('creates a type with defaults and finds it by name', async () => {
      const { types } = bench().api
      const type = await types.create({ name: 'blog-post', fields: [{ name: 'title', kind: 'text' }] })
      expect(type).toMatchObject({
        displayName: 'blog-post',
        apiName: 'BlogPost',
        isLocked: false,
        description: '',
      })
      expect(type.fields[0]).toMatchObject({ name: 'title', required: false, list: false, searchable: true })
      expect(await types.get({ id: 'blog-post' })).toEqual(type)
      expect(await types.get({ id: type.id })).toEqual(type)
      expect(await types.list({ name: 'blog-post' })).toEqual({ count: 1, items: [type] })
      expect(await types.list({ name: 'blog%' })).toEqual({ count: 0, items: [] })
    })

    it('refuses names that are in use, and invalid fields', async () => {
      const { types } = bench().api
      await types.create({ name: 'taken' })
      const before = await types.list()
      await failing(types.create({ name: 'taken' }), 'name_taken')
      await failing(types.create({ name: 'other', apiName: 'TAKEN' }), 'name_taken')
      const make = (fields: Parameters<typeof types.create>[0]['fields']) =>
        invalidAt(types.create({ name: 'x', fields }))
      expect(
        await make([
          { name: 'a', kind: 'text' },
          { name: 'a', kind: 'text' },
        ]),
      ).toEqual(['fields'])
      expect(await make([{ name: 'a', kind: 'text', settings: { pattern: '(a' } }])).toEqual([
        'fields.0.settings.pattern',
      ])
      expect(await make([{ name: 'a', kind: 'text', settings: { pattern: '(?=a)' } }])).toEqual([
        'fields.0.settings.pattern',
      ])
      expect(await make([{ name: 'a', kind: 'json', settings: { schema: { pattern: 'x' } } }])).toEqual([
        'fields.0.settings.schema',
      ])
      expect(await make([{ name: 'a', kind: 'integer', default: 'x' }])).toEqual(['fields.0.default'])
      expect(await make([{ name: 'a', kind: 'boolean', unique: true }])).toEqual(['fields.0.unique'])
      expect(await invalidAt(types.create({ name: 'x', settings: { slugFrom: 'nope' } }))).toEqual([
        'settings.slugFrom',
      ])
      expect(
        await invalidAt(
          types.create({ name: 'constructor', fields: [{ name: 'constructor', kind: 'text' }] }),
        ),
      ).toEqual(['fields.0.name'])
      expect(await types.list()).toEqual(before)
    })

    it('matches a pattern in linear time', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'patterns' })
      await api.types.create({
        name: 'slow',
        fields: [{ name: 'a', kind: 'text', settings: { pattern: '^(a+)+$' } }],
      })
      const start = performance.now()
      const input = { repositoryId: 'patterns', type: 'slow', name: 'x', fields: { a: `${'a'.repeat(50)}!` } }
      expect(await invalidAt(api.items.create(input))).toEqual(['fields.a'])
      expect(performance.now() - start).toBeLessThan(1000)
    })

    it('locks and unlocks', async () => {
      const { types } = bench().api
      const { id } = await types.create({ name: 'lockable' })
      expect(await types.lock({ id })).toMatchObject({ isLocked: true })
      await failing(types.update({ id, description: 'x' }), 'type_locked')
      await failing(types.delete({ id }), 'type_locked')
      expect(await types.get({ id })).toMatchObject({ description: '', isLocked: true })
      expect(await types.unlock({ id })).toMatchObject({ isLocked: false })
      expect(await types.update({ id, description: 'x' })).toMatchObject({ description: 'x' })
      await types.delete({ id })
      await failing(types.get({ id }), 'not_found')
    })

    it('refuses a value when its JSON Schema recurses endlessly', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'endless' })
      await api.types.create({
        name: 'endless',
        fields: [{ name: 'a', kind: 'json', settings: { schema: { $ref: '#' } } }],
      })
      const input = { repositoryId: 'endless', type: 'endless', name: 'n', fields: { a: { b: 1 } } }
      expect(await invalidAt(api.items.create(input))).toEqual(['fields.a'])
    })

    it('reports absent types and names in use for changes, too', async () => {
      const { types } = bench().api
      const { id } = await types.create({ name: 'first-name' })
      await types.create({ name: 'second-name' })
      await failing(types.update({ id, name: 'second-name' }), 'name_taken')
      expect(await types.update({ id, name: 'third-name', displayName: 'Third' })).toMatchObject({
        id,
        name: 'third-name',
      })
      await allFailing(
        [
          types.get({ id: gone }),
          types.update({ id: gone }),
          types.delete({ id: gone }),
          types.lock({ id: gone }),
          types.unlock({ id: gone }),
        ],
        'not_found',
      )
    })

    it('pages small lists by cursor', async () => {
      const { types } = bench().api
      const all = await types.list()
      expect(all.nextCursor).toBeUndefined()
      const first = await types.list({ limit: 2 })
      const second = await types.list({ limit: 1000, cursor: first.nextCursor ?? '' })
      expect([...first.items, ...second.items]).toEqual(all.items)
      expect(await invalidAt(types.list({ cursor: '%%%' }))).toEqual(['cursor'])
    })
  })
}
