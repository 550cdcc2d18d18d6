import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage, onMain } from './package-steps.ts'
import type { Bench } from '../host.ts'
import { expectNumbersAskable, type ItemOnBranch } from '../content/version-numbers.ts'

/**
 * Version numbers in packages: they continue those of main, whose versions can still be read there.
 */
export function packageVersionTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const anArticleOnMain = articlesOnMain(bench)

  /**
   * An article with five versions, the fourth of which is published, and a package that has not
   * changed it.
   */
  const aLongOne = async (name: string) => {
    const { api } = bench()
    const item = await anArticleOnMain(name, { price: 1 })
    for (const price of [2, 3, 4]) await api.items.update({ ...onMain(item), fields: { price } })
    await api.items.publish(onMain(item))
    await api.items.update({ ...onMain(item), fields: { price: 5 } })
    const ref = await newPackage(api)
    return { item, ref, there: inPackage(item, ref.packageName) }
  }

  describe('the versions of an item in a package', () => {
    it('continue the numbers of main, whose versions can still be read there', async () => {
      const { api } = bench()
      const { item, ref, there } = await aLongOne('Numbered on')
      const main = await readings(api, there, [1, 2, 3, 4, 5])
      const changed = await api.items.update({ ...there, fields: { price: 60 } })
      expect(changed).toMatchObject({ currentVersion: 6, latestVersion: 6, status: 'draft' })
      expect(changed.versionHistory?.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1])
      expect(await readings(api, there, [1, 2, 3, 4, 5])).toEqual(main)
      expect(await readings(api, onMain(item), [1, 2, 3, 4, 5])).toEqual(main)
      await expectNumbersAskable(api, there)

      const published = { ...there, version: 'latestpublished' as const }
      expect(await api.items.get(published)).toMatchObject({
        currentVersion: 4,
        latestVersion: 6,
        packageName: null,
        status: 'published',
        fields: { price: 4 },
      })
      expect(await api.items.diff({ ...there, from: 'latestpublished', to: 'latest' })).toEqual({
        from: 4,
        to: 6,
        changes: [{ path: 'fields.price', kind: 'changed', before: 4, after: 60 }],
      })
      const { items } = await api.packages.changes(ref)
      expect(items).toMatchObject([{ version: 6, baseVersion: 5, mainVersion: 5 }])
    })

    it('are listed with those of main below them, page by page', async () => {
      const { api } = bench()
      const { there } = await aLongOne('Listed')
      await api.items.update({ ...there, fields: { price: 60 } })
      await api.items.update({ ...there, fields: { price: 70 } })
      const pages: number[][] = []
      let cursor: string | undefined
      do {
        const page = await api.items.versions({ ...there, limit: 3, ...(cursor !== undefined && { cursor }) })
        expect(page.count).toBe(7)
        pages.push(page.items.map(({ version }) => version))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]])
      const { items } = await api.items.versions(there)
      expect(items.filter(({ isLatest }) => isLatest).map(({ version }) => version)).toEqual([7])
      expect(items.filter(({ isLatestPublished }) => isLatestPublished)).toMatchObject([{ version: 4 }])
    })

    it('do not include later versions of main', async () => {
      const { api } = bench()
      const { item, there } = await aLongOne('Since')
      await api.items.update({ ...there, fields: { price: 60 } })
      for (const price of [6, 7, 8]) await api.items.update({ ...onMain(item), fields: { price } })
      expect((await api.items.get({ ...there, version: '6' })).fields).toMatchObject({ price: 60 })
      await failing(api.items.get({ ...there, version: '7' }), 'not_found')
      await expectNumbersAskable(api, there)
    })

    it('of main can be restored, merged and compared there', async () => {
      const { api } = bench()
      const { there } = await aLongOne('Brought back')
      const asRead = await api.items.get(there)
      await api.items.update({ ...there, description: 'by somebody else' })
      // Callers who read it before the package changed it continue from that version.
      const merged = await api.items.update({
        ...there,
        baseVersion: asRead.currentVersion ?? 0,
        fields: { price: 70 },
      })
      expect(merged).toMatchObject({
        currentVersion: 7,
        description: 'by somebody else',
        fields: { price: 70 },
      })
      const restored = await api.items.restore({ ...there, version: 2 })
      expect(restored).toMatchObject({ currentVersion: 8, packageName: there.packageName })
      expect(restored.fields).toMatchObject({ price: 2 })
      await failing(api.items.restore({ ...there, version: 9 }), 'not_found')
      await expectNumbersAskable(api, there)
    })

    it('are not made by a change of state: publishing, archiving or adding refers to the version of main', async () => {
      const { api } = bench()
      const { item, ref, there } = await aLongOne('Marked')
      expect(await api.packages.addItem({ ...ref, id: item.id })).toMatchObject({
        kind: 'none',
        version: 5,
        baseVersion: 5,
      })
      expect(await api.items.get(there)).toMatchObject({ currentVersion: 5, status: 'draft' })
      await expectNumbersAskable(api, there)
      const published = await api.items.publish(there)
      expect(published).toMatchObject({ currentVersion: 5, status: 'published' })
      await api.items.update({ ...there, fields: { price: 60 } })
      expect(await api.items.get({ ...there, version: 'latestpublished' })).toMatchObject({
        currentVersion: 5,
      })
      await expectNumbersAskable(api, there)
      await api.items.restore({ ...there, version: 5 })
      await api.items.publish(there)
      await api.packages.merge(ref)
      expect(await api.items.get(onMain(item))).toMatchObject({ currentVersion: 5, status: 'published' })
    })

    it('are deleted with the change, and start again with the next one', async () => {
      const { api } = bench()
      const { item, ref, there } = await aLongOne('Given up')
      const before = await api.items.get(there)
      await api.items.update({ ...there, fields: { price: 60 } })
      await api.items.update({ ...onMain(item), fields: { price: 6 } })
      await api.items.delete(there)
      expect(await api.items.undelete(there)).toMatchObject({ currentVersion: 6 })
      await expectNumbersAskable(api, there)
      await api.packages.removeChange({ ...ref, entityId: item.id })
      expect(await api.items.get({ ...there, version: '5' })).toMatchObject({ fields: before.fields })
      expect(await api.items.get(there)).toEqual(await api.items.get(onMain(item)))
      expect(await api.items.update({ ...there, fields: { price: 61 } })).toMatchObject({ currentVersion: 7 })
      await expectNumbersAskable(api, there)
    })

    it('become the next version on main, or the first of a new item', async () => {
      const { api } = bench()
      const { item, ref, there } = await aLongOne('Merged')
      for (const price of [60, 70, 80]) await api.items.update({ ...there, fields: { price } })
      await api.items.update({ ...onMain(item), description: 'meanwhile' })
      const made = await api.items.create({
        repositoryId: ref.repo,
        type: 'article',
        name: 'Made there',
        packageName: ref.packageName,
      })
      expect(made.currentVersion).toBe(1)
      await expectNumbersAskable(api, inPackage(made, ref.packageName))
      await api.items.update({ ...inPackage(made, ref.packageName), fields: { price: 2 } })
      const { changes } = await api.packages.merge(ref)
      expect(new Map(changes.map(({ entity, version }) => [entity.name, version]))).toEqual(
        new Map([
          ['Made there', 1],
          ['Merged', 7],
        ]),
      )
      await expectNumbersAskable(api, onMain(item))
      await expectNumbersAskable(api, onMain(made))
      await expectNumbersAskable(api, there)
      expect((await api.items.get({ ...there, version: '6' })).fields).toMatchObject({ price: 60 })
      const { name: packageName } = await api.packages.revert(ref)
      expect(await api.items.get(inPackage(item, packageName))).toMatchObject({
        currentVersion: 8,
        fields: { price: 5 },
      })
      await expectNumbersAskable(api, inPackage(item, packageName))
      await api.packages.merge({ ...ref, packageName })
      expect(await api.items.get(onMain(item))).toMatchObject({ currentVersion: 8, fields: { price: 5 } })
    })

    it('include in a sync what main has published since', async () => {
      const { api } = bench()
      const { item, ref, there } = await aLongOne('Synced')
      for (const price of [60, 70]) await api.items.update({ ...there, fields: { price } })
      await api.items.update({ ...onMain(item), description: 'published since' })
      await api.items.publish(onMain(item))
      await api.items.update({ ...onMain(item), description: 'and gone on' })
      const { changes } = await api.packages.sync(ref)
      expect(changes).toMatchObject([{ version: 9, published: false }])
      const accepted = await api.items.get({ ...there, version: 'latestpublished' })
      expect(accepted).toMatchObject({
        currentVersion: 8,
        description: 'published since',
        fields: { price: 5 },
      })
      expect(await api.items.get(there)).toMatchObject({ description: 'and gone on', fields: { price: 70 } })
      expect((await api.items.get({ ...there, version: '6' })).fields).toMatchObject({ price: 60 })
      await expectNumbersAskable(api, there)
      expect((await api.packages.sync(ref)).changes).toEqual([])
      await api.packages.merge(ref)
      // The package did not change the published version: it is the same as before.
      const published = { ...onMain(item), version: 'latestpublished' as const }
      expect(await api.items.get(published)).toMatchObject({ currentVersion: 6 })
    })

    it('are shown for a time: before the package changed the item, those of main', async () => {
      const { api, scope } = bench()
      const { there } = await aLongOne('Then')
      scope.clock.advance(1000)
      const at = scope.clock.now()
      const before = await api.items.get({ ...there, at })
      scope.clock.advance(1000)
      await api.items.update({ ...there, fields: { price: 60 } })
      scope.clock.advance(1000)
      expect(await api.items.get({ ...there, at })).toEqual(before)
      expect(await api.items.get({ ...there, at: scope.clock.now() - 500 })).toMatchObject({
        currentVersion: 6,
      })
    })

    it('that a type deleted are not shown', async () => {
      const { system, api } = bench()
      await system.types.create({ name: 'forgetful', settings: { versionLimit: 2 } })
      const item = await api.items.create({ repositoryId: 'magazine', type: 'forgetful', name: 'Forgotten' })
      const edit = (at: ItemOnBranch, description: string) => api.items.update({ ...at, description })
      for (const given of ['two', 'three']) await edit(onMain(item), given)
      expect((await api.items.get(onMain(item))).versionHistory?.map(({ version }) => version)).toEqual([
        3, 2,
      ])
      const ref = await newPackage(api)
      const there = inPackage(item, ref.packageName)
      for (const given of ['4 there', '5 there', '6 there', '7 there']) await edit(there, given)
      for (const given of ['four', 'five', 'six', 'seven']) await edit(onMain(item), given)
      const { versionHistory = [] } = await api.items.get(there)
      expect(versionHistory.map(({ version }) => version)).toEqual([7, 6])
      const { items } = await api.items.versions(there)
      for (const { version } of [...items, ...versionHistory])
        expect(await api.items.get({ ...there, version: String(version) })).toMatchObject({
          currentVersion: version,
        })
      // A deleted number of the package does not stand for main's version of the same number.
      await failing(api.items.get({ ...there, version: '5' }), 'not_found')
    })
  })
}

/** The content of versions, by number. */
async function readings(api: Api, at: ItemOnBranch, numbers: readonly number[]): Promise<unknown[]> {
  return Promise.all(
    numbers.map(async (number) => {
      const item = await api.items.get({ ...at, version: String(number) })
      const { currentVersion, name, slug, fields, packageName, updatedDate, updatedByUser } = item
      return { currentVersion, name, slug, fields, packageName, updatedDate, updatedByUser }
    }),
  )
}
