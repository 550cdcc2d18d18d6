import { describe, expect, it } from 'vitest'
import { anEntity } from '../../entity.ts'
import { failing } from '../failing.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { at, foldersOf } from './structure-steps.ts'

const configId = 'magazine'

/** Deleting folders with their content. */
export function folderDeletionTests(bench: () => Bench): void {
  const aFolder = foldersOf(bench)
  let made = 0
  const anItem = (item: object = {}) =>
    bench().system.items.create(anArticle({ name: `Item ${++made}`, ...item }))
  /** A folder with a subfolder, each with an item. */
  const aFull = async () => {
    const top = await aFolder({ name: `Full ${++made}` })
    const inner = await aFolder({ name: 'Inner', parentId: top.id })
    const items = [await anItem({ folderId: top.id }), await anItem({ folderId: inner.id })]
    return { top, inner, items }
  }
  const isThere = (id: string) =>
    bench()
      .system.items.get({ configId, id })
      .then(
        () => true,
        () => false,
      )

  describe('deleting a folder', () => {
    it('with content must be requested explicitly', async () => {
      const { api } = bench()
      const { top, inner, items } = await aFull()
      const { details } = await failing(api.folders.delete(at(top)), 'referenced')
      expect(details).toEqual({ folders: 1, items: 2 })
      expect(await api.folders.delete({ ...at(top), recursive: true })).toBeUndefined()
      for (const { id } of items) expect(await isThere(id)).toBe(false)
      await failing(api.folders.get(at(inner)), 'not_found')
      const { journal } = bench().scope.store
      const rows = await journal.readBack({ limit: 4 })
      expect(rows.map(({ event, entityId }) => [event, entityId])).toEqual([
        ['FOLDER_DELETED', top.id],
        ['FOLDER_DELETED', inner.id],
        ['ITEM_DELETED', items[1]?.id],
        ['ITEM_DELETED', items[0]?.id],
      ])
    })

    it('lists with dryRun what would be deleted, and changes nothing', async () => {
      const { api } = bench()
      const { top, inner, items } = await aFull()
      const holder = await anItem({ fields: { related: [items[0]?.id ?? ''] } })
      const before = await api.folders.get(at(top))
      const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
      expect(await api.folders.delete({ ...at(top), recursive: true, dryRun: true })).toEqual({
        deleted: before,
        folders: [named(inner)],
        items: items.map(named),
        unset: [{ id: holder.id, path: 'related' }],
      })
      expect(await api.folders.get(at(top))).toEqual(before)
      expect(await bench().system.items.get({ configId, id: holder.id })).toEqual(holder)
      await failing(api.folders.delete({ ...at(top), dryRun: true }), 'referenced')
      await api.folders.delete({ ...at(top), recursive: true })
      expect((await bench().system.items.get({ configId, id: holder.id })).fields).toEqual({ related: [] })
    })

    it('is refused while an item outside restricts the deletion of one inside, but not for one inside', async () => {
      const { api, system } = bench()
      const { top, inner } = await aFull()
      const author = await system.items.create({
        repositoryId: configId,
        type: 'author',
        name: 'Held',
        folderId: inner.id,
      })
      await anItem({ folderId: top.id, fields: { author: author.id } })
      const holder = await anItem({ fields: { author: author.id } })
      const tree = await api.folders.tree({ configId })
      const { details } = await failing(api.folders.delete({ ...at(top), recursive: true }), 'referenced')
      expect(details).toEqual({ count: 1, holders: [{ id: holder.id, path: 'author' }] })
      expect(await api.folders.tree({ configId })).toEqual(tree)
      expect(await isThere(author.id)).toBe(true)
      await system.items.delete({ configId, id: holder.id })
      await api.folders.delete({ ...at(top), recursive: true })
      expect(await isThere(author.id)).toBe(false)
    })

    it('deletes no item that the caller may not delete or read, and does not reveal these', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: `Keepers ${++made}` })
      const editor = await as({ bundles: ['bundle.editor'] })
      const reader = await as({ permissions: { global: ['items.read', 'folders.read', 'folders.delete'] } })
      const limits = [{ deletePerm: [role.id] }, { readPerm: [role.id] }]
      for (const limit of limits) {
        const folder = await aFolder()
        const item = await anItem({ folderId: folder.id, ...limit })
        const deleting = editor.folders.delete({ ...at(folder), recursive: true })
        await failing(deleting, 'forbidden')
        await failing(reader.folders.delete({ ...at(folder), recursive: true }), 'forbidden')
        expect(await isThere(item.id)).toBe(true)
        expect((await system.folders.get(at(folder))).id).toBe(folder.id)
        const { details } = await failing(editor.folders.delete(at(folder)), 'referenced')
        expect(details).toEqual({ folders: 0, items: 'readPerm' in limit ? 0 : 1 })
      }
    })

    it('deletes archived and published items, too', async () => {
      const { api, system } = bench()
      const folder = await aFolder()
      const archived = await anItem({ folderId: folder.id })
      await system.items.archive({ configId, id: archived.id })
      const published = await anItem({ folderId: folder.id, fields: { title: 'Out' } })
      await system.items.publish({ configId, id: published.id })
      await failing(api.folders.delete(at(folder)), 'referenced')
      await api.folders.delete({ ...at(folder), recursive: true })
      for (const { id } of [archived, published]) expect(await isThere(id)).toBe(false)
      await failing(system.published.item({ configId, id: published.id }), 'not_found')
    })

    it('deletes items, which are restored at the top level', async () => {
      const { api } = bench()
      const { top, items } = await aFull()
      await api.folders.delete({ ...at(top), recursive: true })
      const back = await api.items.undelete({ configId, id: items[1]?.id ?? '' })
      expect(back).toMatchObject({ folderId: null, currentVersion: 2 })
    })

    it('deletes at most a thousand entities', async () => {
      const { api, scope } = bench()
      const folder = await aFolder()
      const { id: parentId, repositoryId } = folder
      const numbered = (number: number) => {
        const [id, name] = [`FOLD_01JXSC6G00000000000000${String(number).padStart(4, '0')}`, `f${number}`]
        const json = JSON.stringify({ id, name, parentId })
        const body = { description: '' }
        return anEntity({
          kind: 'folder',
          type: 'folder',
          id,
          repositoryId,
          name,
          parentId,
          body,
          json,
        })
      }
      await scope.store.transaction(async (tx) => {
        for (let number = 0; number < 1001; number++) await tx.entities.put(numbered(number), 0)
      })
      const deleting = () => api.folders.delete({ ...at(folder), recursive: true })
      expect((await failing(deleting(), 'referenced')).details).toEqual({ most: 1000 })
      const { items } = await api.folders.tree({ configId, parentId: folder.id, depth: 1 })
      await api.folders.delete(at(items[0] ?? folder))
      await deleting()
      await failing(api.folders.get(at(folder)), 'not_found')
    })

    it('in a package does not affect main until it is merged', async () => {
      const { api, system } = bench()
      const { top, inner, items } = await aFull()
      const { repo, packageName } = await newPackage(api)
      await api.folders.delete({ ...at(top), packageName, recursive: true })
      expect((await api.folders.get(at(inner))).path).toHaveLength(1)
      expect(await isThere(items[0]?.id ?? '')).toBe(true)
      await failing(api.folders.get({ ...at(inner), packageName }), 'not_found')
      const late = await anItem({ folderId: inner.id })
      const { conflicts } = await failing(api.packages.merge({ repo, packageName }), 'merge_conflict')
      expect(conflicts).toMatchObject([{ entity: { id: inner.id }, kind: 'referenced' }])
      await system.items.move({ configId, id: late.id, folderId: null })
      await api.packages.merge({ repo, packageName })
      await failing(api.folders.get(at(top)), 'not_found')
      expect(await isThere(items[1]?.id ?? '')).toBe(false)
    })
  })
}
