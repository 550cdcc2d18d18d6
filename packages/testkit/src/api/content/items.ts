import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** Creating, reading and changing items. */
export function itemTests(bench: () => Bench): void {
  describe('items', () => {
    beforeAll(() => prepareMagazine(bench().system))

    it('creates a draft at version 1 with a slug from its title', async () => {
      const item = await bench().api.items.create(
        anArticle({ name: 'One', fields: { title: 'Über Öl & Wörter' } }),
      )
      expect(item).toMatchObject({
        status: 'draft',
        currentVersion: 1,
        latestVersion: 1,
        isPublished: false,
        isPreview: true,
      })
      expect(item.slug).toBe('uber-ol-worter')
      expect(item.id).toMatch(/^CONT_[0-9A-Z]{26}$/)
      expect(item.cardPreview).toBe('<h2>Über Öl &amp; Wörter</h2>')
      expect(item.versionHistory).toEqual([
        { version: 1, updatedDate: item.createdDate, updatedByUser: item.createdByUser },
      ])
      expect(await bench().api.items.get({ configId, id: item.id })).toEqual(item)
      expect(await bench().api.items.getBySlug({ configId, slug: item.slug })).toEqual(item)
    })

    it('numbers generated slugs and refuses a given one that is in use', async () => {
      const { items } = bench().api
      const slugs = []
      for (let index = 0; index < 5; index++)
        slugs.push((await items.create(anArticle({ name: 'Same' }))).slug)
      expect(slugs).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5'])
      const before = await items.list({ configId })
      const error = await failing(items.create(anArticle({ name: 'x', slug: 'same' })), 'slug_taken')
      expect(error.details).toEqual({ slug: 'same' })
      expect(await items.list({ configId })).toEqual(before)
      const other = await items.create(anArticle({ name: 'Other' }))
      await failing(items.update({ configId, id: other.id, slug: 'same' }), 'slug_taken')
      await items.update({ configId, id: other.id, slug: 'left' })
      await items.create(anArticle({ name: 'Heir', slug: other.slug }))
      await failing(items.restore({ configId, id: other.id, version: 1 }), 'slug_taken')
      expect(await items.get({ configId, id: other.id })).toMatchObject({ slug: 'left', currentVersion: 2 })
    })

    it('stores HTML without scripts', async () => {
      const body = '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x">y</a></p>'
      const item = await bench().api.items.create(anArticle({ name: 'Html', fields: { body } }))
      expect(item.fields['body']).toBe('<p>Hi<a>y</a></p>')
    })

    it('names every member that is wrong and changes nothing', async () => {
      const { items } = bench().api
      const before = await items.list({ configId })
      const fields = {
        title: 7,
        price: -1,
        unknown: 1,
        tags: 'no list',
        seo: { title: 1 },
        blocks: [{ type: 'nope' }],
      }
      const paths = await invalidAt(items.create(anArticle({ name: 'x', fields })))
      expect(paths.toSorted()).toEqual(
        [
          'fields.unknown',
          'fields.title',
          'fields.price',
          'fields.tags',
          'fields.seo.title',
          'fields.blocks.0',
        ].toSorted(),
      )
      expect(await invalidAt(items.create({ ...anArticle({ name: 'x' }), type: 'nope' }))).toEqual(['type'])
      expect(await invalidAt(items.create(anArticle({ name: 'x', folderId: 'FOLD_1' })))).toEqual([
        'folderId',
      ])
      expect(await invalidAt(items.create(anArticle({ name: 'x', categories: ['CATG_1'] })))).toEqual([
        'categories.0',
      ])
      expect(await invalidAt(items.create(anArticle({ name: 'x', readPerm: ['ROLE_1'] })))).toEqual([
        'readPerm.0',
      ])
      await failing(items.create({ ...anArticle({ name: 'x' }), repositoryId: 'elsewhere' }), 'not_found')
      expect(await items.list({ configId })).toEqual(before)
    })

    it('refuses a unique value that another item has', async () => {
      const author = { repositoryId: configId, type: 'author' }
      const fields = { email: 'ada@example.org' }
      const first = await bench().api.items.create({ ...author, name: 'Ada', fields })
      await failing(bench().api.items.create({ ...author, name: 'Not Ada', fields }), 'value_taken')
      await bench().api.items.update({ configId, id: first.id, name: 'Ada Byron', fields })
    })

    it('changes only the given members, removes with null and keeps the slug', async () => {
      const { items } = bench().api
      const { id, slug } = await items.create(
        anArticle({
          name: 'Patch',
          description: 'as it was',
          fields: { title: 'T', price: 3, seo: { title: 's' }, tags: ['a', 'b'] },
        }),
      )
      const item = await items.update({
        configId,
        id,
        name: 'Patched',
        fields: { price: null, seo: { title: 't' }, tags: ['c'] },
      })
      expect(item).toMatchObject({
        name: 'Patched',
        slug,
        description: 'as it was',
        currentVersion: 2,
        latestVersion: 2,
      })
      expect(item.fields).toEqual({ title: 'T', seo: { title: 't' }, tags: ['c'] })
      expect(item.versionHistory.map(({ version }) => version)).toEqual([2, 1])
    })

    it('merges a change from an older version with later changes', async () => {
      const { items } = bench().api
      const { id } = await items.create(
        anArticle({ name: 'Merge', fields: { title: 'T', price: 1, notes: 'a\nb\nc', related: [] } }),
      )
      await items.update({ configId, id, fields: { price: 2, notes: 'a\nb\nC' } })
      const merged = await items.update({
        configId,
        id,
        baseVersion: 1,
        fields: { title: 'U', notes: 'A\nb\nc' },
      })
      expect(merged.fields).toMatchObject({ title: 'U', price: 2, notes: 'A\nb\nC' })
      const error = await failing(
        items.update({ configId, id, baseVersion: 1, fields: { price: 3 } }),
        'version_conflict',
      )
      expect(error.conflicts).toEqual([{ path: 'fields.price', base: 1, yours: 3, theirs: 2 }])
      expect(await items.get({ configId, id })).toEqual(merged)
      await failing(items.update({ configId, id, baseVersion: 99, fields: {} }), 'not_found')
    })

    it('reads old versions, restores and compares them', async () => {
      const { items } = bench().api
      const { id } = await items.create(anArticle({ name: 'V1', fields: { title: 'T', price: 1 } }))
      await items.update({ configId, id, name: 'V2', fields: { price: 2 } })
      expect(await items.get({ configId, id, version: '1' })).toMatchObject({
        name: 'V1',
        currentVersion: 1,
        latestVersion: 2,
        isLatest: false,
      })
      await failing(items.get({ configId, id, version: '3' }), 'not_found')
      await failing(items.get({ configId, id, version: 'latestpublished' }), 'not_found')
      expect(await items.diff({ configId, id, from: '1' })).toEqual({
        from: 1,
        to: 2,
        changes: [
          { path: 'name', kind: 'changed', before: 'V1', after: 'V2' },
          { path: 'fields.price', kind: 'changed', before: 1, after: 2 },
        ],
      })
      await failing(items.diff({ configId, id, from: '9' }), 'not_found')
      const restored = await items.restore({ configId, id, version: 1 })
      expect(restored).toMatchObject({ name: 'V1', currentVersion: 3, fields: { price: 1 } })
      await failing(items.restore({ configId, id, version: 9 }), 'not_found')
      const page = await items.versions({ configId, id, limit: 2 })
      expect(page).toMatchObject({
        count: 3,
        items: [
          { version: 3, isLatest: true },
          { version: 2, isLatest: false },
        ],
      })
      const rest = await items.versions({ configId, id, limit: 2, cursor: page.nextCursor ?? '' })
      expect(rest.items.map(({ version }) => version)).toEqual([1])
      expect(rest.nextCursor).toBeUndefined()
    })

    it('keeps as many versions as the type allows, and the published one', async () => {
      const { items, types } = bench().api
      await types.create({ name: 'short-lived', settings: { versionLimit: 2 } })
      const { id } = await items.create({ repositoryId: configId, type: 'short-lived', name: 'V1' })
      await items.publish({ configId, id })
      for (const name of ['V2', 'V3', 'V4']) await items.update({ configId, id, name })
      const { items: versions, count } = await items.versions({ configId, id })
      expect(count).toBe(3)
      expect(versions.map(({ version }) => version)).toEqual([4, 3, 1])
      expect(await items.get({ configId, id, version: 'latestpublished' })).toMatchObject({ name: 'V1' })
      await failing(items.get({ configId, id, version: '2' }), 'not_found')
    })

    it('keeps the newest 100 and the published one once all take more than 64 MiB', async () => {
      const { items, types } = bench().api
      await types.create({ name: 'heavy', fields: [{ name: 'data', kind: 'json' }] })
      const data = { text: 'x'.repeat(700_000) }
      const { id } = await items.create({
        repositoryId: configId,
        type: 'heavy',
        name: 'V1',
        fields: { data },
      })
      await items.publish({ configId, id })
      for (let version = 2; version <= 110; version += 1)
        await items.update({ configId, id, name: `V${version}` })
      const { items: versions, count } = await items.versions({ configId, id, limit: 1 })
      expect([count, versions[0]?.version]).toEqual([101, 110])
      expect(await items.get({ configId, id, version: 'latestpublished' })).toMatchObject({ name: 'V1' })
      expect(await items.get({ configId, id, version: '11' })).toMatchObject({ name: 'V11' })
      await failing(items.get({ configId, id, version: '10' }), 'not_found')
    }, 60_000)

    it('shows an item as it was at a time', async () => {
      const { scope, api } = bench()
      const start = scope.clock.advance(1000)
      const { id } = await api.items.create(anArticle({ name: 'Then', fields: { title: 'T' } }))
      scope.clock.advance(1000)
      await api.items.publish({ configId, id })
      scope.clock.advance(1000)
      await api.items.update({ configId, id, name: 'Now' })
      scope.clock.advance(1000)
      expect(await api.items.get({ configId, id, at: start + 500 })).toMatchObject({
        name: 'Then',
        status: 'draft',
        latestVersion: 1,
      })
      expect(await api.items.get({ configId, id, at: start + 1500 })).toMatchObject({
        name: 'Then',
        status: 'published',
      })
      expect(await api.items.get({ configId, id, at: start + 2500 })).toMatchObject({
        name: 'Now',
        status: 'draft',
        isPublished: true,
      })
      await failing(api.items.get({ configId, id, at: start - 1 }), 'not_found')
    })

    it('copies within the repository and to another, and moves', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'archive' })
      const { id, slug } = await api.items.create(anArticle({ name: 'Original', fields: { title: 'T' } }))
      const copy = await api.items.copy({ configId, id })
      expect(copy).toMatchObject({ name: 'Original', slug: `${slug}-2`, currentVersion: 1, status: 'draft' })
      const away = await api.items.copy({ configId, id, repositoryId: 'archive', name: 'Far away' })
      expect(away).toMatchObject({ name: 'Far away', slug: 'far-away', fields: { title: 'T' } })
      expect(away.repositoryId).not.toBe(copy.repositoryId)
      await failing(api.items.copy({ configId, id, slug }), 'slug_taken')
      await failing(api.items.copy({ configId, id, repositoryId: 'nowhere' }), 'not_found')
      const moved = await api.items.move({
        configId,
        id: copy.id,
        folderId: null,
        name: 'Moved',
        slug: 'moved',
      })
      expect(moved).toMatchObject({ name: 'Moved', slug: 'moved', currentVersion: 2 })
      await failing(api.items.move({ configId, id: copy.id, folderId: null, slug }), 'slug_taken')
    })

    it('answers not found for absent items in every operation', async () => {
      const { items } = bench().api
      const on = { configId, id: nowhere }
      const calls = [
        items.get(on),
        items.getBySlug({ configId, slug: 'nowhere' }),
        items.update({ ...on, name: 'x' }),
        items.delete(on),
        items.undelete(on),
        items.versions(on),
        items.restore({ ...on, version: 1 }),
        items.diff({ ...on, from: '1' }),
        items.copy(on),
        items.move({ ...on, folderId: null }),
        items.publish(on),
        items.unpublish(on),
        items.archive(on),
        items.unarchive(on),
        items.categorize({ ...on, categoryId: 'CATG_1' }),
        items.decategorize({ ...on, categoryId: 'CATG_1' }),
        items.validate(on),
        items.list({ configId: 'nowhere' }),
        items.bulk({ configId: 'nowhere', action: 'publish', ids: [nowhere] }),
        items.get({ ...on, packageName: 'nowhere' }),
      ]
      await allFailing(calls, 'not_found')
    })
  })
}
