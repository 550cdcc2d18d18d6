import type { Api, Item, MergeConflict } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { codeOf, type Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Conflicts of a merge and their resolution. */
export function packageConflictTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  let made = 0
  const branch = async (item: Item) => {
    const packageName = `conflict ${++made}`
    await bench().api.packages.create({ repo, name: packageName })
    const ours = { configId, id: item.id, packageName }
    const theirs = { configId, id: item.id }
    return { ref: { repo, packageName }, ours, theirs }
  }
  const anItem = (name: string, fields: Parameters<Api['items']['create']>[0]['fields'] = {}) =>
    bench().api.items.create(anArticle({ name, fields: { title: name, ...fields } }))
  const short = ({ path, kind, base, ours, theirs }: MergeConflict) => ({ path, kind, base, ours, theirs })
  const conflictsOf = async (call: Promise<unknown>) => {
    const { conflicts = [] } = await failing(call, 'merge_conflict')
    return conflicts.map((conflict) => short(conflict as MergeConflict))
  }

  const nameOrCode = (call: Promise<{ name?: string | undefined }>) => call.then(({ name }) => name, codeOf)

  describe('conflicts', () => {
    it('are members that both sides changed differently; ours, theirs or a value resolves each', async () => {
      const { api } = bench()
      for (const [resolution, price] of [
        [{ use: 'ours' as const }, 2],
        [{ use: 'theirs' as const }, 3],
        [{ value: 2.5 }, 2.5],
      ] as const) {
        const item = await anItem('Both', { price: 1, tags: ['a'] })
        const { ref, ours, theirs } = await branch(item)
        await api.items.update({ ...ours, fields: { price: 2, tags: ['a', 'ours'] } })
        await api.items.update({ ...theirs, fields: { price: 3 } })
        const expected = { path: 'fields.price', kind: 'changed', base: 1, ours: 2, theirs: 3 }
        expect(await conflictsOf(api.packages.merge(ref))).toEqual([expected])
        expect((await api.packages.conflicts(ref)).items.map(short)).toEqual([expected])
        expect((await api.items.get(theirs)).fields).toMatchObject({ price: 3, tags: ['a'] })
        await api.packages.merge({
          ...ref,
          resolutions: [{ id: item.id, path: 'fields.price', ...resolution }],
        })
        expect((await api.items.get(theirs)).fields).toMatchObject({ price, tags: ['a', 'ours'] })
      }
    })

    it('of texts are lines that both sides changed; other lines merge', async () => {
      const { api } = bench()
      const item = await anItem('Lines', { notes: 'one\ntwo\nthree' })
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, fields: { notes: 'ONE\ntwo\nthree' } })
      await api.items.update({ ...theirs, fields: { notes: 'one\ntwo\nTHREE' } })
      await api.packages.merge(ref)
      expect((await api.items.get(theirs)).fields).toMatchObject({ notes: 'ONE\ntwo\nTHREE' })
    })

    it('do not occur for references, which merge as sets', async () => {
      const { api } = bench()
      const [a, b, c] = [await anItem('Set a'), await anItem('Set b'), await anItem('Set c')]
      const item = await anItem('Set', { related: [a.id] })
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, fields: { related: [a.id, b.id] } })
      await api.items.update({ ...theirs, fields: { related: [c.id] } })
      await api.packages.merge(ref)
      expect((await api.items.get(theirs)).fields?.['related']).toEqual([b.id, c.id])
    })

    it('are deletions of entities that the other side changed', async () => {
      const { api } = bench()
      for (const use of ['ours', 'theirs'] as const) {
        const first = await anItem('Deleted here')
        const one = await branch(first)
        await api.items.delete(one.ours)
        await api.items.update({ ...one.theirs, name: 'Changed there' })
        expect(await conflictsOf(api.packages.merge(one.ref))).toMatchObject([
          { path: '', kind: 'deleted_in_package', ours: null },
        ])
        await api.packages.merge({ ...one.ref, resolutions: [{ id: first.id, use }] })
        expect(await nameOrCode(api.items.get(one.theirs))).toBe(
          use === 'ours' ? 'not_found' : 'Changed there',
        )

        const second = await anItem('Deleted there')
        const two = await branch(second)
        await api.items.update({ ...two.ours, name: 'Changed here' })
        await api.items.delete(two.theirs)
        expect(await conflictsOf(api.packages.merge(two.ref))).toMatchObject([
          { path: '', kind: 'deleted_on_main', theirs: null },
        ])
        await api.packages.merge({ ...two.ref, resolutions: [{ id: second.id, use }] })
        expect(await nameOrCode(api.items.get(two.theirs))).toBe(
          use === 'ours' ? 'Changed here' : 'not_found',
        )
      }
    })

    it('are slugs and unique values that main gave to another item', async () => {
      const { api } = bench()
      const item = await anItem('Moves')
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, slug: 'wanted-by-two' })
      await anItem('Taken').then(({ id }) => api.items.update({ configId, id, slug: 'wanted-by-two' }))
      await anItem('Also taken')
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([
        { path: 'slug', kind: 'slug_taken', base: 'moves', ours: 'wanted-by-two', theirs: 'moves' },
      ])
      const at = { id: item.id, path: 'slug' }
      expect(await invalidAt(api.packages.merge({ ...ref, resolutions: [{ ...at, use: 'ours' }] }))).toEqual([
        'resolutions.0.use',
      ])
      await failing(
        api.packages.merge({ ...ref, resolutions: [{ ...at, value: 'also-taken' }] }),
        'merge_conflict',
      )
      await api.packages.merge({ ...ref, resolutions: [{ ...at, value: 'wanted-by-one' }] })
      expect((await api.items.get(theirs)).slug).toBe('wanted-by-one')

      const ada = { repositoryId: repo, type: 'author', name: 'Ada', fields: { email: 'ada@example.org' } }
      await api.packages.create({ repo, name: 'authors' })
      const author = await api.items.create({ ...ada, packageName: 'authors' })
      await api.items.create({ ...ada, slug: 'ada-on-main' })
      const authors = { repo, packageName: 'authors' }
      const conflicts = await conflictsOf(api.packages.merge(authors))
      expect(conflicts).toMatchObject([{ path: 'fields.email', kind: 'value_taken', theirs: null }])
      const settled = { id: author.id, path: 'fields.email', value: 'ada@example.com' }
      await api.packages.merge({ ...authors, resolutions: [settled] })
    })

    it('are references to items that main deleted, and references on main to items that the package deletes', async () => {
      const { api } = bench()
      const target = await anItem('Target')
      const item = await anItem('Refers')
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, fields: { related: [target.id] } })
      await api.items.delete({ configId, id: target.id })
      expect(await conflictsOf(api.packages.merge(ref))).toMatchObject([
        { path: 'fields.related', kind: 'missing_target' },
      ])
      await api.packages.merge({
        ...ref,
        resolutions: [{ id: item.id, path: 'fields.related', use: 'theirs' }],
      })
      expect((await api.items.get(theirs)).fields).not.toHaveProperty('related')

      const author = await api.items.create({ repositoryId: repo, type: 'author', name: 'Gone' })
      const gone = await branch(author)
      await api.items.delete(gone.ours)
      const holder = await anItem('Holds', { author: author.id })
      expect(await conflictsOf(api.packages.merge(gone.ref))).toMatchObject([
        { path: '', kind: 'referenced', theirs: [{ id: holder.id, path: 'author' }] },
      ])
      await api.packages.merge({ ...gone.ref, resolutions: [{ id: author.id, use: 'theirs' }] })
      expect((await api.items.get(gone.theirs)).name).toBe('Gone')
    })

    it('are merged values that are no longer valid', async () => {
      const { api } = bench()
      const item = await anItem('Long', { notes: 'a\nb\nc' })
      const { ref, ours, theirs } = await branch(item)
      const title = 'x'.repeat(150)
      await api.items.update({ ...ours, fields: { title: `${title}\nmiddle` } })
      await api.items.update({ ...theirs, fields: { title: `Long\n${title}` } })
      const found = await conflictsOf(api.packages.merge(ref))
      expect(found.map(({ path }) => path)).toEqual(['fields.title'])
    })

    it('are resolved only by resolutions that name them', async () => {
      const { api } = bench()
      const item = await anItem('Strict', { price: 1 })
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, fields: { price: 2 } })
      await api.items.update({ ...theirs, fields: { price: 3 } })
      const price = { id: item.id, path: 'fields.price', use: 'ours' as const }
      const at = (...resolutions: object[]) =>
        invalidAt(api.packages.merge({ ...ref, resolutions: resolutions as (typeof price)[] }))
      expect(await at({ ...price, id: 'CONT_nowhere' })).toEqual(['resolutions.0.id'])
      expect(await at(price, { ...price, path: 'name' })).toEqual(['resolutions.1.path'])
      expect(await at(price, price)).toEqual(['resolutions.1.path'])
      expect(await at({ ...price, use: 'both' })).toEqual(['resolutions.0.use'])
      expect((await api.items.get(theirs)).fields).toMatchObject({ price: 3 })
    })

    it('make a given plan stale when either side changes', async () => {
      const { api } = bench()
      const item = await anItem('Planned', { price: 1 })
      const { ref, ours, theirs } = await branch(item)
      await api.items.update({ ...ours, fields: { price: 2 } })
      const { planId } = await api.packages.merge({ ...ref, dryRun: true })
      await api.items.update({ ...theirs, name: 'Moved' })
      await failing(api.packages.merge({ ...ref, planId }), 'plan_stale')
      await failing(api.packages.sync({ ...ref, planId }), 'plan_stale')
      const { planId: now } = await api.packages.conflicts(ref)
      await api.packages.merge({ ...ref, planId: now })
    })
  })

  describe('a sync', () => {
    it('merges main into the package, three-way, and the later merge has no conflicts left', async () => {
      const { api } = bench()
      const item = await anItem('Synced', { price: 1, notes: 'one' })
      const gone = await anItem('Gone on main')
      const { ref, ours, theirs } = await branch(item)
      await api.packages.addItem({ ...ref, id: gone.id })
      await api.items.update({ ...ours, fields: { price: 2 } })
      await api.items.update({ ...theirs, name: 'Renamed', fields: { price: 3 } })
      await api.items.publish(theirs)
      await api.items.delete({ configId, id: gone.id })
      await failing(api.packages.sync(ref), 'merge_conflict')
      const resolutions = [{ id: item.id, path: 'fields.price', value: 2.5 }]
      const foretold = await api.packages.sync({ ...ref, resolutions, dryRun: true })
      const report = await api.packages.sync({ ...ref, resolutions })
      expect(report.changes).toEqual(foretold.changes)
      expect(await api.items.get(ours)).toMatchObject({
        name: 'Renamed',
        fields: { price: 2.5 },
        currentVersion: 4,
        isPublished: true,
      })
      expect((await api.items.get(theirs)).fields).toMatchObject({ price: 3 })
      const { items } = await api.packages.changes(ref)
      expect(items).toMatchObject([{ entity: { id: item.id }, baseVersion: 2, mainMoved: false }])
      expect((await api.packages.sync(ref)).changes).toEqual([])
      await api.packages.merge(ref)
      expect(await api.items.get(theirs)).toMatchObject({ fields: { price: 2.5 }, latestVersion: 3 })
    })
  })
}
