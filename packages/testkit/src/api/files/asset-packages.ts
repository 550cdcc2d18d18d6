import type { Api, Item, MergeConflict } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, fileOf, prepareFiles, textFile, textOf } from './files.ts'
import { failing, invalidAt } from '../failing.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo
const original = { rendition: 'original' }
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** Assets on the branches of packages, and saves that rules redirect there. */
export function assetPackageTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))

  let made = 0
  const text = (content: string, given: object = {}) =>
    bench().api.assets.create({ configId, file: textFile(content, 'a.txt'), ...given })
  const read = ({ id }: Pick<Item, 'id'>, given: object = {}) =>
    textOf(bench().api.assets.get({ configId, assetId: id, ...original, ...given }))
  const replace = ({ id }: Pick<Item, 'id'>, content: string, given: object = {}) =>
    bench().api.assets.replace({ configId, assetId: id, file: textFile(content), ...given })
  const aPackage = () => newPackage(bench().api, `files ${++made}`)

  describe('an asset in a package', () => {
    it('is not visible on main until it is merged', async () => {
      const { api } = bench()
      const { packageName } = await aPackage()
      const item = await text('own', { packageName })
      const base = `/api/assets/${item.repositoryId}`
      expect(item).toMatchObject({ packageName, currentVersion: 1 })
      expect(item.renditions[0]?.url).toBe(
        `${base}/_package/${encodeURIComponent(packageName)}/${item.id}/original`,
      )
      expect(await read(item, { packageName })).toBe('own')
      const listed = await api.renditions.list({ configId, packageName, assetId: item.id })
      expect(listed.items[0]?.url).toBe(item.renditions[0]?.url)
      await failing(read(item), 'not_found')
      await failing(api.renditions.list({ configId, assetId: item.id }), 'not_found')
      await failing(replace(item, 'x'), 'not_found')
      await api.packages.merge({ repo, packageName })
      expect(await read(item)).toBe('own')
      const merged = await api.items.get({ configId, id: item.id })
      expect(merged).toMatchObject({ packageName: null, asset: item.asset })
      expect(merged.renditions?.[0]?.url).toBe(`${base}/${item.id}/original`)
      await failing(replace(item, 'x', { packageName }), 'invalid_state')
      await failing(text('x', { packageName }), 'invalid_state')
    })

    it('is that of main until the package changes it, and is then pinned', async () => {
      const { api } = bench()
      const { packageName } = await aPackage()
      const item = await text('one')
      expect(await read(item, { packageName })).toBe('one')
      await replace(item, 'two')
      expect(await read(item, { packageName })).toBe('two')
      const changed = await replace(item, 'two of the package', { packageName })
      expect(changed).toMatchObject({ packageName, currentVersion: 3 })
      await api.renditions.upload({
        configId,
        packageName,
        assetId: item.id,
        rendition: 'poster',
        file: textFile('a poster'),
      })
      expect(await read(item, { packageName, rendition: 'poster' })).toBe('a poster')
      await failing(read(item, { rendition: 'poster' }), 'not_found')
      await api.items.update({ configId, id: item.id, name: 'Main goes on' })
      expect(await read(item)).toBe('two')
      expect(await read(item, { packageName })).toBe('two of the package')
      await api.packages.merge({ repo, packageName })
      expect(await read(item)).toBe('two of the package')
      expect(await read(item, { rendition: 'poster' })).toBe('a poster')
      expect(await read(item, { version: '2' })).toBe('two')
      expect((await api.items.get({ configId, id: item.id })).name).toBe('Main goes on')
      const reverted = await api.packages.revert({ repo, packageName })
      await api.packages.merge({ repo, packageName: reverted.name })
      expect(await read(item)).toBe('two')
      const events = ['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_UPDATED']
      expect((await eventsOf(bench(), item.id)).slice(0, 3)).toEqual(events)
    })

    it('conflicts when both sides replaced its file, which a side resolves but no value', async () => {
      const { api } = bench()
      for (const use of ['ours', 'theirs'] as const) {
        const ref = await aPackage()
        const { packageName } = ref
        const item = await text('base')
        const other = await text(`not theirs to read ${made}`)
        await replace(item, 'ours', { packageName })
        const theirs = await replace(item, 'theirs')
        const { conflicts = [] } = await failing(api.packages.merge(ref), 'merge_conflict')
        const found = conflicts as MergeConflict[]
        expect(found.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['asset changed'])
        const at = { id: item.id, path: 'asset' }
        const [conflict] = found
        const stolen = { ...(conflict?.ours as object), hash: other.asset?.hash ?? '' }
        for (const value of [stolen, null, {}, conflict?.base]) {
          const resolutions = [{ ...at, value }] as MergeInput['resolutions']
          const merge = api.packages.merge({ ...ref, resolutions })
          expect(await invalidAt(merge)).toEqual(['resolutions.0.value'])
        }
        expect(await api.items.get({ configId, id: item.id })).toEqual(theirs)
        await api.packages.merge({ ...ref, resolutions: [{ ...at, use }] })
        expect(await read(item)).toBe(use)
      }
    })

    it('is merged as a whole: the focal point of one picture is never applied to another', async () => {
      const { api } = bench()
      const ref = await aPackage()
      const picture = await api.assets.create({ configId, file: await fileOf('png', 'a.png') })
      const at = { configId, id: picture.id }
      await api.items.update({ ...at, packageName: ref.packageName, focalPoint: { x: 0, y: 0 } })
      await api.assets.replace({ configId, assetId: picture.id, file: await fileOf('wideJpeg', 'b.jpg') })
      const { conflicts } = await failing(api.packages.sync(ref), 'merge_conflict')
      expect(conflicts).toMatchObject([{ path: 'asset', kind: 'changed' }])
      await api.packages.sync({ ...ref, resolutions: [{ id: picture.id, path: 'asset', use: 'theirs' }] })
      const synced = await api.items.get({ ...at, packageName: ref.packageName })
      expect(synced.asset).toMatchObject({ mimeType: 'image/jpeg', focalPoint: null })
    })
  })

  describe('a copy', () => {
    it('has the same file, even in another repository, and is independent', async () => {
      const { api } = bench()
      const item = await text('copied')
      const copy = await api.items.copy({ configId, id: item.id, name: 'The copy' })
      const there = await api.items.copy({ configId, id: item.id, repositoryId: 'elsewhere' })
      expect(copy).toMatchObject({ name: 'The copy', currentVersion: 1, asset: item.asset })
      expect(copy.renditions[0]?.url).toBe(`/api/assets/${item.repositoryId}/${copy.id}/original`)
      await replace(item, 'another')
      expect(await read(copy)).toBe('copied')
      expect(await read(there, { configId: 'elsewhere' })).toBe('copied')
      await api.items.delete({ configId, id: copy.id })
      await failing(read(copy), 'not_found')
      expect(await read(item)).toBe('another')
    })
  })

  describe('a save with a file that a rule matches', () => {
    it('succeeds with create-and-save, for a new and an existing asset', async () => {
      const { api } = bench()
      const item = await text('before')
      const made = { configId, assetId: item.id, rendition: 'made-before' }
      await api.renditions.upload({ ...made, file: textFile('made', 'made.txt') })
      const rule = await api.autoPackageRules.create({
        repositoryId: repo,
        name: 'Documents',
        types: ['document'],
        packageNameTemplate: '{{ item.name }}',
      })
      const file = textFile('new', 'new.txt')
      await failing(text('x'), 'auto_package_required')
      await failing(replace(item, 'x'), 'auto_package_required')
      await failing(
        api.renditions.upload({ configId, assetId: item.id, rendition: 'poster', file }),
        'auto_package_required',
      )
      await failing(api.renditions.remove(made), 'auto_package_required')
      expect(await read(item)).toBe('before')
      const save = { repositoryId: repo, ruleId: rule.id } as const
      const { autoPackage: into, ...fresh } = await api.autoPackage.createAndSave({
        ...save,
        packageAction: 'createNew',
        item: { name: 'Fresh', fields: { alt: 'New' } },
        file,
      })
      expect(into).toMatchObject({ packageName: 'Fresh', created: true })
      expect(fresh).toMatchObject({ type: 'document', originalFileName: 'new.txt', fields: { alt: 'New' } })
      expect(await read(fresh, { packageName: 'Fresh' })).toBe('new')
      await failing(read(fresh), 'not_found')

      const saved = await api.autoPackage.createAndSave({
        ...save,
        packageAction: 'addToExisting',
        packageName: 'Fresh',
        item: { id: item.id, description: 'With a file' },
        file: textFile('after', 'after.txt'),
      })
      expect(saved).toMatchObject({
        id: item.id,
        description: 'With a file',
        originalFileName: 'after.txt',
        autoPackage: { packageName: 'Fresh', created: false },
      })
      expect(await read(item, { packageName: 'Fresh' })).toBe('after')
      expect(await read(item)).toBe('before')
      await api.packages.merge({ repo, packageName: 'Fresh' })
      expect(await read(item)).toBe('after')
      await api.autoPackageRules.delete({ id: rule.id })
    })

    it('creates neither package nor asset for an unsuitable file', async () => {
      const { api } = bench()
      const item = await text('stays')
      const rule = await api.autoPackageRules.create({ repositoryId: repo, name: 'All' })
      const save = {
        repositoryId: repo,
        ruleId: rule.id,
        packageAction: 'createNew',
        newPackageName: 'Never made',
      } as const
      const file = await fileOf('mp4', 'x.mp4')
      const given = (saved: Readonly<Record<string, string>>) => ({ ...save, item: saved, file })
      expect(await invalidAt(api.autoPackage.createAndSave(given({ id: item.id })))).toEqual(['file'])
      const article = { name: 'x', type: 'article' }
      expect(await invalidAt(api.autoPackage.createAndSave(given(article)))).toEqual(['file'])
      expect(await invalidAt(api.autoPackage.createAndSave(given({ name: 'x' })))).toEqual(['type'])
      await failing(api.autoPackage.createAndSave(given({ id: nowhere })), 'not_found')
      await failing(api.packages.get({ repo, packageName: 'Never made' }), 'not_found')
      const once = { idempotencyKey: 'file-1' }
      const clip = { name: 'Clip', type: 'clip' }
      const made = await api.autoPackage.createAndSave(given(clip), once)
      expect(await api.autoPackage.createAndSave(given(clip), once)).toEqual(made)
      const other = { ...given(clip), file: textFile('another') }
      await failing(api.autoPackage.createAndSave(other, once), 'idempotency_mismatch')
      await api.autoPackageRules.delete({ id: rule.id })
      expect(await read(item)).toBe('stays')
    })
  })
}

type MergeInput = Parameters<Api['packages']['merge']>[0]
