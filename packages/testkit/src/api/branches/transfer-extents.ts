import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle } from '../delivery/magazine.ts'
import { failing, invalidAt } from '../failing.ts'
import { prepareFiles } from '../files/files.ts'
import { zipEntries } from '../files/zip-entries.ts'
import type { Bench } from '../host.ts'
import {
  anAuthor,
  contentOf,
  exported,
  importInto,
  linesOf,
  noChanges,
  otherInstallations,
} from './transfer-steps.ts'

const id = 'magazine'
const configId = id

/** Exporting a package, a folder or the result of a query, and importing the file. */
export function transferExtentTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const elsewhere = otherInstallations(bench)
  const pass = (ms = 1000) => bench().scope.clock.advance(ms)

  describe('an exported package', () => {
    it('can be made by an import although one line takes the name that a later one gives up', async () => {
      const { api } = bench()
      const folder = (name: string, parentId: string | null = null) =>
        api.folders.create({ configId, name, parentId })
      const top = await folder('Drawer')
      const below = await folder('Drawer', top.id)
      pass()
      const other = await elsewhere()
      await importInto(other, await exported(api))
      await other.folders.update({ configId, id: top.id, name: 'Chest' })
      await other.folders.move({ configId, id: below.id, parentId: null })
      const plan = await importInto(api, await exported(other), { package: 'drawers' })
      expect(plan).toMatchObject({ applied: true, refuse: [], counts: { update: 2 } })
      await api.packages.merge({ repo: configId, packageName: 'drawers' })
      expect(await api.folders.get({ configId, id: below.id })).toMatchObject({
        name: 'Drawer',
        parentId: null,
      })
    })

    it('is what it changes, and makes the same of another installation', async () => {
      const { api } = bench()
      const folder = await api.folders.create({ configId, name: 'Wells' })
      const changed = await anAuthor(api, 'Changed')
      const removed = await anAuthor(api, 'Removed')
      await anAuthor(api, 'Untouched')
      pass()
      const [straight, reviewed] = [await elsewhere(), await elsewhere()]
      for (const other of [straight, reviewed]) await importInto(other, await exported(api))
      pass()
      const ours = { configId, packageName: 'wells' }
      await api.packages.create({ repo: id, name: 'wells' })
      await api.items.update({ ...ours, id: changed.id, fields: { title: 'Changed here' } })
      await api.items.delete({ ...ours, id: removed.id })
      const packageName = 'wells'
      const fresh = await api.items.create({
        ...anArticle({ name: 'Fresh', folderId: folder.id, fields: { title: 'Fresh' } }),
        packageName,
      })
      await api.items.publish({ ...ours, id: fresh.id })
      const passing = await api.items.create({ ...anArticle({ name: 'Passing' }), packageName })
      await api.items.delete({ ...ours, id: passing.id })
      pass()
      const file = await exported(api, { packageName: 'wells' })
      expect(new Set(linesOf(file).map((line) => line.id))).toEqual(
        new Set([changed.id, removed.id, fresh.id]),
      )

      const counts = { ...noChanges, create: 1, update: 1, delete: 1 }
      expect(await importInto(straight, file)).toMatchObject({ applied: true, counts, refuse: [] })
      expect((await importInto(straight, file)).counts).toMatchObject({ create: 0, update: 0, delete: 0 })
      const into = { repo: id, packageName: 'from here' }
      expect((await importInto(reviewed, file, { package: 'from here' })).counts).toEqual(counts)
      const { items: changes } = await reviewed.packages.changes(into)
      expect(new Map(changes.map(({ entity, kind }) => [entity.id, kind]))).toEqual(
        new Map([
          [changed.id, 'update'],
          [removed.id, 'delete'],
          [fresh.id, 'create'],
        ]),
      )
      expect(await reviewed.items.get({ configId, id: removed.id })).toMatchObject({ name: 'Removed' })
      await reviewed.packages.merge(into)
      for (const other of [straight, reviewed]) {
        await failing(other.items.get({ configId, id: removed.id }), 'not_found')
        expect(await other.items.get({ configId, id: changed.id })).toMatchObject({
          fields: { title: 'Changed here' },
        })
        expect(await other.items.get({ configId, id: fresh.id })).toMatchObject({
          status: 'published',
          folderId: folder.id,
        })
      }
      expect(await invalidAt(importInto(straight, file, { prune: true }))).toEqual(['file'])
    })

    it('deletes structure after what was in it', async () => {
      const { api } = bench()
      const [old, kept] = [
        await api.folders.create({ configId, name: 'Old' }),
        await api.folders.create({ configId, name: 'Kept' }),
      ]
      const inner = await api.folders.create({ configId, name: 'Inner', parentId: old.id })
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Gone' })
      const category = await api.categories.create({ configId, taxonomyId, name: 'Gone' })
      const moved = await api.items.create(
        anArticle({ name: 'Moved', folderId: inner.id, categories: [category.id] }),
      )
      const dropped = await api.items.create(anArticle({ name: 'Dropped', folderId: inner.id }))
      pass()
      const [straight, reviewed] = [await elsewhere(), await elsewhere()]
      for (const other of [straight, reviewed]) await importInto(other, await exported(api))
      pass()
      const ours = { configId, packageName: 'clean up' }
      await api.packages.create({ repo: id, name: 'clean up' })
      await api.items.update({ ...ours, id: moved.id, folderId: kept.id, categories: [] })
      await api.items.delete({ ...ours, id: dropped.id })
      await api.folders.delete({ ...ours, id: inner.id })
      await api.folders.delete({ ...ours, id: old.id })
      await api.categories.delete({ ...ours, taxonomyId, id: category.id })
      await api.taxonomies.delete({ ...ours, id: taxonomyId })
      const file = await exported(api, { packageName: 'clean up' })
      const counts = { create: 0, update: 1, delete: 5, refuse: 0, conflicts: 0 }
      expect((await importInto(straight, file)).counts).toMatchObject(counts)
      expect((await importInto(reviewed, file, { package: 'from here' })).counts).toMatchObject(counts)
      await reviewed.packages.merge({ repo: id, packageName: 'from here' })
      for (const other of [straight, reviewed]) {
        for (const gone of [inner.id, old.id])
          await failing(other.folders.get({ configId, id: gone }), 'not_found')
        await failing(other.taxonomies.get({ configId, id: taxonomyId }), 'not_found')
        await failing(other.items.get({ configId, id: dropped.id }), 'not_found')
        expect(await other.items.get({ configId, id: moved.id })).toMatchObject({ folderId: kept.id })
        expect((await importInto(other, file)).counts).toMatchObject({ update: 0, delete: 0 })
      }
    })

    it('deletes alone', async () => {
      const { api } = bench()
      const gone = await anAuthor(api, 'Alone')
      const other = await elsewhere()
      await importInto(other, await exported(api))
      await api.packages.create({ repo: id, name: 'one less' })
      await api.items.delete({ configId, packageName: 'one less', id: gone.id })
      const file = await exported(api, { packageName: 'one less' })
      expect((await importInto(other, file)).counts).toMatchObject({ delete: 1, update: 0 })
      await failing(other.items.get({ configId, id: gone.id }), 'not_found')
    })

    it('deletes nothing without the right to, nor what it has no past with', async () => {
      const { api } = bench()
      const gone = await anAuthor(api, 'Gone')
      const other = await elsewhere()
      await importInto(other, await exported(api))
      await api.packages.create({ repo: id, name: 'away' })
      await api.items.delete({ configId, packageName: 'away', id: gone.id })
      const file = await exported(api, { packageName: 'away' })
      const editor = await bench().as({
        bundles: [],
        overrides: { grant: ['admin.repositories.import', 'items.read', 'items.update'], revoke: [] },
      })
      const plan = await importInto(editor, file, { dryRun: true })
      expect(plan.refuse).toMatchObject([{ id: gone.id, message: expect.stringContaining('items.delete') }])
      await other.items.update({ configId, id: gone.id, fields: { title: 'Kept' } })
      const conflicting = await importInto(other, file, { dryRun: true })
      expect(conflicting).toMatchObject({ counts: { delete: 0, conflicts: 1 } })
      const empty = await importInto(await elsewhere(), file)
      expect(empty.counts).toMatchObject({ create: 0, delete: 0, unchanged: 1 })
    })
  })

  describe('an exported folder', () => {
    it('is all that is in it, with the folders and categories that those are in', async () => {
      const { api } = bench()
      const top = await api.folders.create({ configId, name: 'Papers' })
      const folder = await api.folders.create({ configId, name: 'Laid', parentId: top.id })
      const below = await api.folders.create({ configId, name: 'Chain lines', parentId: folder.id })
      await api.folders.create({ configId, name: 'Wove', parentId: top.id })
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Makers' })
      const parent = await api.categories.create({ configId, taxonomyId, name: 'Mills' })
      const category = await api.categories.create({
        configId,
        taxonomyId,
        name: 'Fabriano',
        parentId: parent.id,
      })
      const inside = await api.items.create(
        anArticle({ name: 'Inside', folderId: below.id, categories: [category.id] }),
      )
      const archived = await api.items.create(anArticle({ name: 'Old', folderId: folder.id }))
      await api.items.archive({ configId, id: archived.id })
      await api.items.create(anArticle({ name: 'Beside', folderId: top.id }))
      const file = await exported(api, { folderId: folder.id })
      expect(new Set(linesOf(file).map((line) => line.id))).toEqual(
        new Set([top.id, folder.id, below.id, taxonomyId, parent.id, category.id, inside.id, archived.id]),
      )
      expect(manifestOf(file)).toMatchObject({ extent: 'folder', folderId: folder.id, complete: true })
      const other = await elsewhere()
      expect((await importInto(other, file)).counts).toMatchObject({ create: 8, refuse: 0 })
      expect(contentOf(await exported(other, { folderId: folder.id }))).toEqual(contentOf(file))
    })

    it('prunes only what is in it', async () => {
      const { api } = bench()
      const folder = await api.folders.create({ configId, name: 'Pruned' })
      const file = await exported(api, { folderId: folder.id })
      const below = await api.folders.create({ configId, name: 'Later', parentId: folder.id })
      const later = await api.items.create(anArticle({ name: 'Later', folderId: below.id }))
      const plan = await importInto(api, file, { prune: true, dryRun: true })
      expect(new Set(plan.changes.map(({ kind, entity }) => `${kind} ${entity.id}`))).toEqual(
        new Set([`delete ${below.id}`, `delete ${later.id}`]),
      )
    })
  })

  describe('the exported result of a query', () => {
    it('is what a list of the caller finds', async () => {
      const { api, as } = bench()
      const role = await api.roles.create({ name: 'Readers of quires' })
      const folder = await api.folders.create({ configId, name: 'Quires' })
      const [seen, hidden] = [
        await api.items.create(
          anArticle({ name: 'Quire one', folderId: folder.id, fields: { title: 'Q', price: 77 } }),
        ),
        await api.items.create(
          anArticle({ name: 'Quire two', readPerm: [role.id], fields: { title: 'Q', price: 77 } }),
        ),
      ]
      const query = { type: 'article', filter: { 'fields.price': { eq: 77 } } }
      const file = await exported(api, { query })
      expect(idsIn(file)).toEqual([seen.id, hidden.id].toSorted())
      expect(linesOf(file).map((line) => line.id)).toContain(folder.id)
      const reader = await as({
        bundles: [],
        overrides: { grant: ['admin.repositories.export', 'items.read'], revoke: [] },
      })
      const part = await exported(reader, { query })
      expect(idsIn(part)).toEqual([seen.id])
      // It does not tell whether there is something else.
      expect(manifestOf(part)).toMatchObject({ complete: false })
      await api.items.delete({ configId, id: hidden.id })
      expect(manifestOf(await exported(reader, { query }))).toMatchObject({ complete: false })
      expect(idsIn(await exported(api, { query: { text: 'nothing has these words' } }))).toEqual([])
    })

    it('is refused when it cannot be, before anything is sent', async () => {
      const { api } = bench()
      const query = { type: 'article' }
      expect(await invalidAt(exported(api, { query, packageName: 'wells' }))).toEqual(['query'])
      expect(await invalidAt(exported(api, { query: { filter: { 'fields.none': { eq: 1 } } } }))).toEqual([
        'filter.fields.none',
      ])
      await failing(exported(api, { folderId: 'none' }), 'not_found')
      await failing(exported(api, { packageName: 'none' }), 'not_found')
    })
  })
}

function idsIn(file: Uint8Array): string[] {
  return linesOf(file)
    .filter(({ kind }) => kind === 'item')
    .map((line) => line.id)
}

function manifestOf(file: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(zipEntries(file).get('manifest.json')))
}
