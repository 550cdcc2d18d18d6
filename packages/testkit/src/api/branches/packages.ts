import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage, onMain } from './package-steps.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Update packages: what they show and what they contain. */
export function packageTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const anArticleOnMain = articlesOnMain(bench)

  describe('packages', () => {
    it('are created, read, described, listed and deleted with a tombstone', async () => {
      const { api } = bench()
      const spring = await api.packages.create({ repo, name: 'Frühling 27', description: 'Spring' })
      expect(spring).toMatchObject({
        name: 'Frühling 27',
        state: 'open',
        description: 'Spring',
        revertOf: null,
      })
      const ref = { repo, packageName: spring.name }
      expect(await api.packages.get(ref)).toEqual(spring)
      const described = await api.packages.update({ ...ref, description: 'The spring issue' })
      expect(described.description).toBe('The spring issue')
      expect((await api.packages.list({ repo })).items.map(({ name }) => name)).toContain('Frühling 27')
      await api.items.create(anArticle({ name: 'Only here', packageName: spring.name }))
      expect(await api.packages.delete({ ...ref, dryRun: true })).toMatchObject({ changes: 1 })
      expect(await api.packages.get(ref)).toEqual(described)
      await api.packages.delete(ref)
      await failing(api.packages.get(ref), 'not_found')
      const { items } = await api.packages.list({ repo, state: 'deleted' })
      expect(items).toMatchObject([{ id: spring.id, name: 'Frühling 27', state: 'deleted' }])
      const again = await api.packages.create({ repo, name: 'Frühling 27' })
      expect(again.id).not.toBe(spring.id)
      expect((await api.packages.changes({ repo, packageName: again.name })).count).toBe(0)
    })

    it('have unique names that can be used in URLs', async () => {
      const { api } = bench()
      await newPackage(api, 'taken')
      await failing(api.packages.create({ repo, name: 'taken' }), 'name_taken')
      for (const name of [
        '',
        'a//b',
        'ink\u3164',
        '\u115f',
        '/a',
        'a/',
        'a/../b',
        'a/ b',
        'a /b',
        '.',
        '..',
        'a.b',
        '_package',
        'a\u0000b',
        'a\nb',
        ' a',
        'a ',
        '-a',
        'import',
        'import/a',
        'agent/merge',
        'agent/changes/a',
        `agent/CONT_${'0'.repeat(26)}`,
      ])
        expect(await invalidAt(api.packages.create({ repo, name })), name).toEqual(['name'])
      const ghost = { repo, packageName: 'nowhere' }
      await allFailing(
        [
          api.packages.get(ghost),
          api.packages.update({ ...ghost, description: '' }),
          api.packages.delete(ghost),
          api.packages.changes(ghost),
          api.packages.diff(ghost),
          api.packages.conflicts(ghost),
          api.packages.sync(ghost),
          api.packages.merge(ghost),
          api.packages.revert(ghost),
          api.packages.addItem({ ...ghost, id: 'CONT_1' }),
          api.packages.removeChange({ ...ghost, entityId: 'CONT_1' }),
          api.packages.list({ repo: 'nowhere' }),
          api.packages.create({ repo: 'nowhere', name: 'x' }),
        ],
        'not_found',
      )
    })

    it('may have names of several segments', async () => {
      const { api } = bench()
      const name = `agent/Übersetzer/${'2026-11-27 '.repeat(16)}1`
      const { packageName } = await newPackage(api, name)
      expect(packageName).toBe(name)
      const item = await api.items.create(anArticle({ name: 'In segments', packageName }))
      expect(await api.items.get(inPackage(item, packageName))).toEqual(item)
      expect((await api.packages.changes({ repo, packageName })).count).toBe(1)
      expect(await api.workflow.get({ repo, packageName })).toEqual({ workflowInfo: null })
      const { items } = await api.activity.list({ configId, packageName })
      expect(items.map((entry) => entry.packageName)).toContain(name)
      await api.packages.merge({ repo, packageName })
      const revert = await api.packages.revert({ repo, packageName })
      expect(revert.name).toBe(`revert-${name}`.slice(0, 200).trimEnd())
      await failing(api.packages.get({ repo, packageName: 'agent' }), 'not_found')
    })

    it('refuse a stale If-Match', async () => {
      const { api } = bench()
      const ref = await newPackage(api)
      const stale = { ifMatch: 'PACK_x.9' }
      await failing(api.packages.update({ ...ref, description: 'x' }, stale), 'precondition_failed')
      await failing(api.packages.delete(ref, stale), 'precondition_failed')
    })

    it('show main with their changes on top, and main shows none of them', async () => {
      const { api } = bench()
      const [stored, changed, deleted] = [
        await anArticleOnMain('Kept'),
        await anArticleOnMain('Changed', { price: 1 }),
        await anArticleOnMain('Deleted'),
      ]
      const before = await api.items.list({ configId, limit: 1000 })
      const { packageName, ...ref } = { ...(await newPackage(api)) }
      const made = await api.items.create(anArticle({ name: 'Made', packageName }))
      await api.items.update({ ...inPackage(changed, packageName), fields: { price: 2 } })
      await api.items.delete(inPackage(deleted, packageName))
      expect(await api.items.list({ configId, limit: 1000 })).toEqual(before)
      await failing(api.items.get(onMain(made)), 'not_found')
      const visible = await api.items.list({ configId, packageName, limit: 1000 })
      expect(visible.items.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Kept', 'Changed', 'Made']),
      )
      expect(visible.items.map(({ name }) => name)).not.toContain('Deleted')
      expect((await api.items.get(inPackage(changed, packageName))).fields).toMatchObject({ price: 2 })
      expect(await api.items.get(inPackage(stored, packageName))).toEqual(await api.items.get(onMain(stored)))
      const { count, items } = await api.packages.changes({ ...ref, packageName })
      expect(count).toBe(3)
      expect(Object.fromEntries(items.map(({ entity, kind }) => [entity.name, kind]))).toEqual({
        Changed: 'update',
        Deleted: 'delete',
        Made: 'create',
      })
      const { items: differences } = await api.packages.diff({ ...ref, packageName })
      expect(differences.find(({ entity }) => entity.name === 'Changed')?.changes).toEqual([
        { path: 'fields.price', kind: 'changed', before: 1, after: 2 },
      ])
    })

    it('pin their content: main changes independently, and the diff shows it', async () => {
      const { api } = bench()
      const item = await anArticleOnMain('Pinned', { price: 1 })
      const ref = await newPackage(api)
      const added = await api.packages.addItem({ ...ref, id: item.id })
      expect(added).toMatchObject({ kind: 'none', baseVersion: 1, mainVersion: 1, mainMoved: false })
      expect(await api.packages.addItem({ ...ref, id: item.id })).toEqual(added)
      const pinned = await api.items.get(inPackage(item, ref.packageName))
      await api.items.update({ ...onMain(item), fields: { price: 9 } })
      await api.items.publish(onMain(item))
      expect(await api.items.get(inPackage(item, ref.packageName))).toEqual(pinned)
      const { items } = await api.packages.changes(ref)
      expect(items).toMatchObject([{ kind: 'none', mainVersion: 2, mainMoved: true }])
      await failing(api.packages.addItem({ ...ref, id: 'CONT_nowhere' }), 'not_found')
    })

    it('show the version that main had published when an item was added', async () => {
      const { api } = bench()
      const item = await anArticleOnMain('Published before')
      await api.items.publish(onMain(item))
      const ref = await newPackage(api)
      const accepted = await api.items.update({
        ...inPackage(item, ref.packageName),
        name: 'A draft over it',
      })
      expect(accepted).toMatchObject({ isPublished: true, status: 'draft', isLatestPublished: false })
      const published = { ...inPackage(item, ref.packageName), version: 'latestpublished' as const }
      expect(await api.items.get(published)).toMatchObject({
        name: 'Published before',
        currentVersion: 1,
        packageName: null,
        isLatestPublished: true,
      })
      await api.items.unpublish(inPackage(item, ref.packageName))
      await failing(api.items.get(published), 'not_found')
      await api.packages.merge(ref)
      expect(await api.items.get(onMain(item))).toMatchObject({ isPublished: false, name: 'A draft over it' })
    })

    it('can drop a change, and then show main again', async () => {
      const { api } = bench()
      const item = await anArticleOnMain('Given up')
      const ref = await newPackage(api)
      await api.items.update({ ...inPackage(item, ref.packageName), name: 'Changed' })
      const change = { ...ref, entityId: item.id }
      expect(await api.packages.removeChange({ ...change, dryRun: true })).toMatchObject({ kind: 'update' })
      expect((await api.packages.changes(ref)).count).toBe(1)
      await api.packages.removeChange(change)
      expect(await api.items.get(inPackage(item, ref.packageName))).toEqual(await api.items.get(onMain(item)))
      await failing(api.packages.removeChange(change), 'not_found')
      const author = await api.items.create({
        repositoryId: repo,
        type: 'author',
        name: 'A',
        packageName: ref.packageName,
      })
      await api.items.create(
        anArticle({ name: 'B', packageName: ref.packageName, fields: { author: author.id } }),
      )
      await failing(api.packages.removeChange({ ...ref, entityId: author.id }), 'referenced')
      await api.items.update({ ...inPackage(item, ref.packageName), slug: 'given-up-too' })
      await api.items.create(anArticle({ name: 'C', slug: item.slug, packageName: ref.packageName }))
      await failing(api.packages.removeChange(change), 'slug_taken')
      const email = 'ada@example.org'
      const ada = await api.items.create({
        repositoryId: repo,
        type: 'author',
        name: 'Ada',
        fields: { email },
      })
      await api.items.update({ ...inPackage(ada, ref.packageName), fields: { email: 'ada@example.com' } })
      const packageName = ref.packageName
      await api.items.create({
        repositoryId: repo,
        type: 'author',
        name: 'Eve',
        packageName,
        fields: { email },
      })
      await failing(api.packages.removeChange({ ...ref, entityId: ada.id }), 'value_taken')
    })
  })
}
