import type { Api, Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { fileOf, prepareFiles, textFile } from './files.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { uploadWhole } from './upload-steps.ts'

const configId = 'magazine'
const select = ['text']

/** The text of files: searchable, returned on request, and as old and as protected as the file. */
export function extractionTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))

  const document = (text: string, given: object = {}) =>
    bench().api.assets.create({ configId, type: 'document', file: textFile(text), ...given })
  const found = async (text: string, api: Api = bench().api, given: object = {}) =>
    (await api.items.list({ configId, text, ...given })).items.map(({ id }) => id)
  const textOf = async ({ id }: Pick<Item, 'id'>, given: object = {}) =>
    (await bench().api.items.get({ configId, id, select, ...given })).text

  foundTests({ bench, document, found })
  visibilityTests({ bench, document, textOf })
  adapterTests({ bench, found, textOf })

  describe('the extracted text of a file', () => {
    it('is not revealed to callers who may not read its item', async () => {
      const { api, limited, as, system } = bench()
      const role = await system.roles.create({ name: 'Secret file', bundles: [] })
      const file = textFile('quagmire secret')
      const secret = await system.assets.create({ configId, type: 'document', readPerm: [role.id], file })
      const reader = await as({ bundles: ['bundle.viewer'] })
      expect(await found('quagmire', limited)).toEqual([])
      expect(await found('quagmire', api)).toEqual([secret.id])
      expect(await found('quagmire', reader)).toEqual([])
      await failing(reader.items.get({ configId, id: secret.id, select }), 'not_found')
      await system.items.update({ configId, id: secret.id, readPerm: [] })
      expect(await found('quagmire', reader)).toEqual([secret.id])
      expect((await api.items.get({ configId, id: secret.id, select })).text).toBe('quagmire secret')
    })

    it('is not part of lists and published reads', async () => {
      const { api } = bench()
      expect(await invalidAt(api.items.list({ configId, select }))).toEqual(['select'])
      expect(await invalidAt(api.published.items({ configId, select }))).toEqual(['select'])
    })
  })
}

interface Steps {
  readonly bench: () => Bench
  readonly document: (text: string, given?: object) => Promise<Item>
  readonly found: (text: string, api?: Api, given?: object) => Promise<string[]>
  readonly textOf: (item: Pick<Item, 'id'>, given?: object) => Promise<string | null | undefined>
}

