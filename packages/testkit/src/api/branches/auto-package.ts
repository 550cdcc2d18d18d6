import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo
const repositoryId = repo

/**
 * Rules that redirect saves on main into packages, and saves that follow them (specification 4.3).
 */
export function autoPackageTests(bench: () => Bench): void {
  beforeAll(async () => {
    await prepareMagazine(bench().system)
    await bench().system.repositories.create({ name: 'elsewhere' })
  })

  describe('auto-package rules', () => {
    it('are created, read, changed, listed and deleted', async () => {
      const { api } = bench()
      const rule = await api.autoPackageRules.create({
        repositoryId,
        name: 'Authors',
        types: ['author'],
        enabled: false,
      })
      expect(rule).toMatchObject({
        id: expect.stringMatching(/^RULE_/),
        folders: [],
        statuses: [],
        packageNameTemplate: null,
      })
      expect(await api.autoPackageRules.get({ id: rule.id })).toEqual(rule)
      const changed = await api.autoPackageRules.update({ id: rule.id, statuses: ['published'] })
      expect(changed).toMatchObject({ types: ['author'], statuses: ['published'] })
      expect(await api.autoPackageRules.list({ repositoryId })).toEqual({ count: 1, items: [changed] })
      const stale = { ifMatch: 'RULE_x.9' }
      await failing(api.autoPackageRules.update({ id: rule.id, name: 'x' }, stale), 'precondition_failed')
      await failing(api.autoPackageRules.delete({ id: rule.id }, stale), 'precondition_failed')
      await failing(
        api.autoPackageRules.create({ repositoryId, name: 'Authors', enabled: false }),
        'name_taken',
      )
      const other = await api.autoPackageRules.create({ repositoryId, name: 'Others', enabled: false })
      await failing(api.autoPackageRules.update({ id: other.id, name: 'Authors' }), 'name_taken')
      await api.autoPackageRules.delete({ id: other.id })
      await api.autoPackageRules.delete({ id: rule.id })
      await failing(api.autoPackageRules.get({ id: rule.id }), 'not_found')
      await failing(api.autoPackageRules.update({ id: rule.id }), 'not_found')
      await failing(api.autoPackageRules.delete({ id: rule.id }), 'not_found')
    })

    it('must name existing types and folders, and a valid template', async () => {
      const { api } = bench()
      const draft = { repositoryId, name: 'Bad' }
      const at = (given: object) => invalidAt(api.autoPackageRules.create({ ...draft, ...given }))
      expect(await at({ types: ['article', 'nope'] })).toEqual(['types.1'])
      expect(await at({ folders: ['FOLD_nope'] })).toEqual(['folders.0'])
      expect(await at({ packageNameTemplate: '{% for %}' })).toEqual(['packageNameTemplate'])
      await failing(api.autoPackageRules.create({ ...draft, repositoryId: 'nowhere' }), 'not_found')
      await failing(api.autoPackageRules.list({ repositoryId: 'nowhere' }), 'not_found')
      const once = { idempotencyKey: 'rule-1' }
      await api.autoPackageRules.create({ ...draft, name: 'Once', enabled: false }, once)
      await failing(api.autoPackageRules.create(draft, once), 'idempotency_mismatch')
    })

    it('are for administrators only', async () => {
      const { api, as } = bench()
      const rule = await api.autoPackageRules.create({ repositoryId, name: 'Guarded', enabled: false })
      const editor = await as({ bundles: ['bundle.editor'] })
      await failing(editor.autoPackageRules.create({ repositoryId, name: 'Mine' }), 'forbidden')
      await failing(editor.autoPackageRules.update({ id: rule.id, enabled: true }), 'forbidden')
      expect(await editor.autoPackageRules.get({ id: rule.id })).toEqual(rule)
    })
  })

  describe('a save that a rule matches', () => {
    it('is refused on main by every operation, and allowed in packages', async () => {
      const { api } = bench()
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Ruled subjects' })
      const had = await api.categories.create({ configId, taxonomyId, name: 'Had' })
      const wanted = await api.categories.create({ configId, taxonomyId, name: 'Wanted' })
      const item = await api.items.create(
        anArticle({ name: 'Ruled', fields: { title: 'Ruled' }, categories: [had.id] }),
      )
      await api.items.publish({ configId, id: item.id })
      const rule = await api.autoPackageRules.create({
        repositoryId,
        name: 'Published',
        types: ['article'],
        statuses: ['published'],
      })
      const on = { configId, id: item.id }
      const error = await failing(api.items.update({ ...on, name: 'x' }), 'auto_package_required')
      expect(error.details).toMatchObject({ ruleId: rule.id, ruleName: 'Published' })
      await failing(api.items.move({ ...on, folderId: null }), 'auto_package_required')
      await failing(api.items.restore({ ...on, version: 1 }), 'auto_package_required')
      await failing(api.items.categorize({ ...on, categoryId: wanted.id }), 'auto_package_required')
      await failing(api.items.decategorize({ ...on, categoryId: had.id }), 'auto_package_required')
      const bulk = await api.items.bulk({ configId, action: 'update', ids: [item.id], input: { name: 'x' } })
      expect(bulk.outcomes).toMatchObject([{ ok: false, error: { code: 'auto_package_required' } }])
      expect((await api.items.get(on)).latestVersion).toBe(1)
      await api.items.create(anArticle({ name: 'A draft is free' }))

      await api.packages.create({ repo, name: 'existing' })
      const save = {
        repositoryId,
        ruleId: rule.id,
        packageAction: 'addToExisting',
        packageName: 'existing',
      } as const
      const saved = await api.autoPackage.createAndSave({
        ...save,
        item: { ...item, name: 'Renamed', unknown: true },
      })
      const packageId = (await api.packages.get({ repo, packageName: 'existing' })).id
      expect(saved).toMatchObject({
        id: item.id,
        name: 'Renamed',
        packageName: 'existing',
        autoPackage: {
          ruleId: rule.id,
          ruleName: 'Published',
          packageId,
          packageName: 'existing',
          action: 'addToExisting',
          created: false,
        },
      })
      await api.packages.merge({ repo, packageName: 'existing' })
      expect((await api.items.get(on)).name).toBe('Renamed')
      await failing(api.autoPackage.createAndSave({ ...save, item: { id: item.id } }), 'invalid_state')
      await api.autoPackageRules.delete({ id: rule.id })
    })

    it('creates its package together with the item, or nothing', async () => {
      const { api } = bench()
      const rule = await api.autoPackageRules.create({
        repositoryId,
        name: 'All authors',
        types: ['author'],
        packageNameTemplate: '{{ rule.name }}: {{ item.name }} / {{ date }}',
      })
      const author = { repositoryId, type: 'author', name: 'Ada', fields: { email: 'ada@example.org' } }
      await failing(api.items.create(author), 'auto_package_required')
      const save = { repositoryId, ruleId: rule.id, packageAction: 'createNew', item: author } as const
      const named = await api.autoPackage.createAndSave({
        ...save,
        newPackageName: 'New authors',
        newPackageDescription: 'By hand',
      })
      expect(named.autoPackage).toMatchObject({
        packageName: 'New authors',
        created: true,
        action: 'createNew',
      })
      expect((await api.packages.get({ repo, packageName: 'New authors' })).description).toBe('By hand')
      const byTemplate = await api.autoPackage.createAndSave({
        ...save,
        item: { ...author, fields: {}, name: 'Charles & Co' },
      })
      expect(byTemplate.autoPackage.packageName).toMatch(/^All authors Charles Co\/\d{4}-\d\d-\d\d$/)
      await failing(api.autoPackage.createAndSave({ ...save, newPackageName: 'New authors' }), 'name_taken')
      expect(await invalidAt(api.autoPackage.createAndSave({ ...save, newPackageName: 'a//b' }))).toEqual([
        'newPackageName',
      ])
      const broken = { ...save, newPackageName: 'Never made', item: { ...author, fields: { email: 'no' } } }
      expect(await invalidAt(api.autoPackage.createAndSave(broken))).toEqual(['fields.email'])
      await failing(api.packages.get({ repo, packageName: 'Never made' }), 'not_found')
      await api.autoPackageRules.delete({ id: rule.id })
    })

    it('must name a package, a matching rule and a type', async () => {
      const { api } = bench()
      const rule = await api.autoPackageRules.create({ repositoryId, name: 'Strict', types: ['author'] })
      await api.packages.create({ repo, name: 'authors' })
      const item = { type: 'author', name: 'Ada' }
      const save = {
        repositoryId,
        ruleId: rule.id,
        packageAction: 'addToExisting',
        packageName: 'authors',
        item,
      } as const
      const { packageName: _, ...unnamed } = save
      expect(await invalidAt(api.autoPackage.createAndSave(unnamed))).toEqual(['packageName'])
      expect(
        await invalidAt(api.autoPackage.createAndSave({ ...unnamed, packageAction: 'createNew' })),
      ).toEqual(['newPackageName'])
      expect(
        await invalidAt(api.autoPackage.createAndSave({ ...save, item: { type: 'article', name: 'x' } })),
      ).toEqual(['ruleId'])
      expect(await invalidAt(api.autoPackage.createAndSave({ ...save, item: { name: 'x' } }))).toEqual([
        'type',
      ])
      await failing(api.autoPackage.createAndSave({ ...save, repositoryId: 'nowhere' }), 'not_found')
      await failing(api.autoPackage.createAndSave({ ...save, repositoryId: 'elsewhere' }), 'not_found')
      await failing(api.autoPackage.createAndSave({ ...save, ruleId: 'RULE_nope' }), 'not_found')
      await failing(api.autoPackage.createAndSave({ ...save, packageName: 'nowhere' }), 'not_found')
      await failing(api.autoPackage.createAndSave({ ...save, item: { id: 'CONT_nope' } }), 'not_found')
      const first = await api.autoPackage.createAndSave({ ...save, item: { ...item, slug: 'ada' } })
      await failing(api.autoPackage.createAndSave({ ...save, item: { ...item, slug: 'ada' } }), 'slug_taken')
      expect(first.slug).toBe('ada')
      const once = { idempotencyKey: 'save-1' }
      const stored = await api.autoPackage.createAndSave(save, once)
      expect(await api.autoPackage.createAndSave(save, once)).toEqual(stored)
      await failing(
        api.autoPackage.createAndSave({ ...save, item: { ...item, name: 'y' } }, once),
        'idempotency_mismatch',
      )
      await api.autoPackageRules.delete({ id: rule.id })
    })
  })
}
