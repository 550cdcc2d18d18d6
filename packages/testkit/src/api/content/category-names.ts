import type { AnswerInfo, Api, Category, Item, Taxonomy } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { at, categoriesOf, inTaxonomy, taxonomiesOf } from './structure-steps.ts'

const configId = 'magazine'

/** The category names that items show, wherever they are read. */
export function categoryNameTests(bench: () => Bench): void {
  const aTaxonomy = taxonomiesOf(bench)
  const aCategory = categoriesOf(bench)
  let made = 0
  const anItem = (categories: readonly Category[], item: object = {}) =>
    bench().system.items.create(
      anArticle({ name: `Named ${++made}`, categories: categories.map(({ id }) => id), ...item }),
    )
  const visibleAs = (taxonomy: Taxonomy, categories: readonly Category[]): Item['taxonomies'] => [
    { id: taxonomy.id, name: taxonomy.name, categories: categories.map(({ id, name }) => ({ id, name })) },
  ]

  describe('the categories of an item', () => {
    it('have their current names, wherever it is read', async () => {
      const { api, system } = bench()
      const taxonomy = await aTaxonomy()
      const category = await aCategory(taxonomy)
      const item = await anItem([category], { fields: { title: 'Named' } })
      await system.items.publish({ configId, id: item.id })
      await system.items.update({ configId, id: item.id, description: 'A draft' })
      const holder = await anItem([], { fields: { related: [item.id] } })
      const reads = readsOf(api, item, holder)
      for (const read of Object.values(reads)) expect(await read()).toEqual(visibleAs(taxonomy, [category]))
      const renamed = await api.categories.update({ ...inTaxonomy(category), name: `Renamed ${++made}` })
      for (const [name, read] of Object.entries(reads))
        expect([name, await read()]).toEqual([name, visibleAs(taxonomy, [renamed])])
      const other = await api.taxonomies.update({ ...at(taxonomy), name: `Renamed ${++made}` })
      for (const read of Object.values(reads)) expect(await read()).toEqual(visibleAs(other, [renamed]))
      expect((await api.items.get({ configId, id: item.id })).currentVersion).toBe(2)
    })

    it('have their current names in the answer of every write', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const [one, two] = [await aCategory(taxonomy), await aCategory(taxonomy)]
      const { id, taxonomies } = await anItem([one])
      expect(taxonomies).toEqual(visibleAs(taxonomy, [one]))
      const on = { configId, id }
      const item = await api.items.categorize({ ...on, categoryId: two.id })
      expect(item.taxonomies).toEqual(visibleAs(taxonomy, [one, two]))
      expect((await api.items.copy(on)).taxonomies).toEqual(item.taxonomies)
      expect((await api.items.archive(on)).taxonomies).toEqual(item.taxonomies)
      const bulk = await api.items.bulk({ configId, action: 'unarchive', ids: [id] })
      expect(bulk.outcomes[0]?.item?.taxonomies).toEqual(item.taxonomies)
      expect((await api.items.delete({ ...on, dryRun: true }))?.deleted.taxonomies).toEqual(item.taxonomies)
      expect((await api.items.decategorize({ ...on, categoryId: one.id })).taxonomies).toEqual(
        visibleAs(taxonomy, [two]),
      )
    })

    it('are grouped by taxonomy, and absent for an item without categories', async () => {
      const { api } = bench()
      const [ink, paper] = [await aTaxonomy(), await aTaxonomy()]
      const [a, b, c] = [await aCategory(ink), await aCategory(paper), await aCategory(ink)]
      const mixed = await anItem([a, b, c])
      expect(mixed.taxonomies).toEqual([...visibleAs(ink, [a, c]), ...visibleAs(paper, [b])])
      const tricky = await anItem([], {
        fields: { title: '"taxonomies":["' },
        description: ',"taxonomies":["x"]}',
      })
      expect(tricky.taxonomies).toEqual([])
      const ids = [mixed.id, tricky.id]
      const { items } = await api.items.list({ configId, filter: { id: { in: ids } }, sort: 'id' })
      expect(items).toEqual([mixed, tricky])
      const nested = await anItem([a], { fields: { title: ',"taxonomies":["x"]}' } })
      expect(await api.items.get({ configId, id: nested.id })).toEqual(nested)
    })

    it('change the entity tag of the item with their names, without making writes stale', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const category = await aCategory(taxonomy)
      const item = await anItem([category], { fields: { title: 'Tagged' } })
      await api.items.publish({ configId, id: item.id })
      const reported: AnswerInfo[] = []
      const onAnswer = (about: AnswerInfo) => reported.push(about)
      const read = async () => {
        await api.items.get({ configId, id: item.id }, { onAnswer })
        await api.published.item({ configId, id: item.id }, { onAnswer })
        return reported.splice(0).map(({ etag }) => etag ?? '')
      }
      const before = await read()
      expect(await read()).toEqual(before)
      await api.categories.update({ ...inTaxonomy(category), name: `Renamed ${++made}` })
      const after = await read()
      for (const [index, tag] of after.entries()) expect(tag).not.toBe(before[index])
      await api.items.update({ configId, id: item.id, name: 'By an old name' }, { ifMatch: before[0] ?? '' })
      const late = api.items.update({ configId, id: item.id, name: 'x' }, { ifMatch: after[0] ?? '' })
      await failing(late, 'precondition_failed')
    })

    it('have the names of the branch on which they are read', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const category = await aCategory(taxonomy)
      const item = await anItem([category])
      const { repo, packageName } = await newPackage(api)
      const here = { configId, id: item.id, packageName }
      const visible = async () => [
        (await api.items.get(here)).taxonomies,
        (await api.items.get({ configId, id: item.id })).taxonomies,
      ]
      const there = { ...inTaxonomy(category), packageName }
      const renamed = await api.categories.update({ ...there, name: `Renamed ${++made}` })
      expect(await visible()).toEqual([visibleAs(taxonomy, [renamed]), visibleAs(taxonomy, [category])])
      await api.packages.removeChange({ repo, packageName, entityId: category.id })
      expect(await visible()).toEqual([visibleAs(taxonomy, [category]), visibleAs(taxonomy, [category])])
      await api.items.update({ ...here, description: 'Pinned' })
      const onMain = await api.categories.update({ ...inTaxonomy(category), name: `Renamed ${++made}` })
      expect(await visible()).toEqual([visibleAs(taxonomy, [onMain]), visibleAs(taxonomy, [onMain])])
      await api.categories.delete(there)
      expect(await visible()).toEqual([[], visibleAs(taxonomy, [onMain])])
      await api.packages.merge({ repo, packageName })
      expect((await api.items.get({ configId, id: item.id })).taxonomies).toEqual([])
    })

    it('are left out of old versions once they are deleted', async () => {
      const { api } = bench()
      const taxonomy = await aTaxonomy()
      const [one, two] = [await aCategory(taxonomy), await aCategory(taxonomy)]
      const { id } = await anItem([one, two])
      await api.categories.delete(inTaxonomy(one))
      const old = await api.items.get({ configId, id, version: '1' })
      expect(old.taxonomies).toEqual(visibleAs(taxonomy, [two]))
      const restored = await api.items.restore({ configId, id, version: 1 })
      expect(restored.taxonomies).toEqual(visibleAs(taxonomy, [two]))
    })
  })
}

