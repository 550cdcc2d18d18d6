import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { logTests } from './activity-log.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

export function activityTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const article = (name: string, more = {}) =>
    bench().api.items.create(anArticle({ name, fields: { title: name }, ...more }))

  describe('the activity of an item', () => {
    it('records what was done, newest first, by whom, when and why', async () => {
      const { api, scope } = bench()
      const { items, activity } = api
      const { id, createdByUser: user } = await article('Told', { comment: 'First thoughts' })
      const at = { configId, id }
      await items.update({ ...at, name: 'Told again', comment: ' Better ' })
      scope.clock.advance(1000)
      await items.publish({ ...at, comment: 'Goes to press' })
      await items.archive(at)
      await items.unarchive({ ...at, comment: '' })
      await items.unpublish(at)
      await items.restore({ ...at, version: 1 })
      await items.delete({ ...at, comment: 'A slip' })
      await items.undelete({ ...at, comment: 'Not a slip' })
      const reported = await activity.get({ configId, assetId: id })
      expect(reported.versionHistory).toEqual(['3', '2', '1'])
      expect(reported.nextCursor).toBeUndefined()
      const timestamp = new Date(scope.clock.now()).toISOString()
      expect(reported.activity[0]).toEqual({
        version: '3',
        action: 'undeleted',
        timestamp,
        user,
        status: 'draft',
        comment: 'Not a slip',
      })
      expect(
        reported.activity.map(({ version, action, status, comment }) => [version, action, status, comment]),
      ).toEqual([
        ['3', 'undeleted', 'draft', 'Not a slip'],
        ['3', 'deleted', 'draft', 'A slip'],
        ['3', 'updated', 'draft', undefined],
        ['2', 'unpublished', 'draft', undefined],
        ['2', 'unarchived', 'published', undefined],
        ['2', 'archived', 'archived', undefined],
        ['2', 'published', 'published', 'Goes to press'],
        ['2', 'updated', 'draft', 'Better'],
        ['1', 'created', 'draft', 'First thoughts'],
      ])
      const earlier = new Date(scope.clock.now() - 1000).toISOString()
      expect(reported.activity.map((entry) => entry.timestamp === earlier)).toEqual([
        ...Array.from({ length: 7 }, () => false),
        true,
        true,
      ])
      expect(JSON.stringify(reported)).not.toContain('address')
    })

    it('stores the comment with each of many items, up to its maximum length', async () => {
      const { items, activity } = bench().api
      const { id } = await article('One of many')
      const input = { name: 'Renamed', comment: 'All at once' }
      await items.bulk({ configId, action: 'update', ids: [id], input })
      const reported = await activity.get({ configId, assetId: id })
      expect(reported.activity.map(({ comment }) => comment)).toEqual(['All at once', undefined])
      const comment = 'x'.repeat(2001)
      expect(await invalidAt(items.update({ configId, id, comment }))).toEqual(['comment'])
      expect(await activity.get({ configId, assetId: id })).toEqual(reported)
    })

    it('comes in pages, each entry once while others write', async () => {
      const { items, activity } = bench().api
      const { id } = await article('0')
      const rename = (name: string) => items.update({ configId, id, name, comment: name })
      for (const name of ['1', '2', '3', '4']) await rename(name)
      const seen: (string | undefined)[] = []
      let cursor: string | undefined
      do {
        const page = await activity.get({ configId, assetId: id, limit: 2, ...(cursor && { cursor }) })
        seen.push(...page.activity.map(({ comment }) => comment))
        cursor = page.nextCursor
        await rename('later')
      } while (cursor !== undefined)
      expect(seen).toEqual(['4', '3', '2', '1', undefined])
    })

    it('in a package is what was done there, once the package contains the item', async () => {
      const { api, as } = bench()
      const { items, activity, packages } = api
      const packageName = 'told apart'
      const ref = { repo: configId, packageName }
      await packages.create({ repo: configId, name: packageName })
      const { id } = await article('Two lines')
      await items.update({ configId, id, name: 'On main', comment: 'on main' })
      const comments = async (on = {}, principal = activity) => {
        const reported = await principal.get({ configId, assetId: id, ...on })
        return { versions: reported.versionHistory, given: reported.activity.map(({ comment }) => comment) }
      }
      const main = await comments()
      expect(await comments({ packageName })).toEqual(main)
      await items.update({ configId, packageName, id, name: 'There', comment: 'there' })
      await items.update({ configId, id, description: 'Meanwhile', comment: 'meanwhile' })
      expect(await comments({ packageName })).toEqual({ versions: ['3', '2', '1'], given: ['there'] })
      expect(await comments()).toEqual({ versions: ['3', '2', '1'], given: ['meanwhile', ...main.given] })
      await packages.merge(ref)
      expect((await comments()).given[0]).toBe('Merged from the package "told apart"')
      const reader = await as({ permissions: { global: ['items.read'] } })
      expect((await comments({}, reader.activity)).given[0]).toBeUndefined()
      await failing(reader.activity.get({ configId, packageName, assetId: id }), 'forbidden')
    })

    it('shows the existing versions, even if the type deletes old ones', async () => {
      const { system, api } = bench()
      await system.types.create({ name: 'forgetful', settings: { versionLimit: 2 } })
      const { id } = await api.items.create({ repositoryId: configId, type: 'forgetful', name: '1' })
      await api.items.publish({ configId, id })
      for (const name of ['2', '3', '4']) await api.items.update({ configId, id, name })
      const { versionHistory, activity } = await api.activity.get({ configId, assetId: id })
      expect(versionHistory).toEqual(['4', '3', '1'])
      expect(activity).toHaveLength(5)
    })

    it('is not found, with the same message, for items that are absent, elsewhere or not readable', async () => {
      const { system, api, limited, as } = bench()
      const role = await system.roles.create({ name: 'Activity insiders' })
      await system.repositories.create({ name: 'elsewhere' })
      const secret = await system.items.create(anArticle({ name: 'Secret', readPerm: [role.id] }))
      const other = await system.items.create({ repositoryId: 'elsewhere', type: 'author', name: 'Other' })
      const gone = await article('Gone')
      await api.items.delete({ configId, id: gone.id })
      const messages = new Set<string>()
      for (const assetId of [secret.id, other.id, gone.id, nowhere])
        messages.add((await failing(limited.activity.get({ configId, assetId }), 'not_found')).message)
      expect(messages.size).toBe(1)
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const byType = await as({ permissions: { repos: { [`${repositoryId}:author`]: ['items.read'] } } })
      const { id: assetId } = await article('Of another type')
      await failing(byType.activity.get({ configId, assetId }), 'not_found')
    })

    it('refuses invalid limits and cursors', async () => {
      const { activity } = bench().api
      const { id: assetId } = await article('Bounded')
      const { id: other } = await article('Other')
      await bench().api.items.update({ configId, id: other, name: 'Otherwise' })
      const { nextCursor = '' } = await activity.get({ configId, assetId: other, limit: 1 })
      for (const limit of [0, -1, 1001, 1e9, 1.5, NaN])
        expect(await invalidAt(activity.get({ configId, assetId, limit }))).toEqual(['limit'])
      for (const cursor of ['x', 'MQ', nextCursor])
        expect(await invalidAt(activity.get({ configId, assetId, cursor }))).toEqual(['cursor'])
    })
  })

  logTests(bench)
}
