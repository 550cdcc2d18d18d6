import type { Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { inPackage, newPackage, onMain } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** Specification 6.1: whenever an item gets or loses a category, there is an event. */
export function categoryEventTests(bench: () => Bench): void {
  describe('an event for a category that is added to an item or removed', () => {
    let categories: string[] = []

    beforeAll(async () => {
      const { system } = bench()
      await prepareMagazine(system)
      const { id: taxonomyId } = await system.taxonomies.create({ configId, name: 'Subjects of events' })
      const made = await Promise.all(
        ['Ink', 'Paper'].map((name) => system.categories.create({ configId, taxonomyId, name })),
      )
      categories = made.map(({ id }) => id)
    })

    let last = 0
    const anItem = (given: { categories?: string[] } = {}) =>
      bench().api.items.create(anArticle({ name: `Sorted ${++last}`, fields: { title: 'Sorted' }, ...given }))

    /** The events of an item since, oldest first. */
    const since = async ({ id }: Pick<Item, 'id'>, before = 0) => {
      const { items } = await bench().system.activity.list({ configId, entityId: id, limit: 100 })
      return items
        .map(({ event }) => event)
        .toReversed()
        .slice(before)
    }

    it('is sent for a save with PATCH, once for each kind', async () => {
      const { api } = bench()
      const item = await anItem()
      const on = onMain(item)
      await api.items.update({ ...on, categories })
      await api.items.update({ ...on, categories: categories.slice(1) })
      await api.items.update({ ...on, categories: categories.slice(0, 1), name: item.name })
      await api.items.update({ ...on, description: 'The same categories' })
      expect(await since(item)).toEqual([
        'ITEM_CREATED',
        'ITEM_UPDATED',
        'ITEM_CATEGORIZED',
        'ITEM_UPDATED',
        'ITEM_DECATEGORIZED',
        'ITEM_UPDATED',
        'ITEM_CATEGORIZED',
        'ITEM_DECATEGORIZED',
        'ITEM_UPDATED',
      ])
    })

    it('is sent for an item that is created with it, or copied', async () => {
      const { api } = bench()
      const item = await anItem({ categories })
      expect(await since(item)).toEqual(['ITEM_CREATED', 'ITEM_CATEGORIZED'])
      const copy = await api.items.copy({ ...onMain(item) })
      expect(await since(copy)).toEqual(['ITEM_CREATED', 'ITEM_CATEGORIZED'])
    })

    it('is sent once by the endpoints for categories, and in bulk', async () => {
      const { api } = bench()
      const item = await anItem()
      const [categoryId = ''] = categories
      await api.items.categorize({ ...onMain(item), categoryId })
      await api.items.categorize({ ...onMain(item), categoryId })
      await api.items.decategorize({ ...onMain(item), categoryId })
      await api.items.bulk({ configId, ids: [item.id], action: 'categorize', input: { categoryId } })
      const alone = ['ITEM_CATEGORIZED', 'ITEM_DECATEGORIZED', 'ITEM_CATEGORIZED']
      expect(await since(item)).toEqual(['ITEM_CREATED', ...alone])
    })

    it('is sent when a version is restored', async () => {
      const { api } = bench()
      const item = await anItem({ categories })
      await api.items.update({ ...onMain(item), categories: [] })
      await api.items.restore({ ...onMain(item), version: 1 })
      expect(await since(item, 2)).toEqual([
        'ITEM_UPDATED',
        'ITEM_DECATEGORIZED',
        'ITEM_UPDATED',
        'ITEM_CATEGORIZED',
      ])
    })

    it('is sent in a package, and for main when it is merged, but not for unchanged categories', async () => {
      const { api } = bench()
      const [categoryId = ''] = categories
      const item = await anItem({ categories: [categoryId] })
      const along = await anItem({ categories })
      const { packageName } = await newPackage(api)
      await api.items.update({ ...inPackage(item, packageName), categories: categories.slice(1) })
      await api.items.update({ ...inPackage(along, packageName), description: 'Along' })
      const made = await api.items.create(
        anArticle({ name: `Sorted ${++last}`, fields: { title: 'New' }, categories, packageName }),
      )
      const both = ['ITEM_UPDATED', 'ITEM_CATEGORIZED', 'ITEM_DECATEGORIZED']
      expect(await since(item, 2)).toEqual(both)
      await api.packages.merge({ repo: configId, packageName })
      expect(await since(item, 2)).toEqual([...both, ...both])
      expect(await since(along, 2)).toEqual(['ITEM_UPDATED', 'ITEM_UPDATED'])
      const twice = ['ITEM_CREATED', 'ITEM_CATEGORIZED']
      expect(await since(made)).toEqual([...twice, ...twice])
    })

    it('is sent when a category is deleted, but not when an item is', async () => {
      const { api, system } = bench()
      const { id: taxonomyId } = await system.taxonomies.create({ configId, name: 'Subjects that go' })
      const category = await system.categories.create({ configId, taxonomyId, name: 'Vellum' })
      const item = await anItem({ categories: [category.id] })
      const other = await anItem({ categories })
      await system.categories.delete({ configId, taxonomyId, id: category.id })
      expect(await since(item, 2)).toEqual(['ITEM_DECATEGORIZED'])
      await api.items.delete(onMain(other))
      await api.items.undelete(onMain(other))
      expect(await since(other, 2)).toEqual(['ITEM_DELETED', 'ITEM_UNDELETED'])
    })
  })
}
