import type { AnswerInfo, Category } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { anEntity } from '../../entity.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { categoriesOf, inTaxonomy, taxonomiesOf } from './structure-steps.ts'

const configId = 'magazine'
const nowhere = 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS'

export function categoryTests(bench: () => Bench): void {
  const aTaxonomy = taxonomiesOf(bench)
  const aCategory = categoriesOf(bench)
  const visibleOf = async (answer: Promise<{ items: { name: string; depth: number }[] }>) =>
    (await answer).items.map(({ name, depth }) => `${depth} ${name}`)

  describe('a category', () => {
    it('is created, found, changed, moved and read in old versions', async () => {
      const { api, scope } = bench()
      const taxonomy = await aTaxonomy()
      const top = await aCategory(taxonomy, { name: 'Materials' })
      const ink = await aCategory(taxonomy, { name: 'Ink', description: 'Black' })
      expect(ink).toMatchObject({
        taxonomyId: taxonomy.id,
        parentId: null,
        order: 0,
        path: [],
        description: 'Black',
      })
      expect(ink.id).toMatch(/^CATG_/)
      const before = scope.clock.now()
      scope.clock.advance(1000)
      const moved = await api.categories.move({ ...inTaxonomy(ink), parentId: top.id, order: 3 })
      expect(moved).toMatchObject({ order: 3, path: [{ id: top.id, name: 'Materials' }], currentVersion: 2 })
      expect(await api.categories.get(inTaxonomy(ink))).toEqual(moved)
      expect(await api.categories.get({ ...inTaxonomy(ink), at: before })).toEqual(ink)
      const other = await aTaxonomy()
      const elsewhere = { ...inTaxonomy(ink), taxonomyId: other.id }
      await failing(api.categories.get({ ...elsewhere, at: before }), 'not_found')
      const ordered = await api.categories.update({ ...inTaxonomy(ink), order: -1 })
      expect(ordered).toMatchObject({ order: -1, currentVersion: 3 })
      expect(await api.categories.update({ ...inTaxonomy(ink), order: -1 })).toEqual(ordered)
    })

    it('has a unique name among its siblings', async () => {
      const { api } = bench()
      const [taxonomy, other] = [await aTaxonomy(), await aTaxonomy()]
      const one = await aCategory(taxonomy, { name: 'Gall' })
      await failing(aCategory(taxonomy, { name: 'GALL' }), 'name_taken')
      await aCategory(other, { name: 'GALL' })
      const inner = await aCategory(taxonomy, { name: 'Gall', parentId: one.id })
      const two = await aCategory(taxonomy)
      await failing(api.categories.update({ ...inTaxonomy(two), name: 'gall' }), 'name_taken')
      await failing(api.categories.move({ ...inTaxonomy(inner), parentId: null }), 'name_taken')
      expect(await api.categories.get(inTaxonomy(inner))).toEqual(inner)
    })

    it('can only be in a category of its taxonomy, and not in itself', async () => {
      const { api } = bench()
      const [taxonomy, other] = [await aTaxonomy(), await aTaxonomy()]
      const foreign = await aCategory(other)
      const one = await aCategory(taxonomy)
      const two = await aCategory(taxonomy, { parentId: one.id })
      for (const parentId of [foreign.id, nowhere]) {
        expect(await invalidAt(aCategory(taxonomy, { parentId }))).toEqual(['parentId'])
        expect(await invalidAt(api.categories.move({ ...inTaxonomy(one), parentId }))).toEqual(['parentId'])
      }
      for (const { id: parentId } of [one, two])
        expect(await invalidAt(api.categories.move({ ...inTaxonomy(one), parentId }))).toEqual(['parentId'])
      expect(await api.categories.get(inTaxonomy(one))).toEqual(one)
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const category = await aCategory(taxonomy)
      const here = { configId, taxonomyId: taxonomy.id, id: nowhere }
      const scopes = [
        here,
        { ...inTaxonomy(category), taxonomyId: 'TAXO_1' },
        { ...here, configId: 'nowhere' },
      ]
      for (const where of scopes)
        await allFailing(
          [
            api.categories.get(where),
            api.categories.update({ ...where, name: 'x' }),
            api.categories.move({ ...where, parentId: null }),
            api.categories.delete(where),
            api.categories.list({
              configId: where.configId,
              taxonomyId: where.taxonomyId,
              parentId: where.id,
            }),
          ],
          'not_found',
        )
      await failing(api.categories.create({ configId, taxonomyId: 'TAXO_1', name: 'x' }), 'not_found')
    })

    it('is changed with a current If-Match only, and created once per Idempotency-Key', async () => {
      const { api } = bench()
      const { id: taxonomyId } = await aTaxonomy()
      const reported: AnswerInfo[] = []
      const create = (name: string) =>
        api.categories.create(
          { configId, taxonomyId, name },
          { idempotencyKey: 'a category once', onAnswer: (about) => void reported.push(about) },
        )
      const once = await create('Once')
      expect(await create('Once')).toEqual(once)
      await failing(create('Twice'), 'idempotency_mismatch')
      const ifMatch = reported[0]?.etag ?? ''
      const changed = await api.categories.update({ ...inTaxonomy(once), name: 'Changed' }, { ifMatch })
      await allFailing(
        [
          api.categories.update({ ...inTaxonomy(once), name: 'x' }, { ifMatch }),
          api.categories.move({ ...inTaxonomy(once), parentId: null, order: 5 }, { ifMatch }),
          api.categories.delete(inTaxonomy(once), { ifMatch }),
        ],
        'precondition_failed',
      )
      expect(await api.categories.get(inTaxonomy(once))).toEqual(changed)
    })

    it('cannot be changed in a package that accepts no changes', async () => {
      const { api } = bench()
      const category = await aCategory(await aTaxonomy())
      const { repo, packageName } = await newPackage(api)
      await api.packages.merge({ repo, packageName })
      const there = { ...inTaxonomy(category), packageName }
      const { id: _id, ...all } = there
      await allFailing(
        [
          api.categories.create({ ...all, name: 'x' }),
          api.categories.update({ ...there, name: 'x' }),
          api.categories.move({ ...there, parentId: null, order: 5 }),
          api.categories.delete(there),
        ],
        'invalid_state',
      )
    })
  })

  describe('the categories of a taxonomy', () => {
    it('are listed in the order of their tree, in part, to a given depth, and page by page', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const last = await aCategory(taxonomy, { name: 'a last', order: 9 })
      const first = await aCategory(taxonomy, { name: 'z first', order: -9 })
      await aCategory(taxonomy, { name: 'B' })
      await aCategory(taxonomy, { name: 'a' })
      const inner = await aCategory(taxonomy, { name: 'in first', parentId: first.id })
      await aCategory(taxonomy, { name: 'deep quill', parentId: inner.id })
      await aCategory(taxonomy, { name: 'quill', parentId: last.id })
      const all = { configId, taxonomyId: taxonomy.id }
      const whole = ['1 z first', '2 in first', '3 deep quill', '1 a', '1 B', '1 a last', '2 quill']
      expect(await visibleOf(api.categories.list(all))).toEqual(whole)
      expect(await visibleOf(api.categories.list({ ...all, depth: 1 }))).toEqual([
        '1 z first',
        '1 a',
        '1 B',
        '1 a last',
      ])
      const below = await api.categories.list({ ...all, parentId: first.id })
      expect(below.items.map(({ name, depth, path }) => [name, depth, path.length])).toEqual([
        ['in first', 1, 1],
        ['deep quill', 2, 2],
      ])
      expect(await visibleOf(api.categories.list({ ...all, text: 'quill' }))).toEqual([
        '3 deep quill',
        '2 quill',
      ])
      const paged: string[] = []
      for (let cursor: string | undefined, pages = 0; pages === 0 || cursor; pages++) {
        const page = await api.categories.list({ ...all, limit: 3, ...(cursor && { cursor }) })
        expect(page.count).toBe(7)
        paged.push(...page.items.map(({ name, depth }) => `${depth} ${name}`))
        cursor = page.nextCursor
      }
      expect(paged).toEqual(whole)
      for (const cursor of ['x', 'WyJ4Il0'])
        expect(await invalidAt(api.categories.list({ ...all, cursor }))).toEqual(['cursor'])
    })
  })

  describe('deleting a category', () => {
    it('removes it from its items, with its subcategories on request', async () => {
      const { limited: api, system } = bench()
      const taxonomy = await aTaxonomy()
      const one = await aCategory(taxonomy)
      const two = await aCategory(taxonomy, { parentId: one.id })
      const stored = await aCategory(taxonomy)
      const { details } = await failing(api.categories.delete(inTaxonomy(one)), 'referenced')
      expect(details).toEqual({ categories: 1 })
      const role = await system.roles.create({ name: 'Readers of the category' })
      const anItem = (name: string, categories: Category[], more: object = {}) =>
        system.items.create(anArticle({ name, categories: categories.map(({ id }) => id), ...more }))
      const seen = await anItem('Seen', [two, stored])
      const unseen = await anItem('Unseen', [one], { readPerm: [role.id] })
      expect(await api.categories.delete({ ...inTaxonomy(one), recursive: true, dryRun: true })).toEqual({
        deleted: one,
        categories: [{ id: two.id, name: two.name }],
        decategorized: [{ id: seen.id, path: 'categories' }],
      })
      expect(await system.items.get({ configId, id: seen.id })).toEqual(seen)
      await api.categories.delete({ ...inTaxonomy(one), recursive: true })
      expect((await system.items.get({ configId, id: seen.id })).taxonomies).toMatchObject([
        { id: taxonomy.id, categories: [{ id: stored.id }] },
      ])
      expect((await system.items.get({ configId, id: unseen.id })).taxonomies).toEqual([])
      expect(await system.items.list({ configId, filter: { categories: stored.id } })).toMatchObject({
        count: 1,
      })
      expect(await system.items.list({ configId, filter: { categories: two.id } })).toMatchObject({
        count: 0,
      })
    })

    it('is refused above a thousand items, without changing any', async () => {
      const { api, scope, system } = bench()
      const category = await aCategory(await aTaxonomy())
      const { id: targetId, repositoryId } = category
      const held = await system.items.create(anArticle({ name: 'Held', categories: [targetId] }))
      const edges = [{ path: 'categories', targetId, onDelete: 'unset' as const }]
      await scope.store.transaction(async (tx) => {
        for (let number = 0; number < 1000; number++)
          await tx.entities.put(anEntity({ id: `CONT_${number}`, repositoryId, edges }), 0)
      })
      const { details } = await failing(api.categories.delete(inTaxonomy(category)), 'referenced')
      expect(details).toBeUndefined()
      expect(await system.items.get({ configId, id: held.id })).toEqual(held)
      expect(await api.categories.get(inTaxonomy(category))).toEqual(category)
    })
  })
}
