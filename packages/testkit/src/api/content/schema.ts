import { defineField, defineSchema, defineType, type Api, type Job } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const heading = defineField({ name: 'heading', kind: 'text', settings: { maxLength: 200 } })

function pressOf(name: string, fields: Parameters<typeof defineType>[0]['fields'], more: object = {}) {
  return defineSchema([defineType({ name, fields, ...more })])
}

/** What a plan says about its changes, without what is empty. */
async function planned(api: Api, input: Parameters<Api['schema']['plan']>[0]) {
  const { changes } = await api.schema.plan(input)
  return changes.map(({ type, kind, fields, convert, lose, needsMigrate }) => ({
    type,
    kind,
    fields: fields.map(({ path, kind: what, from }) =>
      [what, path, ...(from === null ? [] : [from])].join(' '),
    ),
    convert,
    lose,
    needsMigrate,
  }))
}

/** Content types as code. */
export function schemaTests(bench: () => Bench): void {
  describe('schema', () => {
    it('plans and applies content types, and leaves those that it does not name', async () => {
      const { api } = bench()
      await api.types.create({ name: 'by-hand' })
      const schema = defineSchema([
        defineType({ name: 'print', settings: { slugFrom: 'heading' }, fields: [heading] }),
        defineType({ name: 'printer', displayName: 'Printer', fields: [] }),
      ])
      const plan = await api.schema.plan({ types: schema.types })
      expect(plan.changes.map(({ type, kind }) => [type, kind])).toEqual([
        ['print', 'create'],
        ['printer', 'create'],
      ])
      expect(plan).toMatchObject({ applied: false })
      expect(plan.others).toContain('by-hand')
      await failing(api.types.get({ id: 'print' }), 'not_found')
      const applied = await api.schema.apply({ types: schema.types, planId: plan.planId })
      expect(applied).toEqual({ ...plan, applied: true })
      expect(await api.types.get({ id: 'print' })).toMatchObject({
        displayName: 'print',
        apiName: 'Print',
        settings: { slugFrom: 'heading' },
        fields: [{ name: 'heading', kind: 'text', settings: { maxLength: 200 } }],
      })
      expect(await api.schema.plan({ types: schema.types })).toMatchObject({ changes: [] })
      expect((await api.schema.apply({ types: schema.types })).changes).toEqual([])
      await failing(api.schema.apply({ types: schema.types, planId: plan.planId }), 'plan_stale')
    })

    it('reads all types as a schema that changes nothing', async () => {
      const { api } = bench()
      await api.types.create({
        name: 'read-back',
        fields: [{ name: 'n', kind: 'number', settings: { min: 1 } }],
      })
      const { types } = await api.schema.get({})
      expect(types.map(({ name }) => name)).toEqual(types.map(({ name }) => name).toSorted())
      expect(types.find(({ name }) => name === 'read-back')).toMatchObject({ apiName: 'ReadBack' })
      expect(await api.schema.plan({ types, prune: true })).toMatchObject({ changes: [], others: [] })
    })

    it('says what a change does to items, and renames fields with their values', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'presses' })
      const old = [
        heading,
        defineField({ name: 'pages', kind: 'text' }),
        defineField({ name: 'seo', kind: 'group', settings: { fields: [heading] } }),
        defineField({
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: { variants: [{ name: 'quote', fields: [{ name: 'words', kind: 'text' }] }] },
        }),
      ]
      await api.schema.apply(pressOf('press', old))
      const make = (fields: object) =>
        api.items.create({ repositoryId: 'presses', type: 'press', name: 'Press', fields: { ...fields } })
      const item = await make({
        heading: 'Ink',
        pages: '12',
        seo: { heading: 'Seo' },
        blocks: [{ type: 'quote', words: 'Yes' }],
      })
      await make({ heading: 'Paper' })
      await make({ pages: 'many' })
      const schema = pressOf('press', [
        { ...heading, name: 'title', renamedFrom: 'heading' },
        { name: 'pages', kind: 'integer' },
        {
          name: 'seo',
          kind: 'group',
          settings: { fields: [{ ...heading, name: 'title', renamedFrom: 'heading' }] },
        },
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: {
            variants: [{ name: 'quote', fields: [{ name: 'text', kind: 'text', renamedFrom: 'words' }] }],
          },
        },
      ])
      expect(schema.types[0]?.renames).toEqual({
        title: 'heading',
        'seo.title': 'heading',
        'blocks.quote.text': 'words',
      })
      expect(await planned(api, schema)).toEqual([
        {
          type: 'press',
          kind: 'update',
          fields: [
            'rename title heading',
            'update pages',
            'rename seo.title heading',
            'rename blocks.quote.text words',
          ],
          convert: 3,
          lose: 1,
          needsMigrate: true,
        },
      ])
      expect((await failing(api.schema.apply(schema), 'type_incompatible')).details).toEqual({ count: 3 })
      await api.schema.apply({ ...schema, migrate: true })
      expect(await api.items.get({ configId: 'presses', id: item.id })).toMatchObject({
        currentVersion: 2,
        fields: {
          title: 'Ink',
          pages: 12,
          seo: { title: 'Seo' },
          blocks: [{ type: 'quote', text: 'Yes' }],
        },
      })
      expect(await planned(api, schema)).toEqual([])
    })

    it('counts by the index what it counts by reading', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'counted' })
      const wide = [
        defineField({ name: 'size', kind: 'integer' }),
        defineField({ name: 'day', kind: 'date' }),
        defineField({ name: 'tone', kind: 'text', settings: { options: ['dark', 'light', 'none'] } }),
        defineField({ name: 'tags', kind: 'text', list: true }),
        defineField({ name: 'note', kind: 'text' }),
      ] as const
      await api.schema.apply(pressOf('counted', wide))
      for (const [index, tone] of ['dark', 'light', 'none', 'none', null].entries())
        await api.items.create({
          repositoryId: 'counted',
          type: 'counted',
          name: `Item ${index}`,
          fields: {
            size: index,
            day: `2026-01-0${index + 1}`,
            tone,
            tags: index > 2 ? ['a', 'b'] : null,
            note: 'n',
          },
        })
      const [size, day, tone, tags, note] = wide
      const narrow = [
        { ...size, settings: { min: 1, max: 3 } },
        { ...day, settings: { min: '2026-01-02' } },
        { ...tone, settings: { options: ['dark', 'light'] } },
      ] as const
      const effect = async (fields: Parameters<typeof pressOf>[1]) => {
        const [found] = await planned(api, pressOf('counted', fields))
        return [found?.convert, found?.lose]
      }
      expect(await effect([...narrow, tags, note])).toEqual([4, 4])
      expect(await effect([size, day, tone, note])).toEqual([2, 2])
      expect(await effect([size, day, tone, tags, { ...note, name: 'remark', renamedFrom: 'note' }])).toEqual(
        [5, 0],
      )
      // A pattern is beyond the index.
      expect(await effect([...narrow, tags, { ...note, settings: { pattern: '.*' } }])).toEqual([4, 4])
    })

    it('names what is wrong in a schema, and changes nothing', async () => {
      const { api } = bench()
      const bad = pressOf('wrong', [
        { name: 'a', kind: 'text', settings: { pattern: '(' } },
        { name: 'b', kind: 'text', renamedFrom: 'a' },
      ])
      expect(await invalidAt(api.schema.plan(bad))).toEqual([
        'types.0.fields.0.settings.pattern',
        'types.0.renames.b',
      ])
      const good = defineType({ name: 'good', fields: [] })
      const types = [...defineSchema([good]).types, ...bad.types]
      expect(await invalidAt(api.schema.apply({ types }))).toHaveLength(2)
      await failing(api.types.get({ id: 'good' }), 'not_found')
      const twice = defineSchema([good, good])
      expect(await invalidAt(api.schema.plan(twice))).toEqual(['types'])
      const unknown = { name: 'good', renames: { title: 'heading' } }
      expect(await invalidAt(api.schema.plan({ types: [unknown] }))).toEqual(['types.0.renames.title'])
    })

    it('applies all or none: not with a locked type, nor one with items that must go', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'held' })
      const fresh = defineType({ name: 'fresh', fields: [] })
      await api.schema.apply(pressOf('held', []))
      await api.types.lock({ id: 'held' })
      const both = defineSchema([fresh, defineType({ name: 'held', fields: [heading] })])
      const { changes } = await api.schema.plan(both)
      expect(changes.map(({ type, problem }) => [type, problem === null])).toEqual([
        ['fresh', true],
        ['held', false],
      ])
      await failing(api.schema.apply(both), 'type_locked')
      await failing(api.types.get({ id: 'fresh' }), 'not_found')
      await api.types.unlock({ id: 'held' })
      await api.items.create({ repositoryId: 'held', type: 'held', name: 'Kept' })
      const renamed = defineSchema([fresh, defineType({ name: 'kept', renamedFrom: 'held', fields: [] })])
      await failing(api.schema.apply(renamed), 'type_in_use')
      await failing(api.types.get({ id: 'fresh' }), 'not_found')
    })

    it('answers once for an Idempotency-Key, and refuses a GraphQL name that is taken', async () => {
      const { api } = bench()
      const once = { idempotencyKey: 'schema-once' }
      const schema = pressOf('once', [heading])
      const applied = await api.schema.apply(schema, once)
      expect(await api.schema.apply(schema, once)).toEqual(applied)
      await failing(api.schema.apply(pressOf('twice', []), once), 'idempotency_mismatch')
      await failing(api.schema.apply(pressOf('twice', [], { apiName: 'Once' })), 'name_taken')
    })

    it('is compared in the background, for the same caller and content types', async () => {
      const { api, as } = bench()
      const code = { name: 'code', kind: 'text' as const }
      await api.repositories.create({ name: 'tickets' })
      await api.schema.apply(pressOf('ticket', [code]))
      const ticket = (value: string) =>
        api.items.create({ repositoryId: 'tickets', type: 'ticket', name: value, fields: { code: value } })
      for (const value of ['a1', 'b2', '3']) await ticket(value)
      const schema = pressOf('ticket', [{ ...code, settings: { pattern: '[a-z]\\d' } }])
      const once = { idempotencyKey: 'plan-once' }
      const job = await api.schema.startPlan(schema, once)
      await failing(api.schema.startPlan({ types: [] }, once), 'idempotency_mismatch')
      expect(job).toMatchObject({ kind: 'schema.plan', repositoryId: '', finishedAt: null })
      const seen: Job[] = []
      for await (const state of await api.queue.watch({ jobId: job.id })) seen.push(state)
      expect(seen.at(-1)).toMatchObject({ state: 'succeeded' })
      expect(JSON.stringify(seen)).not.toContain('pattern')
      const plan = await api.schema.plan(schema)
      expect(plan.changes).toMatchObject([{ type: 'ticket', convert: 1, lose: 1, needsMigrate: true }])
      // The result of the job is used, although an item was created since.
      await ticket('4')
      expect(await api.schema.plan(schema)).toEqual(plan)
      const other = await as({ bundles: ['bundle.administrator'] })
      expect((await other.schema.plan(schema)).changes).toMatchObject([{ convert: 2 }])
      expect(await api.schema.apply({ ...schema, planId: plan.planId, migrate: true })).toMatchObject({
        applied: true,
      })
      expect((await api.schema.plan(schema)).changes).toEqual([])
      await failing(api.schema.startPlan({ types: [{ name: '9' }] }), 'invalid')
    })

    it('renames and deletes types without items', async () => {
      const { api } = bench()
      await api.schema.apply(pressOf('gazette', [heading]))
      const { id } = await api.types.get({ id: 'gazette' })
      const schema = pressOf('journal', [heading], { renamedFrom: 'gazette' })
      const plan = await api.schema.plan(schema)
      expect(plan.changes).toMatchObject([{ type: 'journal', renamedFrom: 'gazette', kind: 'update' }])
      await api.schema.apply(schema)
      expect(await api.types.get({ id: 'journal' })).toMatchObject({ id })
      expect((await api.schema.plan(schema)).changes).toEqual([])
      const rest = (await api.schema.get({})).types.filter(({ name }) => name !== 'journal')
      expect((await api.schema.plan({ types: rest, prune: true })).changes).toMatchObject([
        { type: 'journal', kind: 'delete', problem: null },
      ])
      await api.schema.apply({ types: rest, prune: true })
      await failing(api.types.get({ id: 'journal' }), 'not_found')
    })
  })
}
