import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle } from '../delivery/magazine.ts'
import { fileOf, prepareFiles } from '../files/files.ts'
import type { Bench } from '../host.ts'
import {
  contentOf,
  exported,
  importInto,
  membersOf,
  otherInstallations,
  replacing,
} from './transfer-steps.ts'

const configId = 'magazine'
const versions = 'versions/item-0001.ndjson'

/** Exports with earlier versions and activity. */
export function transferHistoryTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const elsewhere = otherInstallations(bench)
  const pass = (ms = 1000) => bench().scope.clock.advance(ms)

  const slugOf = (name: string) => name.toLowerCase().replaceAll(/\W+/g, '-')

  /** An article that was published with the price 1, and had the prices 2 and 3 since. */
  async function aged(name: string): Promise<{ configId: string; id: string }> {
    const { api } = bench()
    const { id } = await api.items.create(
      anArticle({ name, slug: slugOf(name), fields: { title: name, price: 1 } }),
    )
    pass()
    await api.items.publish({ configId, id })
    for (const price of [2, 3]) {
      pass()
      await api.items.update({
        configId,
        id,
        fields: { price },
        ...(price === 3 && { slug: `${slugOf(name)}-since` }),
      })
    }
    return { configId, id }
  }

  describe('an export with history', () => {
    it('brings the earlier versions of what is created', async () => {
      const { api } = bench()
      const one = await aged('Aged')
      // Somebody else has today the slug that it had.
      const next = await api.items.create(
        anArticle({ name: 'Next', slug: 'aged', fields: { title: 'Next' } }),
      )
      const folder = await api.folders.create({ configId, name: 'First' })
      pass()
      await api.folders.update({ configId, id: folder.id, name: 'Second' })
      const picture = await api.assets.create({ configId, name: 'A', file: await fileOf('png', 'a.png') })
      pass()
      await api.assets.replace({ configId, assetId: picture.id, file: await fileOf('deepPng', 'a2.png') })
      const file = await exported(api, { history: true })
      const other = await elsewhere()
      const plan = await importInto(other, file)
      expect(plan).toMatchObject({ applied: true, refuse: [], conflicts: [] })
      const of = async ({ items }: typeof api) => (await items.versions(one)).items
      expect(await of(other)).toEqual(await of(api))
      expect((await of(other)).map(({ version }) => version)).toEqual([3, 2, 1])
      for (const version of ['1', '2', '3', 'latestpublished'])
        expect((await other.items.get({ ...one, version })).fields).toEqual(
          (await api.items.get({ ...one, version })).fields,
        )
      const { versionHistory } = await api.items.get(one)
      expect((await other.items.get(one)).versionHistory).toEqual(versionHistory)
      expect(await other.items.getBySlug({ configId, slug: 'aged' })).toMatchObject({ id: next.id })
      const first = await other.assets.get({
        configId,
        assetId: picture.id,
        version: '1',
        rendition: 'original',
      })
      expect(first.mimeType).toBe('image/png')
      expect(contentOf(await exported(other, { history: true }))).toEqual(contentOf(file))
      expect((await importInto(other, file)).counts).toMatchObject({ create: 0, update: 0, conflicts: 0 })
      // It can be restored, and is an ordinary version of it.
      await other.items.delete({ configId, id: next.id })
      await api.items.delete({ configId, id: next.id })
      await other.items.restore({ ...one, version: 1 })
      expect((await other.items.get(one)).fields).toMatchObject({ price: 1 })
    })

    it('charges what it brings', async () => {
      const { api } = bench()
      const [first, second] = [await elsewhere(), await elsewhere()]
      await importInto(first, await exported(api, { query: { type: 'picture' } }))
      const picture = await first.assets.create({ configId, name: 'B', file: await fileOf('png', 'b.png') })
      await first.assets.replace({
        configId,
        assetId: picture.id,
        file: await fileOf('deepPng', 'b2.png'),
      })
      await importInto(second, await exported(first, { history: true }))
      const usageOf = ({ repositories }: typeof api) => repositories.usage({ id: configId })
      expect(await usageOf(second)).toEqual(await usageOf(first))
    })

    it('stays within the quota of versions', async () => {
      const { api } = bench()
      const one = await aged('Counted')
      const file = await exported(api, { history: true, query: { filter: { name: { eq: 'Counted' } } } })
      const other = await elsewhere()
      await other.repositories.update({ id: configId, settings: { quota: { versions: 2 } } })
      const { refuse } = await importInto(other, file)
      expect(refuse).toMatchObject([{ id: one.id, message: expect.stringContaining('2 versions') }])
      expect((await other.items.list({ configId })).count).toBe(0)
      await api.items.delete(one)
    })

    it('leaves alone the past of what exists', async () => {
      const { api } = bench()
      const one = await aged('Kept')
      const other = await elsewhere()
      await importInto(other, await exported(api))
      const before = await other.items.versions(one)
      expect(before.items.map(({ version }) => version)).toEqual([2, 1])
      await importInto(other, await exported(api, { history: true }))
      expect(await other.items.versions(one)).toEqual(before)
      await api.items.delete(one)
    })

    it('has the activity, newest first, for those who may see it', async () => {
      const { api, as } = bench()
      const text = membersOf(await exported(api, { history: true, blobs: false })).get(
        'activity/entry-0001.ndjson',
      )
      const [entry] = (text ?? '').split('\n').map((line) => (line ? JSON.parse(line) : null))
      const { items: newest } = await api.activity.list({ configId, limit: 1 })
      expect(entry).toEqual(newest[0])
      expect(
        [...membersOf(await exported(api)).keys()].filter((name) => /^(versions|activity)/.test(name)),
      ).toEqual([])
      const reader = await as({
        bundles: [],
        overrides: { grant: ['admin.repositories.export', 'items.read', 'assets.download'], revoke: [] },
      })
      const seen = membersOf(await exported(reader, { history: true, query: { type: 'article' } }))
      expect([...seen.keys()].filter((name) => name.startsWith('activity/'))).toEqual([])
    })

    it('has no version that its reader may not read', async () => {
      const { api, as } = bench()
      const role = await api.roles.create({ name: 'Readers of the past' })
      const one = {
        configId,
        id: (
          await api.items.create(
            anArticle({ name: 'Was secret', readPerm: [role.id], fields: { title: 'Was secret' } }),
          )
        ).id,
      }
      await api.items.update({ ...one, name: 'Is open', readPerm: [], fields: { title: 'Is open' } })
      const reader = await as({
        bundles: [],
        overrides: { grant: ['admin.repositories.export', 'items.read', 'activity.view'], revoke: [] },
      })
      const seen = membersOf(await exported(reader, { history: true, blobs: false }))
      expect([...seen.values()].join('')).toContain('Is open')
      expect([...seen.values()].join('')).not.toContain('Was secret')
      expect(JSON.parse(seen.get('manifest.json') ?? '')).toMatchObject({ complete: false, history: true })
      await api.items.delete(one)
    })

    it.each([
      ['a line that is none', (lines: string[]) => ['{', ...lines], 'is not JSON'],
      [
        'another kind',
        (lines: string[]) => lines.map((line) => line.replace('"kind":"item"', '"kind":"page"')),
        'must be "item"',
      ],
      ['another order', (lines: string[]) => lines.toReversed(), 'order of content/item'],
      [
        'a content of another shape',
        (lines: string[]) => lines.map((line) => line.replace(/"name":"[^"]*"/, '"name":7')),
        '',
      ],
      [
        'too many',
        (lines: string[]) => Array.from({ length: 201 }, () => lines[0] ?? ''),
        'one version too many',
      ],
    ])('is refused with %s', async (_name, spoil, message) => {
      const { api } = bench()
      const ones = [await aged('Spoilt'), await aged('Spoilt, too')]
      const file = await exported(api, { history: true, query: { type: 'article' } })
      const bad = await replacing(file, versions, (text) => spoil(text.trimEnd().split('\n')).join('\n'))
      const { refuse } = await importInto(await elsewhere(), bad, { dryRun: true })
      expect(refuse[0]).toMatchObject({
        at: expect.stringContaining(`${versions}:`),
        message: expect.stringContaining(message),
      })
      for (const one of ones) await api.items.delete(one)
    })
  })
}
