import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

export function itemStateTests(bench: () => Bench): void {
  describe('the state of items', () => {
    beforeAll(() => prepareMagazine(bench().system))

    it('keeps the published version while a draft is newer', async () => {
      const { items } = bench().api
      const { id } = await items.create(anArticle({ name: 'P', fields: { title: 'T' } }))
      const published = await items.publish({ configId, id })
      expect(published).toMatchObject({
        status: 'published',
        isPublished: true,
        isLatestPublished: true,
        isPreview: false,
      })
      expect(published.publishedDate).toBe(bench().scope.clock.now())
      const draft = await items.update({ configId, id, name: 'P2' })
      expect(draft).toMatchObject({
        status: 'draft',
        isPublished: true,
        isLatestPublished: false,
        isPreview: true,
      })
      expect(await items.get({ configId, id, version: 'latestpublished' })).toMatchObject({
        name: 'P',
        currentVersion: 1,
        status: 'published',
        isLatest: false,
      })
      const unpublished = await items.unpublish({ configId, id })
      expect(unpublished).toMatchObject({ status: 'draft', isPublished: false, publishedDate: null })
      await failing(items.unpublish({ configId, id }), 'invalid_state')
    })

    it('publishes only complete items, and names what is missing', async () => {
      const { items } = bench().api
      const { id } = await items.create(
        anArticle({ name: 'D', fields: { author: nowhere, blocks: [{ type: 'quote' }] } }),
      )
      const validation = await items.validate({ configId, id })
      expect(validation.valid).toBe(false)
      const paths = validation.issues.map(({ path }) => path)
      expect(paths).toEqual(['fields.title', 'fields.blocks.0.words', 'fields.author'])
      const error = await failing(items.publish({ configId, id }), 'not_publishable')
      expect(error.issues).toEqual(validation.issues)
      expect(await items.get({ configId, id })).toMatchObject({ status: 'draft', isPublished: false })
      await items.update({ configId, id, fields: { title: 'T', author: id, blocks: null } })
      expect((await items.validate({ configId, id })).issues).toEqual([
        { path: 'fields.author', message: `refers to "${id}", which is not of the type author` },
      ])
      await items.update({ configId, id, fields: { author: null } })
      expect(await items.validate({ configId, id })).toEqual({ valid: true, issues: [] })
    })

    it('hides archived items from lists and brings them back', async () => {
      const { items } = bench().api
      const { id } = await items.create(
        anArticle({ name: 'Archived', slug: 'archived', fields: { title: 'T' } }),
      )
      await items.archive({ configId, id })
      const seen = async (archived: boolean) =>
        (await items.list({ configId, archived, filter: { slug: 'archived' } })).count
      expect(await seen(false)).toBe(0)
      expect(await seen(true)).toBe(1)
      expect(await items.get({ configId, id })).toMatchObject({ status: 'archived', isArchived: true })
      await failing(items.archive({ configId, id }), 'invalid_state')
      await failing(items.publish({ configId, id }), 'invalid_state')
      await items.unarchive({ configId, id })
      expect(await seen(false)).toBe(1)
      await failing(items.unarchive({ configId, id }), 'invalid_state')
    })

    it('deletes softly and restores, unless the slug is now used by another item', async () => {
      const { items } = bench().api
      const { id, slug } = await items.create(anArticle({ name: 'Gone', fields: { title: 'Gone' } }))
      expect(await items.delete({ configId, id })).toBeUndefined()
      await failing(items.get({ configId, id }), 'not_found')
      await failing(items.getBySlug({ configId, slug }), 'not_found')
      const back = await items.undelete({ configId, id })
      expect(back).toMatchObject({ id, slug, currentVersion: 1 })
      await failing(items.undelete({ configId, id }), 'invalid_state')
      await items.delete({ configId, id })
      await items.create(anArticle({ name: 'Heir', slug }))
      await failing(items.undelete({ configId, id }), 'slug_taken')
    })

    it('refuses to delete an item with restricting references, and names their sources', async () => {
      const { items } = bench().api
      const author = await items.create({ repositoryId: configId, type: 'author', name: 'Held' })
      const holder = await items.create(
        anArticle({ name: 'Holder', fields: { title: 'T', author: author.id } }),
      )
      const error = await failing(items.delete({ configId, id: author.id }), 'referenced')
      expect(error.details).toEqual({ count: 1, holders: [{ id: holder.id, path: 'author' }] })
      expect(await items.get({ configId, id: author.id })).toEqual(author)
      await items.delete({ configId, id: holder.id })
      await items.delete({ configId, id: author.id })
    })

    it('removes references that do not restrict deletion, and lists them in a dry run', async () => {
      const { items } = bench().api
      const target = await items.create(anArticle({ name: 'Target' }))
      const source = await items.create(
        anArticle({ name: 'Source', fields: { related: [target.id, target.id] } }),
      )
      const plan = await items.delete({ configId, id: target.id, dryRun: true })
      expect(plan).toMatchObject({ deleted: { id: target.id }, unset: [{ id: source.id, path: 'related' }] })
      expect(await items.get({ configId, id: source.id })).toEqual(source)
      await items.delete({ configId, id: target.id })
      expect(await items.get({ configId, id: source.id })).toMatchObject({
        currentVersion: 2,
        fields: { related: [] },
      })
    })

    it('changes nothing in a dry run of publish', async () => {
      const { items } = bench().api
      const item = await items.create(anArticle({ name: 'Dry', fields: { title: 'T' } }))
      expect(await items.publish({ configId, id: item.id, dryRun: true })).toMatchObject({
        status: 'published',
      })
      expect(await items.get({ configId, id: item.id })).toEqual(item)
    })

    it('adds and removes categories', async () => {
      const { api, system } = bench()
      const { id: taxonomyId } = await system.taxonomies.create({ configId, name: 'Topics' })
      const { id: categoryId } = await system.categories.create({ configId, taxonomyId, name: 'Ink' })
      const { id } = await api.items.create(anArticle({ name: 'Categorized' }))
      const categorized = await api.items.categorize({ configId, id, categoryId })
      const taxonomies = [{ id: taxonomyId, name: 'Topics', categories: [{ id: categoryId, name: 'Ink' }] }]
      expect(categorized).toMatchObject({ currentVersion: 2, taxonomies })
      expect(await api.items.categorize({ configId, id, categoryId })).toEqual(categorized)
      await failing(api.items.categorize({ configId, id, categoryId: 'CATG_2' }), 'invalid')
      const bare = await api.items.decategorize({ configId, id, categoryId })
      expect(bare).toMatchObject({ currentVersion: 3, taxonomies: [] })
    })

    it('performs a bulk action and returns the outcome for each item', async () => {
      const { items } = bench().api
      const one = await items.create(anArticle({ name: 'B1', fields: { title: 'T' } }))
      const two = await items.create(anArticle({ name: 'B2' }))
      const ids = [one.id, two.id, 'CONT_0']
      const result = await items.bulk({ configId, action: 'publish', ids })
      expect(result).toMatchObject({ succeeded: 1, failed: 2 })
      expect(result.outcomes.map(({ id, ok, error }) => [id, ok, error?.code])).toEqual([
        [one.id, true, undefined],
        [two.id, false, 'not_publishable'],
        ['CONT_0', false, 'not_found'],
      ])
      const updated = await items.bulk({
        configId,
        action: 'update',
        ids: [one.id, two.id],
        input: { description: 'both' },
      })
      expect(updated.outcomes.map(({ item }) => item?.description)).toEqual(['both', 'both'])
      const wrong = await items.bulk({ configId, action: 'update', ids: [one.id], input: { nope: 1 } })
      expect(wrong.outcomes[0]?.error).toMatchObject({ code: 'invalid', issues: [{ path: 'nope' }] })
    })

    it('refuses ids, branch and dry run in the input of a bulk', async () => {
      const { items } = bench().api
      const item = await items.create(anArticle({ name: 'Stays', fields: { title: 'T' } }))
      const inner = { dryRun: true, packageName: 'p', configId: 'x', id: 'y' }
      const paths = await invalidAt(items.bulk({ configId, action: 'delete', ids: [item.id], input: inner }))
      expect(paths).toEqual(['input.configId', 'input.packageName', 'input.id', 'input.dryRun'])
      expect(await items.get({ configId, id: item.id })).toEqual(item)
    })

    it('does not restore an item whose unique value is now used by another one', async () => {
      const { items } = bench().api
      const author = { repositoryId: configId, type: 'author', fields: { email: 'one@example.org' } }
      const first = await items.create({ ...author, name: 'First' })
      await items.delete({ configId, id: first.id })
      await items.create({ ...author, name: 'Second' })
      await failing(items.undelete({ configId, id: first.id }), 'value_taken')
    })

    it('hides an archived item from published reads', async () => {
      const { items } = bench().api
      const { id } = await items.create(anArticle({ name: 'Put away', fields: { title: 'T' } }))
      await items.publish({ configId, id })
      await items.archive({ configId, id })
      await failing(items.get({ configId, id, version: 'latestpublished' }), 'not_found')
    })

    it('performs all or nothing when atomic, and nothing in a dry run', async () => {
      const { items } = bench().api
      const one = await items.create(anArticle({ name: 'A1', fields: { title: 'T' } }))
      const two = await items.create(anArticle({ name: 'A2' }))
      const ids = [one.id, two.id]
      await failing(items.bulk({ configId, action: 'publish', ids, atomic: true }), 'not_publishable')
      await failing(
        items.bulk({ configId, action: 'archive', ids: [one.id, 'CONT_0'], atomic: true }),
        'not_found',
      )
      await failing(items.bulk({ configId, action: 'undelete', ids, atomic: true }), 'invalid_state')
      await failing(
        items.bulk({
          configId,
          action: 'move',
          ids,
          atomic: true,
          input: { folderId: null, slug: 'same-for-both' },
        }),
        'slug_taken',
      )
      const target = await items.create({ repositoryId: configId, type: 'author', name: 'Kept' })
      await items.update({ configId, id: one.id, fields: { author: target.id } })
      await failing(items.bulk({ configId, action: 'delete', ids: [target.id], atomic: true }), 'referenced')
      const stale = { fields: { author: nowhere }, baseVersion: 1 }
      await failing(
        items.bulk({ configId, action: 'update', ids: [one.id], atomic: true, input: stale }),
        'version_conflict',
      )
      const changed = await items.get({ configId, id: one.id })
      expect(await items.bulk({ configId, action: 'delete', ids, dryRun: true })).toMatchObject({
        succeeded: 2,
      })
      expect(await items.get({ configId, id: one.id })).toEqual(changed)
      expect(await items.get({ configId, id: two.id })).toEqual(two)
    })

    it('records each event once, in the order of the changes', async () => {
      const { api, scope } = bench()
      const { id } = await api.items.create(anArticle({ name: 'Events', fields: { title: 'T' } }))
      await api.items.update({ configId, id, name: 'E2' })
      await api.items.publish({ configId, id })
      await api.items.archive({ configId, id })
      await api.items.unarchive({ configId, id })
      await api.items.unpublish({ configId, id })
      await api.items.publish({ configId, id, dryRun: true })
      await api.items.delete({ configId, id })
      await failing(api.items.publish({ configId, id }), 'not_found')
      const rows = await scope.store.journal.read({ after: 0, limit: 100, entityId: id })
      expect(rows.map(({ event }) => event)).toEqual([
        'ITEM_CREATED',
        'ITEM_UPDATED',
        'ITEM_PUBLISHED',
        'ITEM_ARCHIVED',
        'ITEM_UNARCHIVED',
        'ITEM_UNPUBLISHED',
        'ITEM_DELETED',
      ])
    })
  })
}
