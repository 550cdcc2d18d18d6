import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'
import { registerIn, secret, type NewWebhook } from '../people/registered.ts'

const repositoryId = 'magazine'

export function webhookRightsTests(bench: () => Bench): void {
  describe('webhooks', () => {
    beforeAll(() => prepareMagazine(bench().system))

    const register = (given: Partial<NewWebhook> = {}) => registerIn(bench(), given)

    it('are refused when they could not be sent, or when they set reserved headers', async () => {
      const { api } = bench()
      const scope = { repositoryId, name: 'Bad', events: ['ITEM_CREATED' as const] }
      const header = (name: string) => ({
        ...scope,
        url: 'https://hooks.example.com',
        headers: [{ name, value: 'x' }],
      })
      expect(await invalidAt(api.webhooks.create({ ...scope, url: 'http://127.0.0.1:9/' }))).toEqual(['url'])
      expect(
        await invalidAt(api.webhooks.create({ ...scope, url: 'https://user:word@example.com/' })),
      ).toEqual(['url'])
      expect(await invalidAt(api.webhooks.create({ ...scope, url: 'file:///etc/passwd' }))).toEqual(['url'])
      expect(await invalidAt(api.webhooks.create(header('webhook-id')))).toEqual(['headers.0.name'])
      expect(await invalidAt(api.webhooks.create(header('Host')))).toEqual(['headers.0.name'])
      const merged = { ...scope, url: 'https://hooks.example.com', events: ['PACKAGE_MERGED' as never] }
      expect(await invalidAt(api.webhooks.create(merged))).toEqual(['events.0'])
      await failing(
        api.webhooks.create({ ...merged, events: ['ITEM_CREATED'], repositoryId: 'none' }),
        'not_found',
      )
    })

    it('refuse the mask as a value where no secret is stored, and are not changed', async () => {
      const { api, scope } = bench()
      const headers = [{ name: 'x-key', value: '***' }]
      expect(await invalidAt(register({ headers, secret: '***' }))).toEqual(['headers', 'secret'])
      expect(await invalidAt(register({ headers }))).toEqual(['headers'])
      const { id } = await register({ headers: [{ name: 'X-Key', value: 'canary-3' }] })
      const before = await scope.store.records.get('webhook', id)
      const renamed = [{ name: 'x-other', value: '***' }]
      expect(await invalidAt(api.webhooks.update({ id, headers: renamed }))).toEqual(['headers'])
      const added = [...headers, ...renamed]
      expect(await invalidAt(api.webhooks.update({ id, headers: added, name: 'No' }))).toEqual(['headers'])
      expect(await invalidAt(api.webhooks.update({ id, secret: '***' }))).toEqual(['secret'])
      expect(await scope.store.records.get('webhook', id)).toEqual(before)
      expect(await api.webhooks.update({ id, headers })).toMatchObject({ headers })
    })

    it('do not send secrets to another address', async () => {
      const { api } = bench()
      const { id } = await register({ secret, headers: [{ name: 'x-key', value: 'canary-2' }] })
      const url = 'https://thief.example.com/'
      expect(await invalidAt(api.webhooks.update({ id, url }))).toEqual(['headers', 'secret'])
      const headers = [{ name: 'x-key', value: '***' }]
      expect(await invalidAt(api.webhooks.update({ id, url, headers, secret: null }))).toEqual(['headers'])
      expect(await api.webhooks.update({ id, url, headers: [], secret: null })).toMatchObject({ url })
    })

    it('require the keys on their repository', async () => {
      const { api, as } = bench()
      const own = await register({ name: 'Guarded' })
      const { id } = own
      const repo = own.repositoryId
      const viewer = await as({ permissions: { repos: { [repo]: ['admin.webhooks.view', 'items.read'] } } })
      expect((await viewer.webhooks.list()).items).toContainEqual(own)
      expect(await viewer.webhooks.get({ id })).toEqual(own)
      const test = await api.webhooks.test({ id })
      await failing(viewer.webhooks.update({ id, enabled: false }), 'forbidden')
      const stranger = await as({
        permissions: { repos: { none: ['admin.webhooks.view', 'admin.webhooks.update'] } },
      })
      expect(await stranger.webhooks.list()).toEqual({ count: 0, items: [] })
      await allFailing(
        [
          stranger.webhooks.get({ id }),
          stranger.webhooks.update({ id, enabled: false }),
          stranger.webhooks.delete({ id }),
          stranger.webhooks.test({ id }),
          stranger.webhooks.deliveries({ id }),
          stranger.webhooks.redeliver({ id, deliveryId: test.id }),
          stranger.webhooks.list({ repositoryId }),
          api.webhooks.redeliver({ id, deliveryId: 'JOB_NONE' }),
        ],
        'not_found',
      )
      const stale = { ifMatch: 'another' }
      await allFailing(
        [api.webhooks.update({ id, name: 'No' }, stale), api.webhooks.delete({ id }, stale)],
        'precondition_failed',
      )
    })

    it('are deleted with their repository', async () => {
      const { api, scope } = bench()
      await api.repositories.create({ name: 'passing' })
      const { id } = await register({ repositoryId: 'passing' })
      await api.repositories.delete({ id: 'passing' })
      expect(await scope.store.records.get('webhook', id)).toBeNull()
    })
  })
}
