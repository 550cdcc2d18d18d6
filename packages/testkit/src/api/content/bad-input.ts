import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** Invalid input gets a clear 4xx that names the member, and changes nothing. */
export function badInputTests(bench: () => Bench): void {
  describe('bad input', () => {
    beforeAll(() => prepareMagazine(bench().system))

    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    const polluted: unknown = JSON.parse('{"constructor":{"polluted":1}}')

    it.each([
      ['an unknown member', { ...anArticle({ name: 'x' }), nope: 1 }, 'nope'],
      ['a member of the server', { ...anArticle({ name: 'x' }), status: 'published' }, 'status'],
      ['a wrong type', { ...anArticle({ name: 'x' }), name: 7 }, 'name'],
      ['an empty name', anArticle({ name: '  ' }), 'name'],
      ['a long name', anArticle({ name: 'x'.repeat(201) }), 'name'],
      ['a long slug', anArticle({ name: 'x', slug: 'x'.repeat(10_000) }), 'slug'],
      ['a slug with blanks', anArticle({ name: 'x', slug: 'a b' }), 'slug'],
      ['a NUL', anArticle({ name: 'x\0y' }), 'name'],
      ['half a surrogate pair', anArticle({ name: 'x', description: '\ud800' }), 'description'],
      ['a reserved name', { ...anArticle({ name: 'x' }), fields: polluted }, 'fields.constructor'],
      [
        'deep nesting',
        { ...anArticle({ name: 'x' }), fields: { title: nested(100) } },
        `fields.title${'.0'.repeat(62)}`,
      ],
    ])('refuses %s', async (_name, input, path) => {
      const { items } = bench().api
      const before = await items.list({ configId })
      const paths = await invalidAt(items.create(input as Parameters<typeof items.create>[0]))
      expect(paths).toEqual([path])
      expect(await items.list({ configId })).toEqual(before)
    })

    it.each([' CONT_1', 'CONT 1', '__proto__', 'constructor', "' OR 1=1 --", '..%2f', '"'])(
      'finds nothing under the id %j',
      async (id) => {
        await failing(bench().api.items.get({ configId, id }), 'not_found')
        await failing(bench().api.items.getBySlug({ configId, slug: id }), 'not_found')
        await failing(bench().api.items.list({ configId: id }), 'not_found')
      },
    )

    it.each([' FOLD_1', 'FOLD 1', '__proto__', 'constructor', "' OR 1=1 --", '..%2f', '"', 'a b'])(
      'finds no folder, category, reference or query under %j',
      async (id) => {
        const { folders, taxonomies, categories, references, dependencies, activity, admin } = bench().api
        await failing(folders.get({ configId, id }), 'not_found')
        await failing(folders.tree({ configId, parentId: id }), 'not_found')
        await failing(taxonomies.get({ configId, id }), 'not_found')
        await failing(categories.get({ configId, taxonomyId: id, id }), 'not_found')
        await failing(categories.list({ configId, taxonomyId: id }), 'not_found')
        await failing(references.items({ configId, itemId: id }), 'not_found')
        await failing(dependencies.get({ configId, itemId: id }), 'not_found')
        await failing(activity.get({ configId, assetId: id }), 'not_found')
        await failing(admin.index({ id }), 'not_found')
        expect(await folders.list({ configId, parentId: id })).toMatchObject({ count: 0, items: [] })
      },
    )

    it.each([
      ['an empty name', '  ', 'name'],
      ['a slash', 'a/b', 'name'],
      ['a NUL', 'a\0b', 'name'],
      ['a line feed', 'a\nb', 'name'],
      ['a long name', 'x'.repeat(201), 'name'],
      ['half a surrogate pair', '\ud800', 'name'],
    ])('refuses %s for a folder, a taxonomy and a category', async (_name, name, path) => {
      const { folders, taxonomies, categories } = bench().api
      const before = await folders.list({ configId })
      expect(await invalidAt(folders.create({ configId, name }))).toEqual([path])
      expect(await invalidAt(taxonomies.create({ configId, name }))).toEqual([path])
      expect(await invalidAt(categories.create({ configId, taxonomyId: 'TAXO_1', name }))).toEqual([path])
      expect(await folders.list({ configId })).toEqual(before)
    })

    it.each([0, -1, 1.5])('refuses version %d', async (version) => {
      const { items } = bench().api
      expect(await invalidAt(items.restore({ configId, id: 'CONT_1', version }))).toEqual(['version'])
      expect(await invalidAt(items.get({ configId, id: 'CONT_1', version: String(version) }))).toEqual([
        'version',
      ])
    })

    it('refuses too many ids and unknown actions', async () => {
      const { items } = bench().api
      const ids = Array.from({ length: 501 }, (_, index) => `CONT_${index}`)
      expect(await invalidAt(items.bulk({ configId, action: 'publish', ids }))).toEqual(['ids'])
      expect(await invalidAt(items.bulk({ configId, action: 'publish', ids: [] }))).toEqual(['ids'])
      expect(await invalidAt(items.bulk({ configId, action: 'nope' as 'publish', ids: ['CONT_1'] }))).toEqual(
        ['action'],
      )
    })
  })
}
