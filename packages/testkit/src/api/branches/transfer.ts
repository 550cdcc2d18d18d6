import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle } from '../delivery/magazine.ts'
import { failing, invalidAt } from '../failing.ts'
import { fileOf, prepareFiles } from '../files/files.ts'
import { zipEntries } from '../files/zip-entries.ts'
import { everything, type Bench } from '../host.ts'
import {
  anAuthor,
  bytesOf,
  contentOf,
  exported,
  importInto,
  linesOf,
  noChanges,
  otherInstallations,
  rewritten,
  withFields,
} from './transfer-steps.ts'

const id = 'magazine'
const configId = id

/** Exporting a repository, and importing the file elsewhere and here. */
export function transferTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const elsewhere = otherInstallations(bench)
  const pass = (ms = 1000) => bench().scope.clock.advance(ms)

  describe('an exported repository', () => {
    it('is in another installation what it was, and is exported as the same bytes', async () => {
      const { api } = bench()
      const folder = await api.folders.create({ configId, name: 'Inks' })
      const below = await api.folders.create({ configId, name: 'Iron', parentId: folder.id })
      const taxonomy = await api.taxonomies.create({ configId, name: 'Uses' })
      const { id: category } = await api.categories.create({
        configId,
        taxonomyId: taxonomy.id,
        name: 'Writing',
      })
      const author = await anAuthor(api, 'Bea')
      const article = await api.items.create(
        anArticle({
          name: 'Iron gall',
          folderId: below.id,
          categories: [category],
          fields: { title: 'Iron gall', price: 3, author: author.id, tags: ['a', 'b'] },
        }),
      )
      pass()
      await api.items.publish({ configId, id: article.id })
      pass()
      await api.items.update({ configId, id: article.id, fields: { price: 4 } })
      const picture = await api.assets.create({
        configId,
        name: 'Galls',
        file: await fileOf('png', 'galls.png'),
      })
      const archived = await api.items.create(anArticle({ name: 'Old', fields: { title: 'Old' } }))
      await api.items.archive({ configId, id: archived.id })
      const site = await api.sites.create({ configId, name: 'Site', slug: 'site' })
      await api.sections.create({ configId, siteId: site.id, name: 'News', slug: 'news' })
      pass()
      const file = await exported(api)
      expect(await exported(api)).toEqual(file)

      const other = await elsewhere()
      const plan = await importInto(other, file, { dryRun: true })
      expect(plan).toMatchObject({
        applied: false,
        refuse: [],
        conflicts: [],
        types: ['article', 'author', 'picture'],
      })
      expect(plan.counts).toEqual({ ...noChanges, create: 10 })
      expect((await other.items.list({ configId })).count).toBe(0)
      const done = await importInto(other, file, { planId: plan.planId })
      expect(done).toEqual({ ...plan, applied: true })
      const one = { configId, id: article.id }
      const [here, there] = [await api.items.get(one), await other.items.get(one)]
      const moved = (item: typeof here) => ({ ...item, repositoryId: '', versionHistory: [] })
      expect(moved(there)).toEqual(moved(here))
      expect(await other.items.get({ ...one, version: 'latestpublished' })).toMatchObject({
        fields: { price: 3 },
      })
      const bytes = await other.assets.get({ configId, assetId: picture.id, rendition: 'original' })
      expect(new Uint8Array(await bytes.bytes())).toEqual(
        new Uint8Array(await (await fileOf('png', 'x')).arrayBuffer()),
      )
      expect(contentOf(await exported(other))).toEqual(contentOf(file))
      expect((await importInto(other, file)).counts).toMatchObject({ create: 0, update: 0, unchanged: 10 })
    })

    it('shows the moment at which the export began', async () => {
      const { api } = bench()
      const changing = await api.items.create(anArticle({ name: 'Changing', fields: { title: 'before' } }))
      pass()
      const answer = await api.repositories.export({ id, blobs: false })
      const reader = answer.stream().getReader()
      pass()
      await api.items.update({ configId, id: changing.id, fields: { title: 'after' } })
      await anAuthor(api, 'Later')
      const lines = linesOf(await bytesOf(reader))
      expect(lines.find((line) => line.id === changing.id)?.content['fields']).toMatchObject({
        title: 'before',
      })
      expect(lines.map(({ content }) => content['name'])).not.toContain('Later')
    })

    it('is refused before it starts to a caller who reads too many at once', async () => {
      const api = await bench().as(everything)
      const { repositories } = await bench().inProcess(api)
      const held = []
      for (let count = 0; count < 2; count++) {
        const reader = (await repositories.export({ id })).stream().getReader()
        expect((await reader.read()).done).toBe(false)
        held.push(reader)
      }
      await failing(exported(api), 'too_many_requests')
      for (const reader of held) await reader.cancel()
      expect((await exported(api)).length).toBeGreaterThan(0)
    })

    it('has what its reader may read, and says only that it is not complete', async () => {
      const { api, as } = bench()
      const role = await api.roles.create({ name: 'Secret readers' })
      const hidden = await api.items.create(
        anArticle({ name: 'Hidden', readPerm: [role.id], fields: { title: 'Hidden' } }),
      )
      const reader = await as({
        bundles: [],
        overrides: { grant: ['admin.repositories.export', 'items.read', 'folders.read'], revoke: [] },
      })
      const entries = zipEntries(await exported(reader))
      expect([...entries.values()].map((bytes) => new TextDecoder().decode(bytes)).join('')).not.toContain(
        'Hidden',
      )
      const manifest = JSON.parse(new TextDecoder().decode(entries.get('manifest.json')))
      expect(manifest).toMatchObject({ complete: false, extent: 'repository', roles: {} })
      await failing((await as({ bundles: ['bundle.editor'] })).repositories.export({ id }), 'forbidden')
      await api.items.delete({ configId, id: hidden.id })
    })
  })

  describe('an import', () => {
    it('merges three ways with what both sides have changed since', async () => {
      const { api } = bench()
      const made = (name: string) =>
        api.items.create(anArticle({ name, fields: { title: name, notes: 'n', price: 1 } }))
      const [both, same, clash] = [await made('Both'), await made('Same'), await made('Clash')]
      pass()
      const other = await elsewhere()
      await importInto(other, await exported(api))
      const at = (item: { id: string }) => ({ configId, id: item.id })
      pass()
      await api.items.update({ ...at(both), fields: { price: 2 } })
      await api.items.update({ ...at(clash), fields: { price: 2 } })
      await other.items.update({ ...at(both), fields: { notes: 'there' } })
      await other.items.update({ ...at(same), fields: { notes: 'there' } })
      const back = await exported(other)
      expect((await importInto(api, back, { dryRun: true })).counts).toMatchObject({
        update: 2,
        conflicts: 0,
      })
      await importInto(api, back)
      expect((await api.items.get(at(both))).fields).toMatchObject({ price: 2, notes: 'there' })
      expect((await api.items.get(at(same))).fields).toMatchObject({ price: 1, notes: 'there' })
      expect((await api.items.get(at(clash))).fields).toMatchObject({ price: 2 })
      await other.items.update({ ...at(clash), fields: { price: 5 } })
      const clashing = await exported(other)
      const plan = await importInto(api, clashing, { dryRun: true })
      expect(plan.conflicts).toMatchObject([
        { entity: { id: clash.id }, path: 'fields.price', base: 1, ours: 5, theirs: 2 },
      ])
      const { conflicts } = await failing(importInto(api, clashing), 'merge_conflict')
      expect(conflicts).toHaveLength(1)
    })

    it('changes nothing with an older export, and is a conflict without a common past', async () => {
      const { api } = bench()
      const item = await api.items.create(anArticle({ name: 'Aged', fields: { title: 'Aged', price: 1 } }))
      const older = await exported(api)
      pass()
      await api.items.update({ configId, id: item.id, fields: { price: 2 } })
      await api.items.publish({ configId, id: item.id })
      expect((await importInto(api, older)).counts).toMatchObject({ update: 0, conflicts: 0 })
      expect(await api.items.get({ configId, id: item.id })).toMatchObject({
        fields: { price: 2 },
        status: 'published',
      })
      const foreign = await rewritten(older, (line) =>
        line.id === item.id ? withFields(line, { price: 9 }) : line,
      )
      expect((await importInto(api, foreign, { dryRun: true })).conflicts).toMatchObject([
        { path: '', entity: { id: item.id } },
      ])
    })

    it('can go into a package, whose merge resolves the conflicts', async () => {
      const { api } = bench()
      const item = await api.items.create(
        anArticle({ name: 'Boxed', fields: { title: 'Boxed', price: 1, notes: 'n' } }),
      )
      pass()
      const other = await elsewhere()
      await importInto(other, await exported(api))
      pass()
      await api.items.update({ configId, id: item.id, fields: { price: 2 } })
      await other.items.update({ configId, id: item.id, fields: { price: 3, notes: 'there' } })
      const fresh = await anAuthor(other, 'Fresh')
      const file = await exported(other)
      const plan = await importInto(api, file, { package: 'from there' })
      expect(plan).toMatchObject({
        applied: true,
        package: 'from there',
        counts: { create: 1, conflicts: 1 },
      })
      expect((await api.items.get({ configId, id: item.id })).fields).toMatchObject({ price: 2, notes: 'n' })
      const ref = { repo: id, packageName: 'from there' }
      const { items: conflicts } = await api.packages.conflicts(ref)
      expect(conflicts).toMatchObject([{ path: 'fields.price', base: 1, ours: 3, theirs: 2 }])
      await api.packages.merge({ ...ref, resolutions: [{ id: item.id, path: 'fields.price', use: 'ours' }] })
      expect((await api.items.get({ configId, id: item.id })).fields).toMatchObject({
        price: 3,
        notes: 'there',
      })
      expect(await api.items.get({ configId, id: fresh.id })).toMatchObject({ name: 'Fresh' })
      await failing(importInto(api, file, { package: 'from there', dryRun: true }), 'name_taken')
    })

    it('applies the plan that was reviewed, and no other', async () => {
      const { api } = bench()
      const other = await elsewhere()
      const item = await anAuthor(api, 'Reviewed')
      await importInto(other, await exported(api))
      await other.items.update({ configId, id: item.id, fields: { title: 'changed' } })
      const file = await exported(other)
      const { planId } = await importInto(api, file, { dryRun: true })
      pass()
      await api.items.update({ configId, id: item.id, description: 'meanwhile' })
      await failing(importInto(api, file, { planId }), 'plan_stale')
      expect((await api.items.get({ configId, id: item.id })).fields).toMatchObject({ title: 'Reviewed' })
    })

    it('deletes only with prune, from a complete file, and what is in no file', async () => {
      const other = await elsewhere()
      const { api } = bench()
      await importInto(other, await exported(api))
      const mine = await anAuthor(other, 'Mine')
      const file = await exported(api)
      expect((await importInto(other, file)).counts).toMatchObject({ delete: 0 })
      const plan = await importInto(other, file, { prune: true, dryRun: true })
      expect(plan.changes).toMatchObject([{ kind: 'delete', entity: { id: mine.id } }])
      await importInto(other, file, { prune: true })
      await failing(other.items.get({ configId, id: mine.id }), 'not_found')
      const part = await rewritten(file, (line) => line, { complete: false })
      expect(await invalidAt(importInto(other, part, { prune: true }))).toEqual(['file'])
    })

    it('never drops a role list', async () => {
      const { api } = bench()
      const role = await api.roles.create({ name: 'Editors of inks' })
      const item = await api.items.create(
        anArticle({ name: 'Guarded', writePerm: [role.id], fields: { title: 'Guarded' } }),
      )
      const file = await exported(api)
      const other = await elsewhere()
      const plan = await importInto(other, file, { dryRun: true })
      const refused = plan.refuse.find((refusal) => refusal.id === item.id)
      expect(refused).toMatchObject({
        path: 'writePerm',
        at: expect.stringMatching(/^content\/item-0001\.ndjson:\d+$/),
      })
      expect(refused?.message).toContain('Editors of inks')
      await failing(importInto(other, file), 'import_refused')
      const { id: here } = await other.roles.create({ name: 'Inkers' })
      const roles = Object.fromEntries(
        plan.refuse.map(({ message }) => [/ROLE_\w+/.exec(message)?.[0] ?? '', here]),
      )
      await importInto(other, file, { roles })
      expect((await other.items.get({ configId, id: item.id })).writePerm).toEqual([here])
      await api.items.delete({ configId, id: item.id })
    })

    it('is limited by the rights of the caller', async () => {
      const { api, as } = bench()
      const other = await elsewhere()
      await importInto(other, await exported(api))
      const item = await anAuthor(other, 'From there')
      const file = await exported(other)
      const importer = await as({
        bundles: [],
        overrides: { grant: ['admin.repositories.import', 'items.read', 'items.update'], revoke: [] },
      })
      const plan = await importInto(importer, file, { dryRun: true })
      expect(plan.refuse).toMatchObject([{ id: item.id, message: expect.stringContaining('items.create') }])
      await failing(importInto(await as({ bundles: ['bundle.publisher'] }), file), 'forbidden')
    })
  })
}
