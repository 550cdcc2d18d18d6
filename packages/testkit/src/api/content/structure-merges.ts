import type { Folder, MergeConflict, Resolution } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { at, categoriesOf, foldersOf, inTaxonomy, taxonomiesOf } from './structure-steps.ts'

const configId = 'magazine'

/** Folders, taxonomies and categories in packages: compared, merged, synced, reverted. */
export function structureMergeTests(bench: () => Bench): void {
  const aFolder = foldersOf(bench)
  const aTaxonomy = taxonomiesOf(bench)
  const aCategory = categoriesOf(bench)
  const conflictsOf = async (merging: Promise<unknown>) => {
    const { conflicts = [] } = await failing(merging, 'merge_conflict')
    return conflicts.map((conflict) => {
      const { entity, path, kind } = conflict as MergeConflict
      return [entity.id, path, kind]
    })
  }
  /** Two top-level folders and a package. */
  const branch = async () => {
    const [a, b] = [await aFolder(), await aFolder()]
    const ref = await newPackage(bench().api)
    const { packageName } = ref
    const here = (folder: Folder) => ({ ...at(folder), packageName })
    return { a, b, ref, packageName, here }
  }
  const mainOf = async () => (await bench().api.folders.tree({ configId })).items

  describe('a package that changes folders', () => {
    it('lists its changes, member by member', async () => {
      const { api } = bench()
      const { a, b, ref, here, packageName } = await branch()
      const made = await aFolder({ packageName, name: 'New here', parentId: b.id })
      await api.folders.move({ ...here(a), parentId: b.id, name: 'Moved' })
      await api.folders.delete(here(made))
      const { items } = await api.packages.diff(ref)
      expect(
        items.map(({ entity, kind, changes }) => [entity, kind, changes.map(({ path }) => path)]),
      ).toEqual([
        [
          { kind: 'folder', id: a.id, name: 'Moved', type: 'folder', slug: null },
          'update',
          ['name', 'parentId'],
        ],
        [
          { kind: 'folder', id: made.id, name: 'New here', type: 'folder', slug: null },
          'none',
          expect.any(Array),
        ],
      ])
      const limited = await bench().as({
        permissions: { global: ['items.read', 'packages.view', 'packages.diff.view'] },
      })
      expect(await limited.packages.changes(ref)).toEqual({ count: 0, items: [] })
    })

    it('conflicts when two folders get the same name, by one change on each side', async () => {
      const { api } = bench()
      const { a, ref, here, packageName } = await branch()
      const within = await aFolder({ parentId: a.id })
      const name = `Both ${within.id}`
      await api.folders.move({ ...here(within), parentId: null })
      const made = await aFolder({ packageName, name })
      await api.folders.update({ ...at(within), name })
      const conflicts = await conflictsOf(api.packages.merge(ref))
      expect(conflicts).toHaveLength(1)
      expect([within.id, made.id]).toContain(conflicts[0]?.[0])
      expect(conflicts[0]?.slice(1)).toEqual(['name', 'value_taken'])
      const [id = ''] = conflicts[0] ?? []
      const settled = `${name}, settled`
      await api.packages.merge({ ...ref, resolutions: [{ id, path: 'name', value: settled }] })
      expect((await api.folders.get({ configId, id })).name).toBe(settled)
    })

    it('merges with changes to other members of the same folder on main', async () => {
      const { api } = bench()
      const { a, b, ref, here } = await branch()
      await api.folders.update({ ...here(a), name: 'Named in the package' })
      await api.folders.move({ ...at(a), parentId: b.id })
      await api.folders.update({ ...at(a), description: 'Described on main' })
      await api.packages.sync(ref)
      const synced = { name: 'Named in the package', parentId: b.id, description: 'Described on main' }
      expect(await api.folders.get(here(a))).toMatchObject(synced)
      await api.packages.merge(ref)
      expect(await api.folders.get(at(a))).toMatchObject({ ...synced, currentVersion: 4 })
    })

    it('conflicts when both renamed it, both moved it, or one deleted it', async () => {
      const { api } = bench()
      const { a, b, ref, here } = await branch()
      const c = await aFolder()
      await api.folders.move({ ...here(a), parentId: b.id, name: 'Ours' })
      await api.folders.move({ ...at(a), parentId: c.id, name: 'Theirs' })
      const d = await aFolder()
      await api.folders.delete(here(d))
      await api.folders.update({ ...at(d), description: 'Kept' })
      await api.folders.delete(here(c))
      const before = await mainOf()
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([
        [a.id, 'name', 'changed'],
        [a.id, 'parentId', 'changed'],
        [d.id, '', 'deleted_in_package'],
      ])
      expect(await mainOf()).toEqual(before)
      const resolutions: Resolution[] = [
        { id: a.id, path: 'name', use: 'theirs' },
        { id: a.id, path: 'parentId', use: 'theirs' },
        { id: d.id, path: '', use: 'ours' },
      ]
      expect(await conflictsOf(api.packages.merge({ ...ref, resolutions }))).toEqual([
        [a.id, 'parentId', 'missing_target'],
      ])
      resolutions[1] = { id: a.id, path: 'parentId', use: 'ours' }
      await api.packages.merge({ ...ref, resolutions })
      expect(await api.folders.get(at(a))).toMatchObject({ name: 'Theirs', parentId: b.id })
      for (const gone of [c, d]) await failing(api.folders.get(at(gone)), 'not_found')
    })

    it('conflicts when main gave the name to another folder meanwhile, whatever the case', async () => {
      const { api } = bench()
      const { a, b, ref, here, packageName } = await branch()
      await api.folders.update({ ...here(a), name: 'Wanted' })
      const made = await aFolder({ packageName, name: 'wanted', parentId: b.id })
      const taker = await aFolder({ name: 'WANTED' })
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([[a.id, 'name', 'value_taken']])
      const named = (value: string) => ({ ...ref, resolutions: [{ id: a.id, path: 'name', value }] })
      expect(await invalidAt(api.packages.merge(named('a/b')))).toEqual(['resolutions.0.value'])
      expect(await conflictsOf(api.packages.merge(named('wanteD')))).toEqual([[a.id, 'name', 'value_taken']])
      await api.folders.update({ ...here(taker), name: 'Given away' })
      await api.packages.merge(ref)
      expect((await api.folders.get(at(a))).name).toBe('Wanted')
      expect((await api.folders.get(at(taker))).name).toBe('Given away')
      expect((await api.folders.get(at(made))).name).toBe('wanted')
    })

    it('can exchange names in a cycle', async () => {
      const { api } = bench()
      const { a, b, ref, here } = await branch()
      await api.folders.update({ ...here(a), name: 'For a while' })
      await api.folders.update({ ...here(b), name: a.name })
      await api.folders.update({ ...here(a), name: b.name })
      await api.packages.merge(ref)
      expect((await api.folders.get(at(a))).name).toBe(b.name)
      expect((await api.folders.get(at(b))).name).toBe(a.name)
    })

    it('conflicts when it moves something into a folder that main deleted', async () => {
      const { api, system } = bench()
      const { a, b, ref, packageName } = await branch()
      const inner = await aFolder({ packageName, parentId: a.id })
      const item = await system.items.create(anArticle({ name: 'Put there', folderId: b.id, packageName }))
      await api.folders.delete(at(a))
      await api.folders.delete(at(b))
      const conflicts = [
        [inner.id, 'parentId', 'missing_target'],
        [item.id, 'folderId', 'missing_target'],
      ]
      expect(await conflictsOf(api.packages.merge(ref))).toEqual(conflicts)
      const resolutions = conflicts.map(([id = '', path = '']) => ({ id, path, value: null }))
      await api.packages.merge({ ...ref, resolutions })
      expect(await api.folders.get(at(inner))).toMatchObject({ parentId: null })
      expect(await system.items.get({ configId, id: item.id })).toMatchObject({ folderId: null })
    })

    it('never creates a cycle together with a move on main', async () => {
      const { api } = bench()
      const { a, b, ref, here } = await branch()
      const inner = await aFolder({ parentId: b.id })
      await api.folders.move({ ...here(a), parentId: inner.id })
      await api.folders.move({ ...at(b), parentId: a.id })
      const before = await mainOf()
      for (const call of [api.packages.merge(ref), api.packages.sync(ref)])
        expect(await conflictsOf(call)).toEqual([[a.id, 'parentId', 'cycle']])
      expect(await mainOf()).toEqual(before)
      // Through the package both moves are visible, but the path still ends.
      expect((await api.folders.get(here(a))).path.length).toBeLessThan(4)
      const settled = (value: string | null) => ({
        ...ref,
        resolutions: [{ id: a.id, path: 'parentId', value }],
      })
      expect(await conflictsOf(api.packages.merge(settled(b.id)))).toEqual([[a.id, 'parentId', 'cycle']])
      expect(await conflictsOf(api.packages.merge(settled(a.id)))).toEqual([[a.id, 'parentId', 'cycle']])
      await api.packages.merge({ ...ref, resolutions: [{ id: a.id, path: 'parentId', use: 'theirs' }] })
      expect(await mainOf()).toEqual(before)
    })

    it('can be reverted completely', async () => {
      const { api } = bench()
      const { a, b, ref, here, packageName } = await branch()
      const inner = await aFolder({ parentId: b.id })
      const gone = await aFolder()
      const before = await mainOf()
      await api.folders.move({ ...here(a), parentId: inner.id, name: 'Moved' })
      await aFolder({ packageName, parentId: a.id })
      await api.folders.delete(here(gone))
      await api.packages.merge(ref)
      expect(await mainOf()).not.toEqual(before)
      const { name } = await api.packages.revert(ref)
      await api.packages.merge({ repo: configId, packageName: name })
      expect(await mainOf()).toEqual(before)
      const rows = await bench().scope.store.journal.readBack({ limit: 10, entityId: gone.id })
      expect(rows.filter(({ packageId }) => packageId === null)[0]?.event).toBe('FOLDER_UNDELETED')
    })

    it('can drop a change, but not a folder that contains other changes', async () => {
      const { api } = bench()
      const { a, ref, here, packageName } = await branch()
      await api.folders.update({ ...here(a), name: 'Renamed' })
      const made = await aFolder({ packageName, name: a.name })
      await aFolder({ packageName, parentId: made.id })
      const drop = (entityId: string) => api.packages.removeChange({ ...ref, entityId })
      await failing(drop(made.id), 'referenced')
      expect((await failing(drop(a.id), 'value_taken')).details).toEqual({ path: 'name' })
      await api.folders.update({ ...at(made), packageName, name: 'Another' })
      await drop(a.id)
      expect((await api.folders.get(here(a))).name).toBe(a.name)
    })
  })

  describe('a package that changes categories', () => {
    it('conflicts when main deleted the taxonomy, but merges without the categories', async () => {
      const { api, system } = bench()
      const taxonomy = await aTaxonomy()
      const { repo, packageName } = await newPackage(api)
      const made = await aCategory(taxonomy, { packageName })
      const item = await system.items.create(
        anArticle({ name: 'Categorized there', categories: [made.id], packageName }),
      )
      await api.taxonomies.delete(at(taxonomy))
      const ref = { repo, packageName }
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([[made.id, '', 'missing_target']])
      const drop = { id: made.id, path: '', use: 'theirs' as const }
      expect(await conflictsOf(api.packages.merge({ ...ref, resolutions: [drop] }))).toEqual([
        [item.id, 'categories', 'missing_target'],
      ])
      const bare = { id: item.id, path: 'categories', value: [] }
      await api.packages.merge({ ...ref, resolutions: [drop, bare] })
      expect((await system.items.get({ configId, id: item.id })).taxonomies).toEqual([])
    })

    it('never moves one into another taxonomy', async () => {
      const { api } = bench()
      const [taxonomy, other] = [await aTaxonomy(), await aTaxonomy()]
      const [category, parent, foreign] = [
        await aCategory(taxonomy),
        await aCategory(taxonomy),
        await aCategory(other),
      ]
      const { repo, packageName } = await newPackage(api)
      await api.categories.move({ ...inTaxonomy(category), packageName, parentId: parent.id })
      await api.categories.delete(inTaxonomy(parent))
      const resolve = (value: string | null) => ({
        repo,
        packageName,
        resolutions: [{ id: category.id, path: 'parentId', value }],
      })
      expect(await conflictsOf(api.packages.merge(resolve(foreign.id)))).toEqual([
        [category.id, 'parentId', 'invalid'],
      ])
      await api.packages.merge(resolve(null))
      expect(await api.categories.get(inTaxonomy(category))).toMatchObject({ parentId: null })
    })
  })
}
