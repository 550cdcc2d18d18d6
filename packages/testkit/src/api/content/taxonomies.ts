import type { AnswerInfo } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { categoryTests } from './categories.ts'
import { categoryNameTests } from './category-names.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { at, categoriesOf, taxonomiesOf } from './structure-steps.ts'

const configId = 'magazine'
const nowhere = { configId, id: 'TAXO_01JB2Q5K1R3T5W7Y9A1C3E5G7J' }

export function taxonomyTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aTaxonomy = taxonomiesOf(bench)
  const aCategory = categoriesOf(bench)
  const eventsOf = async (id: string) =>
    (await bench().scope.store.journal.read({ after: 0, limit: 1000, entityId: id })).map(
      ({ event }) => event,
    )

  describe('a taxonomy', () => {
    it('is created, found, changed, listed and read in old versions', async () => {
      const { api, scope } = bench()
      const topics = await api.taxonomies.create({
        configId,
        name: 'Topics',
        description: 'What it is about',
      })
      expect(topics).toMatchObject({ name: 'Topics', currentVersion: 1, packageName: null })
      expect(topics.id).toMatch(/^TAXO_/)
      expect(Object.keys(topics)).not.toContain('parentId')
      const before = scope.clock.now()
      scope.clock.advance(1000)
      const renamed = await api.taxonomies.update({ ...at(topics), name: 'Themes' })
      expect(renamed).toMatchObject({ name: 'Themes', description: 'What it is about', currentVersion: 2 })
      expect(await api.taxonomies.update({ ...at(topics), name: 'Themes' })).toEqual(renamed)
      expect(await api.taxonomies.get(at(topics))).toEqual(renamed)
      expect(await api.taxonomies.get({ ...at(topics), at: before })).toEqual(topics)
      await failing(api.taxonomies.get({ ...at(topics), at: 1 }), 'not_found')
      await api.taxonomies.create({ configId, name: 'Another' })
      const first = await api.taxonomies.list({ configId, limit: 1 })
      expect(first).toMatchObject({ count: 2, items: [{ name: 'Another' }] })
      const second = await api.taxonomies.list({ configId, limit: 1, cursor: first.nextCursor ?? '' })
      expect(second).toEqual({ count: 2, items: [renamed] })
      expect(await api.taxonomies.list({ configId, text: 'about' })).toEqual({ count: 1, items: [renamed] })
      expect(await eventsOf(topics.id)).toEqual(['TAXONOMY_CREATED', 'TAXONOMY_UPDATED'])
    })

    it('has a unique name', async () => {
      const { api } = bench()
      const [one, two] = [await aTaxonomy(), await aTaxonomy()]
      await failing(api.taxonomies.create({ configId, name: one.name.toUpperCase() }), 'name_taken')
      await failing(api.taxonomies.update({ ...at(two), name: one.name }), 'name_taken')
      expect(await api.taxonomies.get(at(two))).toEqual(two)
      expect(await invalidAt(api.taxonomies.create({ configId, name: 'a/b' }))).toEqual(['name'])
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      for (const where of [nowhere, { ...nowhere, configId: 'nowhere' }])
        await allFailing(
          [
            api.taxonomies.get(where),
            api.taxonomies.update({ ...where, name: 'x' }),
            api.taxonomies.delete(where),
          ],
          'not_found',
        )
      await allFailing(
        [
          api.taxonomies.list({ configId: 'nowhere' }),
          api.taxonomies.create({ configId: 'nowhere', name: 'x' }),
        ],
        'not_found',
      )
    })

    it('is changed with a current If-Match only, and created once per Idempotency-Key', async () => {
      const { api } = bench()
      const reported: AnswerInfo[] = []
      const create = (name: string) =>
        api.taxonomies.create(
          { configId, name },
          { idempotencyKey: 'a taxonomy once', onAnswer: (about) => void reported.push(about) },
        )
      const once = await create('Once')
      expect(await create('Once')).toEqual(once)
      await failing(create('Twice'), 'idempotency_mismatch')
      const ifMatch = reported[0]?.etag ?? ''
      const changed = await api.taxonomies.update({ ...at(once), name: 'Changed' }, { ifMatch })
      await failing(api.taxonomies.update({ ...at(once), name: 'x' }, { ifMatch }), 'precondition_failed')
      await failing(api.taxonomies.delete(at(once), { ifMatch }), 'precondition_failed')
      expect(await api.taxonomies.get(at(once))).toEqual(changed)
    })
  })

  describe('deleting a taxonomy', () => {
    it('with categories must be requested explicitly, and removes them from their items', async () => {
      const { api, system } = bench()
      const taxonomy = await aTaxonomy()
      const one = await aCategory(taxonomy)
      const two = await aCategory(taxonomy, { parentId: one.id })
      const other = await aCategory(await aTaxonomy())
      const item = await system.items.create(
        anArticle({ name: 'Thrice', categories: [one.id, other.id, two.id] }),
      )
      const { details } = await failing(api.taxonomies.delete(at(taxonomy)), 'referenced')
      expect(details).toEqual({ categories: 2 })
      expect(await api.taxonomies.delete({ ...at(taxonomy), recursive: true, dryRun: true })).toEqual({
        deleted: taxonomy,
        categories: [one, two].map(({ id, name }) => ({ id, name })),
        decategorized: [one, two].map(() => ({ id: item.id, path: 'categories' })),
      })
      expect(await system.items.get({ configId, id: item.id })).toEqual(item)
      await api.taxonomies.delete({ ...at(taxonomy), recursive: true })
      await failing(api.taxonomies.get(at(taxonomy)), 'not_found')
      await failing(api.categories.list({ configId, taxonomyId: taxonomy.id }), 'not_found')
      const { currentVersion, taxonomies = [] } = await system.items.get({ configId, id: item.id })
      expect([currentVersion, taxonomies.length]).toEqual([2, 1])
      expect(await eventsOf(item.id)).toEqual(['ITEM_CREATED', 'ITEM_CATEGORIZED', 'ITEM_DECATEGORIZED'])
      expect(await eventsOf(two.id)).toEqual(['CATEGORY_CREATED', 'CATEGORY_DELETED'])
      expect(await eventsOf(taxonomy.id)).toEqual(['TAXONOMY_CREATED', 'TAXONOMY_DELETED'])
    })

    it('is refused while a content type has a field for it, at any depth', async () => {
      const { api, system, as } = bench()
      const taxonomy = await aTaxonomy()
      const field = { name: 'subject', kind: 'category' as const, settings: { taxonomyId: taxonomy.id } }
      const inner = { name: 'meta', kind: 'group' as const, settings: { fields: [field] } }
      const variants = [{ name: 'box', fields: [inner] }]
      const union = { name: 'boxes', kind: 'union' as const, list: true, settings: { variants } }
      const type = await system.types.create({ name: 'boxed', fields: [union] })
      const { details } = await failing(api.taxonomies.delete(at(taxonomy)), 'referenced')
      expect(details).toEqual({ count: 1, types: ['boxed'] })
      const blind = await as({
        permissions: { global: ['items.read', 'taxonomies.read', 'taxonomies.delete'] },
      })
      expect((await failing(blind.taxonomies.delete(at(taxonomy)), 'referenced')).details).toEqual({
        count: 1,
      })
      expect(await api.taxonomies.get(at(taxonomy))).toEqual(taxonomy)
      await system.types.delete({ id: type.id })
      await blind.taxonomies.delete(at(taxonomy))
    })
  })

  describe('taxonomies in a package', () => {
    it('are visible only there until they are merged', async () => {
      const { api } = bench()
      const { repo, packageName } = await newPackage(api)
      const before = await api.taxonomies.list({ configId })
      const taxonomy = await aTaxonomy({ packageName })
      const category = await aCategory(taxonomy, { packageName })
      expect(await api.taxonomies.list({ configId })).toEqual(before)
      await failing(api.categories.list({ configId, taxonomyId: taxonomy.id }), 'not_found')
      await api.packages.merge({ repo, packageName })
      expect(await api.categories.list({ configId, taxonomyId: taxonomy.id })).toMatchObject({
        items: [{ id: category.id, packageName: null }],
      })
      const there = { ...at(taxonomy), packageName }
      await allFailing(
        [
          api.taxonomies.create({ configId, packageName, name: 'x' }),
          api.taxonomies.update({ ...there, name: 'x' }),
          api.taxonomies.delete({ ...there, recursive: true }),
        ],
        'invalid_state',
      )
    })
  })

  categoryTests(bench)
  categoryNameTests(bench)
}
