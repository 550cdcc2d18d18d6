import type { Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Packages do not bypass permissions, role lists or rules. */
export function packageRightsTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  let made = 0
  const branch = async (item: Item) => {
    const packageName = `guarded ${++made}`
    await bench().system.packages.create({ repo, name: packageName })
    const theirs = { configId, id: item.id }
    return { ref: { repo, packageName }, ours: { ...theirs, packageName }, theirs }
  }
  const anItem = (name: string, fields = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name, ...fields } }))
  const aRole = (name: string) => bench().system.roles.create({ name })

  describe('a package', () => {
    it('never opens what both sides limited: a person resolves role lists', async () => {
      const { system } = bench()
      const [a, b] = [await aRole('Readers A'), await aRole('Readers B')]
      const item = await anItem('Limited')
      await system.items.update({ configId, id: item.id, readPerm: [a.id, b.id] })
      const { ref, ours, theirs } = await branch(item)
      await system.items.update({ ...ours, readPerm: [a.id] })
      await system.items.update({ ...theirs, readPerm: [b.id] })
      const { conflicts } = await failing(system.packages.merge(ref), 'merge_conflict')
      expect(conflicts).toMatchObject([{ path: 'readPerm', kind: 'changed' }])
    })

    it('publishes nothing for callers who may not publish, and unchanged items only as it shows them', async () => {
      const { system, as } = bench()
      const role = await aRole('Writers')
      const guarded = await system.items.create(
        anArticle({ name: 'Guarded', fields: { title: 'x' }, writePerm: [role.id] }),
      )
      const one = await branch(guarded)
      const publisher = await as({ bundles: ['bundle.publisher'] })
      await publisher.packages.addItem({ ...one.ref, id: guarded.id })
      await failing(publisher.packages.merge({ ...one.ref, publish: true }), 'forbidden')
      await publisher.packages.merge(one.ref)

      const item = await anItem('Along')
      const two = await branch(item)
      await system.packages.addItem({ ...two.ref, id: item.id })
      await system.items.update({ ...two.theirs, name: 'A draft of main' })
      await publisher.packages.merge({ ...two.ref, publish: true })
      expect((await system.items.get(two.theirs)).isPublished).toBe(false)

      const three = await branch(item)
      await system.items.publish(three.ours)
      const merger = await as({ bundles: ['bundle.editor'], permissions: { global: ['packages.merge'] } })
      await failing(merger.packages.merge(three.ref), 'forbidden')
    })

    it('does not allow a value, a revert or a drop without the keys', async () => {
      const { system, as } = bench()
      const item = await anItem('Settled', { price: 1 })
      const { ref, ours, theirs } = await branch(item)
      await system.items.update({ ...ours, fields: { price: 2 } })
      await system.items.update({ ...theirs, fields: { price: 3 } })
      const created = await system.items.create(anArticle({ name: 'Created', packageName: ref.packageName }))
      const merger = await as({
        bundles: ['bundle.viewer'],
        permissions: { global: ['packages.merge', 'packages.update'] },
      })
      const at = { id: item.id, path: 'fields.price' }
      await failing(merger.packages.merge({ ...ref, resolutions: [{ ...at, value: 9 }] }), 'forbidden')
      const contributor = await as({ bundles: ['bundle.contributor'] })
      await allFailing(
        [
          merger.packages.removeChange({ ...ref, entityId: item.id }),
          contributor.packages.removeChange({ ...ref, entityId: created.id }),
        ],
        'forbidden',
      )
      await merger.packages.merge({ ...ref, resolutions: [{ ...at, use: 'ours' }] })
      await failing(merger.packages.revert(ref), 'forbidden')
    })

    it('does not show a base in a diff that the caller may not read', async () => {
      const { system, as } = bench()
      const role = await aRole('Insiders')
      const item = await anItem('Opened', { notes: 'secret' })
      await system.items.update({ configId, id: item.id, readPerm: [role.id] })
      const { ref, ours } = await branch(item)
      await system.items.update({ ...ours, readPerm: [], fields: { notes: 'open' } })
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const { items } = await viewer.packages.diff(ref)
      expect(JSON.stringify(items)).not.toContain('secret')
    })
  })

  describe('a package keeps', () => {
    it('author and date of items that it contains unchanged', async () => {
      const { system, api } = bench()
      const item = await anItem('Untouched')
      const { ref, ours } = await branch(item)
      await api.packages.addItem({ ...ref, id: item.id })
      const accepted = await system.items.get(ours)
      expect(accepted).toMatchObject({ updatedDate: item.updatedDate, updatedByUser: item.updatedByUser })
    })

    it('its own deletions through a sync, and still works when a type is deleted', async () => {
      const { system } = bench()
      await system.types.create({ name: 'short-lived' })
      const { ref } = await branch(await anItem('Any'))
      const { packageName } = ref
      const own = await system.items.create({
        repositoryId: repo,
        type: 'short-lived',
        name: 'Own',
        packageName,
      })
      await system.items.delete({ configId, packageName, id: own.id })
      await system.packages.sync(ref)
      await system.items.undelete({ configId, packageName, id: own.id })
      await system.items.delete({ configId, packageName, id: own.id })
      await system.types.delete({ id: 'short-lived' })
      expect((await system.packages.merge(ref)).changes).toEqual([])
    })

    it('its name in one normal form, however it is written, as does a revert', async () => {
      const { system } = bench()
      const long = '𐐀'.repeat(100)
      expect(await invalidAt(system.packages.create({ repo, name: '\u0958'.repeat(150) }))).toEqual(['name'])
      await system.packages.create({ repo, name: 'Cafe\u0301' })
      expect((await system.packages.get({ repo, packageName: 'Caf\u00e9' })).name).toBe('Caf\u00e9')
      await system.packages.create({ repo, name: long })
      await system.packages.merge({ repo, packageName: long })
      const { name } = await system.packages.revert({ repo, packageName: long })
      expect(await system.packages.get({ repo, packageName: name })).toMatchObject({ state: 'open' })
    })

    it('the thread free when texts repeat a line thousands of times', async () => {
      const { system } = bench()
      const notes = '\n'.repeat(4000)
      const item = await anItem('Blank', { notes })
      const { ref, ours, theirs } = await branch(item)
      await system.items.update({ ...ours, fields: { notes: `a${notes}` } })
      await system.items.update({ ...theirs, fields: { notes: `${notes}b` } })
      const started = performance.now()
      await failing(system.packages.merge(ref), 'merge_conflict')
      expect(performance.now() - started).toBeLessThan(1000)
    })
  })

  describe('create-and-save', () => {
    it('does not bypass permissions, rules or If-Match, and no template causes an internal error', async () => {
      const { system, api, as } = bench()
      const role = await aRole('Board')
      const secret = await system.items.create(anArticle({ name: 'Layoffs', readPerm: [role.id] }))
      const item = await anItem('Ruled')
      const rule = await system.autoPackageRules.create({
        repositoryId: repo,
        name: 'Articles',
        types: ['article'],
        packageNameTemplate: '{% include item.name %}',
      })
      const save = { repositoryId: repo, ruleId: rule.id, packageAction: 'createNew' } as const
      const change = { ...save, item: { id: item.id, name: 'Changed' } }
      expect(await invalidAt(api.autoPackage.createAndSave(change))).toEqual(['ruleId'])
      await system.autoPackageRules.update({ id: rule.id, packageNameTemplate: '{{ item.name }}' })
      const contributor = await as({ bundles: ['bundle.contributor'] })
      await failing(contributor.autoPackage.createAndSave({ ...save, item: { id: secret.id } }), 'not_found')
      let etag = ''
      const get = api.items.get({ configId, id: item.id }, { onAnswer: (about) => (etag = about.etag ?? '') })
      expect((await get).name).toBe('Ruled')
      await failing(api.autoPackage.createAndSave(change, { ifMatch: 'CONT_x.9' }), 'precondition_failed')
      const { autoPackage } = await api.autoPackage.createAndSave(change, { ifMatch: etag })
      expect(autoPackage.packageName).toBe('Changed')
      const { message } = await failing(api.autoPackage.createAndSave(change), 'name_taken')
      expect(message).toContain('"Changed"')
      await system.autoPackageRules.delete({ id: rule.id })
    })
  })
}
