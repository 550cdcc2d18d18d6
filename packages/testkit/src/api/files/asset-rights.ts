import type { Api, Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, fileOf, prepareFiles, textFile } from './files.ts'
import { allFailing, failing } from '../failing.ts'
import { newPackage } from '../branches/package-steps.ts'
import { codeOf, everything, type Bench } from '../host.ts'
import { begin, countOfItems } from './upload-steps.ts'

const configId = 'magazine'
const original = { rendition: 'original' }
const thumbnail = { rendition: 'thumbnail' }
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

type Rights = Parameters<Bench['as']>[0]
type Key = NonNullable<NonNullable<NonNullable<Rights['permissions']>['global']>>[number]

/** Who may do what with files: by key, by type, by role lists, by repository and package. */
export function assetRightsTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))

  const picture = async (given: object = {}) =>
    bench().system.assets.create({ configId, file: await fileOf('png', 'a.png'), ...given })
  const withKeys = (...global: Key[]) => bench().as({ permissions: { global } })
  const onTypes = async (keys: Readonly<Record<string, Key[]>>) => {
    const { id } = await bench().system.repositories.get({ id: configId })
    const repos = Object.entries(keys).map(([type, held]) => [type === '' ? id : `${id}:${type}`, held])
    return bench().as({ permissions: { repos: Object.fromEntries(repos) } })
  }

  /** Runs every operation on an asset and returns the resulting codes. */
  const codesOf = async (
    api: Api,
    { id }: Pick<Item, 'id'>,
    given: { configId?: string; packageName?: string } = {},
  ) => {
    const at = { configId, assetId: id, ...given }
    const on = { ...at, rendition: 'poster' }
    const file = textFile('x')
    const calls: Record<string, () => Promise<unknown>> = {
      original: () => api.assets.get({ ...at, ...original }),
      thumbnail: () => api.assets.get({ ...at, ...thumbnail }),
      zip: async () => bytesOf(api.assets.zip({ configId, ...given, ids: [id] })),
      list: () => api.renditions.list(at),
      upload: () => api.renditions.upload({ ...on, file }),
      remove: () => api.renditions.remove(on),
      replace: async () => api.assets.replace({ ...at, file: await fileOf('png', 'x.png') }),
    }
    const codes: Record<string, string> = {}
    for (const [name, call] of Object.entries(calls)) codes[name] = await call().then(() => 'done', codeOf)
    return codes
  }
  const all = (code: string) =>
    Object.fromEntries(
      ['original', 'thumbnail', 'zip', 'list', 'upload', 'remove', 'replace'].map((name) => [name, code]),
    )

  describe('the keys of assets', () => {
    it('each allow their own operation', async () => {
      const item = await picture()
      const reader = await withKeys('items.read', 'assets.read')
      expect(await codesOf(reader, item)).toEqual({
        ...all('forbidden'),
        thumbnail: 'done',
        list: 'done',
      })
      const downloader = await withKeys('items.read', 'assets.download')
      expect(await codesOf(downloader, item)).toEqual({ ...all('forbidden'), original: 'done', zip: 'done' })
      const writer = await withKeys('items.read', 'assets.upload', 'items.update')
      const writes = { upload: 'done', remove: 'done', replace: 'done' }
      expect(await codesOf(writer, item)).toEqual({ ...all('forbidden'), ...writes })
      expect(await codesOf(await withKeys('items.read', 'assets.upload'), item)).toEqual(all('forbidden'))
      expect(await codesOf(await withKeys('items.read', 'items.update'), item)).toEqual(all('forbidden'))
      const blind = await withKeys('assets.read', 'assets.download', 'assets.upload', 'items.update')
      expect(await codesOf(blind, item)).toEqual(all('not_found'))
    })

    it('are required in addition to those of items for every new asset', async () => {
      const { system } = bench()
      const before = await countOfItems(bench())
      const file = await fileOf('png', 'a.png')
      for (const keys of [['assets.upload'], ['items.create']] as const) {
        const api = await withKeys('items.read', 'packages.view', ...keys)
        await allFailing([api.assets.create({ configId, file })], 'forbidden')
        const metadata = { repositoryId: configId, filename: 'a.png' }
        const upload = api.uploads.create({ length: file.size, metadata, file })
        await failing(upload, 'forbidden')
      }
      expect(await countOfItems(bench())).toBe(before)
      const rule = await system.autoPackageRules.create({ repositoryId: configId, name: 'Pictures' })
      const { packageName } = await newPackage(system, 'pictures')
      const keys = ['items.read', 'packages.view', 'items.create', 'items.update'] as const
      const save = {
        repositoryId: configId,
        ruleId: rule.id,
        packageAction: 'addToExisting',
        packageName,
        item: { name: 'x' },
        file,
      } as const
      await failing((await withKeys(...keys)).autoPackage.createAndSave(save), 'forbidden')
      await (await withKeys(...keys, 'assets.upload')).autoPackage.createAndSave(save)
      await system.autoPackageRules.delete({ id: rule.id })
      await (await withKeys('items.read', 'items.create', 'assets.upload')).assets.create({ configId, file })
    })

    it('apply to one content type only, if granted so', async () => {
      const item = await picture()
      const document = await bench().system.assets.create({ configId, file: textFile('x', 'x.txt') })
      const keys: Key[] = ['assets.read', 'assets.download', 'assets.upload', 'items.update', 'items.create']
      const api = await onTypes({ '': ['items.read'], picture: keys })
      const refused = await codesOf(api, document)
      expect(refused).toEqual({ ...all('forbidden'), zip: 'not_found' })
      expect(await codesOf(api, item)).toEqual(all('done'))
      const png = await fileOf('png', 'a.png')
      const text = textFile('x', 'x.txt')
      expect((await api.assets.create({ configId, file: png })).type).toBe('picture')
      await failing(api.assets.create({ configId, type: 'document', file: text }), 'forbidden')
      await failing(api.assets.create({ configId, file: text }), 'invalid')
      await failing(begin(api, 1, { type: 'document' }), 'forbidden')
      await failing(begin(api, 1, { itemId: document.id }), 'forbidden')
      await begin(api, 1, { itemId: item.id })
      const blind = await onTypes({ picture: ['items.read', ...keys], document: keys })
      expect(await codesOf(blind, document)).toEqual(all('not_found'))
    })

    it('of download are required for a copy', async () => {
      const item = await picture()
      const keys = ['items.read', 'items.create', 'assets.read', 'assets.upload'] as const
      const at = { configId, id: item.id }
      await failing((await withKeys(...keys)).items.copy(at), 'forbidden')
      const copied = (await withKeys(...keys, 'assets.download')).items.copy(at)
      expect((await copied).asset).toEqual(item.asset)
    })

    it('of a bundle match the purpose of the bundle', async () => {
      const item = await picture()
      const viewer = await bench().as({ bundles: ['bundle.viewer'] })
      const reads = { original: 'done', thumbnail: 'done', zip: 'done', list: 'done' }
      expect(await codesOf(viewer, item)).toEqual({ ...all('forbidden'), ...reads })
      const contributor = await bench().as({ bundles: ['bundle.contributor'] })
      expect(await codesOf(contributor, item)).toEqual(all('done'))
    })
  })

  describe('the role lists of an asset', () => {
    it('hide it, or its file, from everyone who does not hold every key', async () => {
      const { system, api: administrator, limited: api, as } = bench()
      const role = await system.roles.create({ name: 'Archivists' })
      const unseen = await picture({ readPerm: [role.id] })
      expect(await codesOf(api, unseen)).toEqual(all('not_found'))
      await failing(begin(api, 1, { itemId: unseen.id }), 'not_found')
      await failing(api.items.copy({ configId, id: unseen.id }), 'not_found')
      const fixed = await picture({ writePerm: [role.id] })
      const writes = { upload: 'forbidden', remove: 'forbidden', replace: 'forbidden' }
      expect(await codesOf(api, fixed)).toEqual({ ...all('done'), ...writes })
      await failing(begin(api, 1, { itemId: fixed.id }), 'forbidden')
      const { renditions: _made, ...same } = fixed
      expect(await api.items.get({ configId, id: fixed.id })).toMatchObject(same)
      const once = await picture()
      const { id: uploadId } = await begin(api, 1, { itemId: once.id })
      await system.items.update({ configId, id: once.id, writePerm: [role.id] })
      await failing(api.uploads.append({ uploadId, offset: 0, file: textFile('x') }), 'forbidden')
      await failing(api.uploads.get({ uploadId }), 'not_found')
      const old = await picture()
      await system.items.update({ configId, id: old.id, readPerm: [role.id] })
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const first = { configId, assetId: old.id, version: '1' }
      await failing(viewer.assets.get({ ...first, ...original }), 'not_found')
      expect(await codesOf(administrator, unseen)).toEqual(all('done'))
    })
  })

  describe('assets that the caller may not see', () => {
    it('are not found, like absent ones, in other repositories and of others, and are refused in a package', async () => {
      const { system, limited, as } = bench()
      const { id: elsewhere } = await system.repositories.get({ id: 'elsewhere' })
      const stranger = await as({
        permissions: {
          repos: {
            [elsewhere]: [
              'items.read',
              'assets.read',
              'assets.download',
              'assets.upload',
              'items.update',
              'items.create',
              'packages.view',
            ],
          },
        },
      })
      const item = await picture()
      const { packageName } = await newPackage(system, 'hidden')
      const own = await picture({ packageName })
      expect(await codesOf(stranger, item)).toEqual(all('not_found'))
      expect(await codesOf(stranger, item, { configId: 'elsewhere' })).toEqual(all('not_found'))
      expect(await codesOf(stranger, own, { packageName })).toEqual(all('not_found'))
      expect(await codesOf(stranger, item, { configId: 'elsewhere', packageName })).toEqual(all('not_found'))
      const noPackages = await withKeys(
        'items.read',
        'assets.read',
        'assets.download',
        'assets.upload',
        'items.update',
      )
      expect(await codesOf(noPackages, own, { packageName })).toEqual(all('forbidden'))
      const file = await fileOf('png', 'a.png')
      await allFailing([stranger.assets.create({ configId, file }), begin(stranger, 1)], 'not_found')
      await allFailing(
        [noPackages.assets.create({ configId, packageName, file }), begin(noPackages, 1, { packageName })],
        'forbidden',
      )
      const messageOf = async (assetId: string) =>
        (await failing(stranger.assets.get({ configId, assetId, ...original }), 'not_found')).message
      expect(await messageOf(item.id)).toBe(await messageOf(nowhere))
      const role = await system.roles.create({ name: 'Few' })
      const secret = await picture({ readPerm: [role.id] })
      const messages = [secret.id, nowhere].map(async (assetId) => {
        const { message } = await failing(limited.assets.get({ configId, assetId, ...original }), 'not_found')
        return message
      })
      expect(new Set(await Promise.all(messages)).size).toBe(1)
    })

    it('include the uploads of others, even for administrators', async () => {
      const { api, as } = bench()
      const other = await as(everything)
      const { id: uploadId } = await begin(api, 3)
      const file = textFile('abc')
      const outcomes = [uploadId, 'UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6'].map(async (id) => {
        const on = { uploadId: id }
        const calls = [
          other.uploads.get(on),
          other.uploads.append({ ...on, offset: 0, file }),
          other.uploads.terminate(on),
        ]
        const errors = await Promise.all(calls.map((call) => failing(call, 'not_found')))
        return errors.map(({ message }) => message)
      })
      const [foreign, absent] = await Promise.all(outcomes)
      expect(foreign).toEqual(absent)
      expect(await api.uploads.get({ uploadId })).toMatchObject({ offset: 0 })
    })

    it('leave nothing stored of files that the caller may not send', async () => {
      const { scope, as } = bench()
      const nobody = await as({ bundles: ['bundle.viewer'] })
      let isRead = false
      async function* stream(): AsyncGenerator<Uint8Array> {
        isRead = true
        yield new Uint8Array(1)
      }
      const { identity } = await nobody.auth.myPermissions()
      const api = scope.quire.as({ kind: 'service', id: identity.id })
      const item = await picture()
      const at = { configId, assetId: item.id }
      const file = { stream }
      await allFailing(
        [
          api.assets.create({ configId, file }),
          api.assets.replace({ ...at, file }),
          api.renditions.upload({ ...at, rendition: 'poster', file }),
          api.uploads.create({ length: 1, metadata: { repositoryId: configId }, file }),
        ],
        'forbidden',
      )
      expect(isRead).toBe(false)
    })
  })
}