function foundTests({ bench, document, found }: Pick<Steps, 'bench' | 'document' | 'found'>): void {
  describe('the words of a file', () => {
    it('find its item, in addition to the words of the item itself', async () => {
      const item = await document('A wombat digs\nunder the fence.', { name: 'Burrow' })
      expect(await found('wombat')).toEqual([item.id])
      expect(await found('burrow wom fence')).toEqual([item.id])
      expect(await found('"under the fence"')).toEqual([item.id])
      expect(await found('wombat kangaroo')).toEqual([])
    })

    it('no longer find it once the file is replaced', async () => {
      const item = await document('platypus')
      await bench().api.assets.replace({ configId, assetId: item.id, file: textFile('echidna') })
      expect(await found('platypus')).toEqual([])
      expect(await found('echidna')).toEqual([item.id])
    })

    it('find it in a package by the file that it has there, and on main by that of main', async () => {
      const { api } = bench()
      const item = await document('heron')
      const { packageName } = await newPackage(api, 'Birds')
      const inPackage = { packageName }
      await api.assets.replace({ configId, assetId: item.id, file: textFile('bittern'), ...inPackage })
      expect(await found('bittern')).toEqual([])
      expect(await found('heron')).toEqual([item.id])
      expect(await found('bittern', api, inPackage)).toEqual([item.id])
      expect(await found('heron', api, inPackage)).toEqual([])
      await api.packages.merge({ repo: configId, packageName })
      expect(await found('bittern')).toEqual([item.id])
      expect(await found('heron')).toEqual([])
    })

    it('find a copy of it in another repository', async () => {
      const { api } = bench()
      const item = await document('albatross')
      const copy = await api.items.copy({ configId, id: item.id, repositoryId: 'elsewhere' })
      const { items } = await api.items.list({ configId: 'elsewhere', text: 'albatross' })
      expect(items.map(({ id }) => id)).toEqual([copy.id])
    })

    it('find both items that have the same file', async () => {
      const items = [await document('two cormorants'), await document('two cormorants')]
      const ids = await found('cormorants')
      expect(ids.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
    })
  })
}

function visibilityTests({ bench, document, textOf }: Pick<Steps, 'bench' | 'document' | 'textOf'>): void {
  describe('the text of a file in an answer', () => {
    it('is returned only on request', async () => {
      const { api } = bench()
      const item = await document('  Some words.\r\n\r\n\r\nMore. ', { name: 'Words' })
      expect(item).not.toHaveProperty('text')
      expect(await api.items.get({ configId, id: item.id })).not.toHaveProperty('text')
      expect(await api.items.get({ configId, id: item.id, select: ['name', 'text'] })).toEqual({
        id: item.id,
        name: 'Words',
        text: 'Some words.\n\nMore.',
      })
      const bySlug = { configId, slug: item.slug, select }
      expect(await api.items.getBySlug(bySlug)).toEqual({ id: item.id, text: 'Some words.\n\nMore.' })
    })

    it('is null for a picture, for an empty file and for an item without one', async () => {
      const { api } = bench()
      const picture = await api.assets.create({ configId, file: await fileOf('png', 'a.png') })
      const empty = await document('')
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      expect(await Promise.all([picture, empty, article].map((item) => textOf(item)))).toEqual([
        null,
        null,
        null,
      ])
    })

    it('is that of the returned version', async () => {
      const { api, scope } = bench()
      const item = await document('first')
      const at = scope.clock.now()
      scope.clock.advance(1000)
      await api.assets.replace({ configId, assetId: item.id, file: textFile('second') })
      scope.clock.advance(1000)
      expect(await textOf(item)).toBe('second')
      expect(await textOf(item, { version: '1' })).toBe('first')
      expect(await textOf(item, { at })).toBe('first')
    })

    it('has no entity tag, because it may be extracted later', async () => {
      const item = await document('untagged')
      let etag: string | null | undefined
      await bench().api.items.get(
        { configId, id: item.id, select },
        { onAnswer: (answer) => void (etag = answer.etag) },
      )
      expect(etag).toBeNull()
    })
  })
}

function adapterTests({ bench, found, textOf }: Pick<Steps, 'bench' | 'found' | 'textOf'>): void {
  describe('a file is read, however it was sent', () => {
    it('in chunks', async () => {
      const state = await uploadWhole(bench().api, textFile('bandicoot in pieces'), { type: 'document' })
      expect(await found('bandicoot')).toEqual([state.itemId])
    })

    it('with a save that creates a package', async () => {
      const { api } = bench()
      const rule = await api.autoPackageRules.create({
        repositoryId: configId,
        name: 'Documents',
        types: ['document'],
        packageNameTemplate: 'Documents',
      })
      const save = { ruleId: rule.id, repositoryId: configId }
      const item = { type: 'document', name: 'Saved' }
      const made = await api.autoPackage.createAndSave({
        ...save,
        packageAction: 'createNew',
        newPackageName: 'Quokkas',
        item,
        file: textFile('quokka'),
      })
      const inPackage = { packageName: 'Quokkas' }
      expect(await found('quokka', api, inPackage)).toEqual([made.id])
      await api.autoPackage.createAndSave({
        ...save,
        packageAction: 'addToExisting',
        ...inPackage,
        item: { id: made.id },
        file: textFile('numbat'),
      })
      expect(await found('quokka', api, inPackage)).toEqual([])
      expect(await found('numbat', api, inPackage)).toEqual([made.id])
      expect(await textOf(made, inPackage)).toBe('numbat')
      expect(await found('numbat')).toEqual([])
      await api.autoPackageRules.delete({ id: rule.id })
    })

    it('but not as a rendition', async () => {
      const { api } = bench()
      const at = {
        configId,
        assetId: (await api.assets.create({ configId, file: await fileOf('png', 'b.png') })).id,
      }
      await api.renditions.upload({ ...at, rendition: 'transcript', file: textFile('dugong') })
      expect(await found('dugong')).toEqual([])
    })
  })
}
