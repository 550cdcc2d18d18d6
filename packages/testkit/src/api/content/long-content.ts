import { limits } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { invalidAt } from '../failing.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const long = `<p>${'word '.repeat(60_000)}</p>`

/** Values that are longer than a save allows. */
export function longContentTests(bench: () => Bench): void {
  let made = 0

  describe('a value that would take long to check', () => {
    beforeAll(() => prepareMagazine(bench().system))

    it('is refused by name, without changing anything', async () => {
      const { api, system } = bench()
      const type = await system.types.create({
        name: `long-${++made}`,
        fields: [
          { name: 'body', kind: 'richText' },
          { name: 'plain', kind: 'text' },
          { name: 'code', kind: 'text', settings: { pattern: '[a-z]+' } },
          { name: 'tags', kind: 'text', list: true },
          { name: 'few', kind: 'text', list: true, maxItems: 2 },
          { name: 'parts', kind: 'richText', list: true },
        ],
      })
      const { id } = await api.items.create({ repositoryId: configId, type: type.name, name: 'Long' })
      const save = (fields: Record<string, unknown>) =>
        invalidAt(api.items.update({ configId, id, fields: fields as never }))
      expect(await save({ body: long })).toEqual(['fields.body'])
      expect(await save({ body: '&'.repeat(limits.richTextMarks + 1) })).toEqual(['fields.body'])
      expect(await save({ parts: ['<p>a</p>', '<'.repeat(limits.richTextMarks + 1)] })).toEqual([
        'fields.parts.1',
      ])
      expect(await save({ plain: 'x'.repeat(limits.text + 1) })).toEqual(['fields.plain'])
      expect(await save({ code: 'x'.repeat(limits.patternText + 1) })).toEqual(['fields.code'])
      expect(await save({ tags: Array<string>(limits.listDefault + 1).fill('x') })).toEqual(['fields.tags'])
      expect(await save({ few: ['a', 'b', 'c'] })).toEqual(['fields.few'])
      expect(await api.items.get({ configId, id })).toMatchObject({ currentVersion: 1, fields: {} })
      const most = {
        code: 'x'.repeat(limits.patternText),
        few: ['a', 'b'],
        tags: Array<string>(1000).fill('x'),
      }
      await api.items.update({ configId, id, fields: most })
    })

    it('is accepted when it is already stored and sent again unchanged', async () => {
      const { api, system } = bench()
      const name = `grown-${++made}`
      const tags = Array.from({ length: 1200 }, (_, index) => `t${index}`)
      const before = [
        { name: 'body', kind: 'text' as const },
        { name: 'tags', kind: 'text' as const, list: true, maxItems: 2000 },
      ]
      const type = await system.types.create({ name, fields: before })
      const fields = { body: long, tags }
      const { id } = await api.items.create({ repositoryId: configId, type: name, name: 'Grown', fields })
      const rich = [
        { name: 'body', kind: 'richText' as const },
        { name: 'tags', kind: 'text' as const, list: true },
      ]
      await system.types.update({ id: type.id, fields: rich })
      await api.items.update({ configId, id, name: 'Still', fields: { body: long, tags } })
      expect(await api.items.validate({ configId, id })).toEqual({ valid: true, issues: [] })
      await api.items.update({ configId, id, fields: { tags: tags.slice(1) } })
      expect(await invalidAt(api.items.update({ configId, id, fields: { tags } }))).toEqual(['fields.tags'])
      expect(await invalidAt(api.items.update({ configId, id, fields: { body: `${long}!` } }))).toEqual([
        'fields.body',
      ])
      await api.items.update({ configId, id, fields: { body: '<p>short</p>', tags: [] } })
      await api.items.restore({ configId, id, version: 2 })
      expect((await api.items.get({ configId, id })).fields).toEqual(fields)
      const copied = await api.items.copy({ configId, id })
      expect(copied.fields).toEqual(fields)
    })
  })
}