type Reads = Readonly<Record<string, () => Promise<Item['taxonomies'] | undefined>>>

/** Every way to read an item or its published version. */
function readsOf(api: Api, { id, slug }: Item, holder: Item): Reads {
  const on = { configId, id }
  const filter = { id }
  return {
    get: async () => (await api.items.get(on)).taxonomies,
    version: async () => (await api.items.get({ ...on, version: '1' })).taxonomies,
    bySlug: async () => (await api.items.getBySlug({ configId, slug })).taxonomies,
    selected: async () => (await api.items.get({ ...on, select: ['taxonomies'] })).taxonomies,
    list: async () => (await api.items.list({ configId, filter })).items[0]?.taxonomies,
    picked: async () =>
      (await api.items.list({ configId, filter, select: ['taxonomies'] })).items[0]?.taxonomies,
    included: async () =>
      (await api.items.get({ configId, id: holder.id, include: ['related'] })).included?.['related']?.[0]
        ?.taxonomies,
    published: async () => (await api.published.item(on)).taxonomies,
    publishedBySlug: async () => (await api.published.itemBySlug({ configId, slug })).taxonomies,
    publishedList: async () => (await api.published.items({ configId, filter: { id } })).items[0]?.taxonomies,
    query: async () => (await api.queries.run({ configId, filter: { id } })).items[0]?.taxonomies,
  }
}
