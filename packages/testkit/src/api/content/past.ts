import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'past'

type ReadItem = Awaited<ReturnType<Api['items']['list']>>['items'][number]

/** All pages of a list. */
async function listed(api: Api, input: object = {}): Promise<ReadItem[]> {
  const items: ReadItem[] = []
  let cursor: string | undefined
  do {
    const page = await api.items.list({
      configId,
      ...input,
      limit: 3,
      ...(cursor !== undefined && { cursor }),
    })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return items
}

/** What the past and the present say in the same way, in the order of ids. */
function comparable(items: readonly ReadItem[]): unknown[] {
  return items
    .map(({ id, name, slug, status, folderId, fields, currentVersion, taxonomies }) => ({
      id,
      name,
      slug,
      status,
      folderId,
      fields,
      currentVersion,
      taxonomies,
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Lists and trees as they were. */
export function pastTests(bench: () => Bench): void {
  describe('lists of the past', () => {
    it('are what a list said at that time, on main and in a package', async () => {
      const { api, scope } = bench()
      await api.repositories.create({ name: configId })
      await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
      await api.types.create({ name: 'memo' })
      const folder = await api.folders.create({ configId, name: 'Drawer' })
      const taxonomy = await api.taxonomies.create({ configId, name: 'Kinds' })
      const kind = await api.categories.create({ configId, taxonomyId: taxonomy.id, name: 'Loud' })
      const make = (name: string, more: object = {}) =>
        api.items.create({ repositoryId: configId, type: 'note', name, ...more })
      const [a, b] = [await make('A', { folderId: folder.id }), await make('B', { fields: { text: 'b' } })]
      await api.packages.create({ repo: configId, name: 'aside' })
      const aside = { packageName: 'aside' }
      const steps: (() => Promise<unknown>)[] = [
        () => make('C', { categories: [kind.id] }),
        () => api.items.update({ configId, id: b.id, name: 'B2', fields: { text: 'b2' } }),
        () => api.items.publish({ configId, id: a.id }),
        () => api.items.update({ configId, ...aside, id: a.id, name: 'A aside' }),
        () => api.items.create({ repositoryId: configId, ...aside, type: 'memo', name: 'D aside' }),
        () => api.items.archive({ configId, id: a.id }),
        () => api.items.delete({ configId, id: b.id }),
        () => api.items.move({ configId, id: a.id, folderId: null }),
        () => make('E'),
        () => api.items.undelete({ configId, id: b.id }),
        () => api.items.delete({ configId, ...aside, id: a.id }),
      ]
      const inputs = [
        {},
        { archived: true },
        { type: 'note' },
        { folderId: folder.id },
        { filter: { status: 'published' } },
        { filter: { name: { in: ['B', 'E'] } } },
        { filter: { categories: kind.id } },
        aside,
        { ...aside, filter: { name: { contains: 'aside' } } },
      ]
      const seen: { readonly at: number; readonly lists: readonly unknown[] }[] = []
      const look = async () => {
        const lists = []
        for (const input of inputs)
          lists.push(comparable(await listed(api, { ...input, sort: 'createdDate' })))
        seen.push({ at: scope.clock.now(), lists })
        scope.clock.advance(1000)
      }
      scope.clock.advance(1000)
      for (const step of steps) {
        await look()
        await step()
      }
      for (const { at, lists } of seen)
        for (const [index, input] of inputs.entries())
          expect(comparable(await listed(api, { ...input, at })), JSON.stringify({ at, input })).toEqual(
            lists[index],
          )
    })

    it('have the same pages with a count and without', async () => {
      const { api, scope } = bench()
      const at = scope.clock.now()
      scope.clock.advance(1000)
      const input = { at, archived: true }
      const counted = await listed(api, input)
      expect(counted.length).toBeGreaterThan(3)
      expect(await listed(api, { ...input, skipCount: true })).toEqual(counted)
      const { count, nextCursor } = await api.items.list({ configId, ...input, limit: counted.length })
      expect([count, nextCursor]).toEqual([counted.length, undefined])
    })

    it('refuse what needs the index of now, and a time to come', async () => {
      const { api, scope } = bench()
      const at = scope.clock.now()
      scope.clock.advance(1000)
      const wrong = (more: object) => invalidAt(api.items.list({ configId, at, ...more }))
      expect(await wrong({ filter: { 'fields.text': 'b' } })).toEqual(['filter.fields.text'])
      expect(await wrong({ sort: 'name' })).toEqual(['sort'])
      expect(await wrong({ text: 'b' })).toEqual(['text'])
      expect(await wrong({ cursor: 'bad' })).toEqual(['cursor'])
      expect(await wrong({ at: scope.clock.now() + 60_000 })).toEqual(['at'])
      expect((await api.items.list({ configId, at: 1 })).items).toEqual([])
    })

    it('show only what the caller may read today, selected as asked', async () => {
      const { api, scope, as } = bench()
      const role = await api.roles.create({ name: 'Sees the past' })
      const hidden = await api.items.create({ repositoryId: configId, type: 'memo', name: 'Hidden later' })
      scope.clock.advance(1000)
      const at = scope.clock.now()
      scope.clock.advance(1000)
      await api.items.update({ configId, id: hidden.id, readPerm: [role.id] })
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const names = async (caller: Api) =>
        (await listed(caller, { at, select: ['name'] })).map(({ name }) => name)
      expect(await names(api)).toContain('Hidden later')
      expect(await names(viewer)).not.toContain('Hidden later')
      expect(Object.keys((await listed(viewer, { at, select: ['name'] }))[0] ?? {}).toSorted()).toEqual([
        'id',
        'name',
      ])
    })

    it('have a tree of folders', async () => {
      const { api, scope } = bench()
      const make = (name: string, parentId: string | null = null) =>
        api.folders.create({ configId, name, parentId })
      const top = await make('Top')
      const inner = await make('Inner', top.id)
      await make('Deep', inner.id)
      scope.clock.advance(1000)
      const at = scope.clock.now()
      const trees = async (more: object) => [
        await api.folders.tree({ configId, ...more }),
        await api.folders.tree({ configId, depth: 1, ...more }),
        await api.folders.tree({ configId, parentId: top.id, ...more }),
      ]
      const before = await trees({})
      scope.clock.advance(1000)
      await api.folders.move({ configId, id: inner.id, parentId: null })
      await api.folders.update({ configId, id: top.id, name: 'Was top' })
      const later = await make('Later')
      expect(await trees({ at })).toEqual(before)
      expect(await trees({})).not.toEqual(before)
      await failing(api.folders.tree({ configId, at, parentId: later.id }), 'not_found')
      expect(await invalidAt(api.folders.tree({ configId, at: scope.clock.now() + 60_000 }))).toEqual(['at'])
    })

    it('have the categories of a taxonomy', async () => {
      const { api, scope } = bench()
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Makers' })
      const other = await api.taxonomies.create({ configId, name: 'Others' })
      const make = (name: string, parentId: string | null = null) =>
        api.categories.create({ configId, taxonomyId, name, parentId })
      const top = await make('Mills')
      const inner = await make('Fabriano', top.id)
      await make('Laid', inner.id)
      await api.categories.create({ configId, taxonomyId: other.id, name: 'Elsewhere' })
      scope.clock.advance(1000)
      const at = scope.clock.now()
      const lists = async (more: object) => [
        await api.categories.list({ configId, taxonomyId, ...more }),
        await api.categories.list({ configId, taxonomyId, depth: 1, ...more }),
        await api.categories.list({ configId, taxonomyId, parentId: top.id, ...more }),
        await api.categories.list({ configId, taxonomyId, limit: 2, ...more }),
      ]
      const before = await lists({})
      scope.clock.advance(1000)
      await api.categories.update({ configId, taxonomyId, id: top.id, name: 'Were mills', order: 9 })
      await api.categories.move({ configId, taxonomyId, id: inner.id, parentId: null })
      const later = await make('Later')
      expect(await lists({ at })).toEqual(before)
      expect(await lists({})).not.toEqual(before)
      const nextCursor = before[3]?.nextCursor ?? ''
      const rest = await api.categories.list({ configId, taxonomyId, at, limit: 2, cursor: nextCursor })
      expect(rest.items.map(({ name }) => name)).toEqual(['Laid'])
      const part = { configId, taxonomyId, at }
      await failing(api.categories.list({ ...part, parentId: later.id }), 'not_found')
      await failing(api.categories.list({ ...part, at: 1 }), 'not_found')
      expect(await invalidAt(api.categories.list({ ...part, text: 'mills' }))).toEqual(['text'])
      await api.taxonomies.delete({ configId, id: taxonomyId, recursive: true })
      expect(await lists({ at })).toEqual(before)
    })

    it('have the tree of a site, with its sections and pages', async () => {
      const { api, scope } = bench()
      const { id: siteId } = await api.sites.create({ configId, name: 'Mill', slug: 'mill' })
      const on = { configId, siteId }
      const news = await api.sections.create({ ...on, name: 'News', slug: 'news' })
      const inner = await api.sections.create({ ...on, name: 'Inner', slug: 'inner', parentId: news.id })
      const page = await api.pages.create({ ...on, sectionId: inner.id, name: 'First', slug: 'first' })
      scope.clock.advance(1000)
      const at = scope.clock.now()
      const look = async (more: object) => [
        await api.sites.tree({ ...on, ...more }),
        await api.sites.get({ ...on, ...more }),
        await api.sections.get({ ...on, id: inner.id, ...more }),
        await api.pages.get({ ...on, id: page.id, ...more }),
      ]
      const before = await look({})
      scope.clock.advance(1000)
      await api.sections.update({ ...on, id: news.id, slug: 'was-news', name: 'Was news' })
      await api.sections.move({ ...on, id: inner.id, parentId: null })
      await api.pages.update({ ...on, id: page.id, slug: 'was-first' })
      await api.sites.update({ ...on, name: 'Was a mill' })
      await api.pages.create({ ...on, sectionId: news.id, name: 'Later', slug: 'later' })
      expect(await look({ at })).toEqual(before)
      expect(await look({})).not.toEqual(before)
      expect(await look({ at: scope.clock.now() + 60_000 })).toEqual(await look({}))
      await api.pages.delete({ ...on, id: page.id })
      expect((await api.pages.get({ ...on, id: page.id, at })).slug).toBe('first')
      await failing(api.pages.get({ ...on, id: page.id, at: 1 }), 'not_found')
      const other = await api.sites.create({ configId, name: 'Other', slug: 'other-mill' })
      await failing(api.pages.get({ configId, siteId: other.id, id: page.id, at }), 'not_found')
    })

    it('tell that a version is not kept any more', async () => {
      const { api, scope } = bench()
      await api.types.create({ name: 'brief', settings: { versionLimit: 1 } })
      const { id } = await api.items.create({ repositoryId: configId, type: 'brief', name: 'One' })
      scope.clock.advance(1000)
      const at = scope.clock.now()
      scope.clock.advance(1000)
      for (const name of ['Two', 'Three', 'Four']) await api.items.update({ configId, id, name })
      await failing(api.items.get({ configId, id, at }), 'version_forgotten')
    })
  })
}
