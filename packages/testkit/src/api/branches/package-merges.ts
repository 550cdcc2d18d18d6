import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage, onMain } from './package-steps.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Merging a package and reverting the merge. */
export function packageMergeTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const anArticleOnMain = articlesOnMain(bench)

  describe('a merge', () => {
    it('applies creations, updates, deletions and state changes to main, one version each', async () => {
      const { api, scope } = bench()
      const [changed, deleted, archived, untouched] = [
        await anArticleOnMain('To change', { price: 1 }),
        await anArticleOnMain('To delete'),
        await anArticleOnMain('To archive'),
        await anArticleOnMain('To leave'),
      ]
      const ref = await newPackage(api)
      const { packageName } = ref
      const made = await api.items.create(anArticle({ name: 'Brand new', packageName }))
      await api.items.update({ ...inPackage(changed, packageName), fields: { price: 2 } })
      await api.items.update({ ...inPackage(changed, packageName), fields: { price: 3 } })
      await api.items.publish(inPackage(changed, packageName))
      await api.items.delete(inPackage(deleted, packageName))
      await api.items.archive(inPackage(archived, packageName))
      await api.packages.addItem({ ...ref, id: untouched.id })
      await api.items.update({ ...onMain(changed), fields: { notes: 'meanwhile' } })
      const conflicts = await api.packages.conflicts(ref)
      expect(conflicts).toMatchObject({ count: 0, items: [] })
      const foretold = await api.packages.merge({ ...ref, dryRun: true })
      expect(foretold.planId).toBe(conflicts.planId)
      expect(await api.items.get(onMain(changed))).toMatchObject({ latestVersion: 2 })
      const report = await api.packages.merge({ ...ref, planId: foretold.planId })
      expect(report.changes).toEqual(foretold.changes)
      expect(report.package).toMatchObject({ state: 'merged', mergedByUser: expect.anything() })
      expect(
        report.changes.map(({ entity, kind, version, published }) => [entity.name, kind, version, published]),
      ).toEqual(
        expect.arrayContaining([
          ['To change', 'update', 3, true],
          ['Brand new', 'create', 1, false],
          ['To archive', 'update', 1, false],
          ['To delete', 'delete', null, false],
        ]),
      )
      expect(report.changes).toHaveLength(4)
      expect(await api.items.get(onMain(changed))).toMatchObject({
        fields: { price: 3, notes: 'meanwhile' },
        latestVersion: 3,
        status: 'published',
        packageName: null,
      })
      expect(await api.items.get(onMain(made))).toMatchObject({
        id: made.id,
        currentVersion: 1,
        createdDate: made.createdDate,
      })
      await failing(api.items.get(onMain(deleted)), 'not_found')
      expect((await api.items.get(onMain(archived))).isArchived).toBe(true)
      expect((await api.items.get(onMain(untouched))).latestVersion).toBe(1)
      const journal = await scope.store.journal.read({ after: 0, limit: 1000, entityId: changed.id })
      expect(journal.filter(({ packageId }) => packageId === null).map(({ event }) => event)).toEqual([
        'ITEM_CREATED',
        'ITEM_UPDATED',
        'ITEM_UPDATED',
        'ITEM_PUBLISHED',
      ])
      const merges = await scope.store.journal.read({ after: 0, limit: 1000, entityId: report.package.id })
      expect(merges.filter(({ event }) => event === 'PACKAGE_MERGED')).toHaveLength(1)
    })

    it('happens once', async () => {
      const { api } = bench()
      const ref = await newPackage(api)
      await api.items.create(anArticle({ name: 'Once', packageName: ref.packageName }))
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => api.packages.merge(ref)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await allFailing(
        [
          api.packages.merge(ref),
          api.packages.sync(ref),
          api.packages.conflicts(ref),
          api.packages.addItem({ ...ref, id: 'CONT_x' }),
          api.packages.removeChange({ ...ref, entityId: 'CONT_x' }),
          api.items.create(anArticle({ name: 'Late', packageName: ref.packageName })),
        ],
        'invalid_state',
      )
    })

    it('applies slugs that items exchanged in a cycle', async () => {
      const { api } = bench()
      const [a, b] = [await anArticleOnMain('Slug a'), await anArticleOnMain('Slug b')]
      const ref = await newPackage(api)
      const { packageName } = ref
      await api.items.update({ ...inPackage(a, packageName), slug: 'slug-between' })
      await api.items.update({ ...inPackage(b, packageName), slug: 'slug-a' })
      await api.items.update({ ...inPackage(a, packageName), slug: 'slug-b' })
      const { changes } = await api.packages.merge(ref)
      expect(changes.map(({ version }) => version)).toEqual([2, 2])
      expect((await api.items.getBySlug({ configId, slug: 'slug-a' })).id).toBe(b.id)
      expect((await api.items.getBySlug({ configId, slug: 'slug-b' })).id).toBe(a.id)
    })

    it('publishes everything on request, or nothing at all', async () => {
      const { api } = bench()
      const ref = await newPackage(api)
      const { packageName } = ref
      const whole = await api.items.create(
        anArticle({ name: 'Whole', packageName, fields: { title: 'Whole' } }),
      )
      const half = await api.items.create(anArticle({ name: 'Half', packageName }))
      const error = await failing(api.packages.merge({ ...ref, publish: true }), 'not_publishable')
      expect(error.issues).toEqual([{ path: `${half.id}.fields.title`, message: 'is required' }])
      await failing(api.items.get(onMain(whole)), 'not_found')
      await api.items.update({ ...inPackage(half, packageName), fields: { title: 'Half' } })
      const { changes } = await api.packages.merge({ ...ref, publish: true })
      expect(changes.map(({ published }) => published)).toEqual([true, true])
      expect((await api.items.get(onMain(half))).status).toBe('published')
    })

    it('requires the keys and the roles for what it changes', async () => {
      const { api, as, system } = bench()
      const item = await anArticleOnMain('Guarded')
      const ref = await newPackage(api)
      await api.items.update({ ...inPackage(item, ref.packageName), name: 'Changed' })
      const editor = await as({ bundles: ['bundle.editor'] })
      const overrides = { grant: [], revoke: ['packages.diff.view' as const] }
      const viewer = await as({ bundles: ['bundle.viewer'], overrides })
      await allFailing(
        [
          editor.packages.merge(ref),
          editor.packages.sync(ref),
          editor.packages.revert(ref),
          viewer.packages.conflicts(ref),
        ],
        'forbidden',
      )
      expect((await editor.packages.conflicts(ref)).count).toBe(0)
      const merger = await as({ bundles: ['bundle.editor'], permissions: { global: ['packages.merge'] } })
      await failing(merger.packages.merge({ ...ref, publish: true }), 'forbidden')
      const role = await system.roles.create({ name: 'Guards' })
      await system.items.update({ ...onMain(item), writePerm: [role.id] })
      await failing(merger.packages.merge(ref), 'forbidden')
      await system.items.update({ ...onMain(item), writePerm: [] })
      await system.items.update({ ...inPackage(item, ref.packageName), readPerm: [role.id] })
      await allFailing(
        [merger.packages.merge(ref), merger.packages.sync(ref), merger.packages.conflicts(ref)],
        'forbidden',
      )
      await system.items.update({ ...inPackage(item, ref.packageName), readPerm: [] })
      await merger.packages.merge(ref)
    })

    it('shows only what the caller may read of a package', async () => {
      const { api, as, system } = bench()
      const ref = await newPackage(api)
      const role = await system.roles.create({ name: 'Readers' })
      await system.items.create(
        anArticle({ name: 'Secret', packageName: ref.packageName, readPerm: [role.id] }),
      )
      await system.items.create(anArticle({ name: 'Plain', packageName: ref.packageName }))
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const { count, items } = await viewer.packages.changes(ref)
      expect({ count, names: items.map(({ entity }) => entity.name) }).toEqual({ count: 1, names: ['Plain'] })
      const blind = await as({ permissions: { global: ['items.read', 'packages.view'] } })
      await failing(blind.packages.changes(ref), 'forbidden')
      await failing((await as({ permissions: { global: ['items.read'] } })).packages.get(ref), 'forbidden')
    })

    it('lists long packages page by page', async () => {
      const { api } = bench()
      const ref = await newPackage(api)
      for (let index = 0; index < 5; index++)
        await api.items.create(anArticle({ name: `Page ${index}`, packageName: ref.packageName }))
      const first = await api.packages.changes({ ...ref, limit: 2 })
      expect(first).toMatchObject({ count: 5, items: [{}, {}], nextCursor: expect.any(String) })
      const second = await api.packages.diff({
        ...ref,
        limit: 2,
        cursor: first.nextCursor ?? '',
        skipCount: true,
      })
      const third = await api.packages.changes({ ...ref, limit: 2, cursor: second.nextCursor ?? '' })
      expect(third.nextCursor).toBeUndefined()
      const ids = [first, second, third].flatMap(({ items }) => items.map(({ entity }) => entity.id))
      expect(new Set(ids).size).toBe(5)
      expect(await invalidAt(api.packages.changes({ ...ref, cursor: 'nonsense' }))).toEqual(['cursor'])
    })
  })

  describe('a revert', () => {
    it('reverts what a merge wrote, and keeps later changes on main', async () => {
      const { api } = bench()
      const [changed, deleted] = [
        await anArticleOnMain('Before', { price: 1 }),
        await anArticleOnMain('Back again'),
      ]
      await api.items.publish(onMain(changed))
      const ref = await newPackage(api)
      const made = await api.items.create(anArticle({ name: 'Undone', packageName: ref.packageName }))
      await api.items.update({ ...inPackage(changed, ref.packageName), name: 'After', slug: 'after' })
      await api.items.publish(inPackage(changed, ref.packageName))
      await api.items.delete(inPackage(deleted, ref.packageName))
      await failing(api.packages.revert(ref), 'invalid_state')
      await api.packages.merge(ref)
      await api.items.update({ ...onMain(changed), fields: { price: 5 } })
      await api.packages.create({ repo, name: 'taken name' })
      await failing(api.packages.revert({ ...ref, name: 'taken name' }), 'name_taken')
      const revert = await api.packages.revert(ref)
      expect(revert).toMatchObject({ name: `revert-${ref.packageName}`, state: 'open' })
      await api.packages.merge({ repo, packageName: revert.name })
      expect(await api.items.get(onMain(changed))).toMatchObject({
        name: 'Before',
        slug: changed.slug,
        fields: { price: 5 },
        isPublished: true,
      })
      await failing(api.items.get(onMain(made)), 'not_found')
      expect(await api.items.get(onMain(deleted))).toMatchObject({ name: 'Back again' })
    })
  })

  describe('retries', () => {
    it('with an Idempotency-Key take effect once, and the key is for one request', async () => {
      const { api } = bench()
      const once = { idempotencyKey: 'package-1' }
      const item = await anArticleOnMain('Retried')
      const made = await api.packages.create({ repo, name: 'retried' }, once)
      expect(await api.packages.create({ repo, name: 'retried' }, once)).toEqual(made)
      const ref = { repo, packageName: 'retried' }
      await failing(api.packages.create({ repo, name: 'other' }, once), 'idempotency_mismatch')
      await failing(api.packages.addItem({ ...ref, id: item.id }, once), 'idempotency_mismatch')
      await failing(api.packages.sync(ref, once), 'idempotency_mismatch')
      await failing(api.packages.merge(ref, once), 'idempotency_mismatch')
      await failing(api.packages.revert(ref, once), 'idempotency_mismatch')
      const merged = await api.packages.merge(ref, { idempotencyKey: 'merge-1' })
      expect(await api.packages.merge(ref, { idempotencyKey: 'merge-1' })).toEqual(merged)
    })
  })
}
