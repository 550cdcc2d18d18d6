import type { Delivery } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'
import { registerIn, secret, type NewWebhook } from '../people/registered.ts'

const repositoryId = 'magazine'

/** Webhooks: what triggers them, what is sent, and what is recorded of it. */
export function webhookTests(bench: () => Bench): void {
  describe('webhooks', () => {
    beforeAll(() => prepareMagazine(bench().system))

    const register = (given: Partial<NewWebhook> = {}) => registerIn(bench(), given)

    /** The deliveries of a webhook, newest first, once all of them have ended. */
    const ended = async (id: string): Promise<Delivery[]> => {
      await bench().scope.quire.settled()
      return (await bench().api.webhooks.deliveries({ id })).items
    }
    const bodies = (url: string) =>
      bench()
        .scope.outbound.sent.filter((request) => request.url === url)
        .map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>)

    it('are registered, read, listed, changed and deleted, without showing secrets', async () => {
      const { api, scope } = bench()
      const now = scope.clock.now()
      const headers = [
        { name: 'Authorization', value: 'Bearer canary-1' },
        { name: 'x-name', value: 'name' },
      ]
      const made = await register({ name: 'Mine', secret, headers })
      const { id } = made
      expect(made).toEqual({
        id: expect.stringMatching(/^HOOK_/),
        repositoryId: expect.stringMatching(/^REPO_/),
        name: 'Mine',
        enabled: true,
        url: 'https://hooks.example.com/taken',
        events: ['ITEM_CREATED'],
        types: [],
        payloadSize: 'full',
        template: null,
        headers: headers.map(({ name }) => ({ name, value: '***' })),
        mapping: {},
        includeText: false,
        secret: '***',
        createdDate: now,
        updatedDate: now,
      })
      expect(await api.webhooks.get({ id })).toEqual(made)
      expect((await api.webhooks.list({ repositoryId })).items).toContainEqual(made)
      const changed = await api.webhooks.update({ id, name: 'Ours', headers: made.headers, secret: '***' })
      expect(changed).toMatchObject({ name: 'Ours', secret: '***' })
      const stored = await scope.store.records.get('webhook', id)
      expect(JSON.stringify(stored)).not.toMatch(/canary|MfKQ9r8/)
      await bench().api.items.create(anArticle({ name: 'Kept' }))
      await scope.quire.settled()
      const sent = scope.outbound.sent.at(-1)
      expect(sent?.headers).toContainEqual(['Authorization', 'Bearer canary-1'])
      expect(sent?.headers).toContainEqual(['x-name', 'Kept'])
      await api.webhooks.update({ id, secret: null })
      expect((await api.webhooks.get({ id })).secret).toBeNull()
      await api.webhooks.delete({ id })
      await failing(api.webhooks.get({ id }), 'not_found')
    })

    it('are triggered by the events, types and repository that they name, while enabled', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'elsewhere' })
      const url = 'https://hooks.example.com/matching'
      const { id } = await register({ url, events: ['ITEM_CREATED', 'ITEM_PUBLISHED'], types: ['article'] })
      const item = await api.items.create(anArticle({ name: 'Seen', fields: { title: 'Seen' } }))
      await api.items.update({ configId: repositoryId, id: item.id, name: 'Not subscribed' })
      await api.items.create({ repositoryId, type: 'author', name: 'Another type' })
      await api.items.create({ repositoryId: 'elsewhere', type: 'article', name: 'Elsewhere' })
      await api.items.publish({ configId: repositoryId, id: item.id })
      await api.webhooks.update({ id, enabled: false })
      await api.items.create(anArticle({ name: 'Unheard' }))
      expect((await ended(id)).map(({ event, entityId }) => [event, entityId])).toEqual([
        ['ITEM_PUBLISHED', item.id],
        ['ITEM_CREATED', item.id],
      ])
    })

    it('fire for each event of items and folders, with the entity concerned', async () => {
      const { api, system } = bench()
      const url = 'https://hooks.example.com/events'
      const taxonomy = await system.taxonomies.create({ configId: repositoryId, name: 'Subjects' })
      const category = { configId: repositoryId, taxonomyId: taxonomy.id, name: 'Ink' }
      const { id: categoryId } = await system.categories.create(category)
      const events: NewWebhook['events'] = [
        ...(['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_DELETED', 'ITEM_PUBLISHED', 'ITEM_ARCHIVED'] as const),
        ...(['ITEM_UNARCHIVED', 'ITEM_CATEGORIZED', 'ITEM_DECATEGORIZED'] as const),
        ...(['FOLDER_CREATED', 'FOLDER_UPDATED', 'FOLDER_DELETED'] as const),
      ]
      const { id } = await register({ url, events })
      const configId = repositoryId
      const item = await api.items.create(anArticle({ name: 'First', fields: { title: 'First' } }))
      const on = { configId, id: item.id }
      await api.items.update({ ...on, name: 'Second' })
      await api.items.categorize({ ...on, categoryId })
      await api.items.decategorize({ ...on, categoryId })
      await api.items.publish(on)
      await api.items.archive(on)
      await api.items.unarchive(on)
      await api.items.delete(on)
      const folder = await api.folders.create({ configId, name: 'Shelf' })
      await api.folders.update({ configId, id: folder.id, name: 'Board' })
      await api.folders.delete({ configId, id: folder.id })
      const log = await ended(id)
      expect(new Set(log.map(({ event }) => event))).toEqual(new Set(events))
      expect(log.every(({ state }) => state === 'succeeded')).toBe(true)
      const sent = bodies(url)
      const dataOf = (event: string) => sent.find((body) => body['event'] === event)?.['data']
      expect(dataOf('ITEM_CREATED')).toMatchObject({ id: item.id, name: 'First', currentVersion: 1 })
      expect(dataOf('ITEM_UPDATED')).toMatchObject({ name: 'Second' })
      expect(dataOf('ITEM_CATEGORIZED')).toMatchObject({
        taxonomies: [{ name: 'Subjects', categories: [{ id: categoryId, name: 'Ink' }] }],
      })
      expect(dataOf('ITEM_PUBLISHED')).toMatchObject({ status: 'published' })
      expect(dataOf('ITEM_DELETED')).toMatchObject({ id: item.id, name: 'Second' })
      expect(dataOf('FOLDER_UPDATED')).toMatchObject({ id: folder.id, name: 'Board' })
      for (const { data } of sent) expect(data).not.toHaveProperty('cardPreview')
    })

    it('send each change once, and nothing that was rolled back', async () => {
      const { api } = bench()
      const { id } = await register({ events: ['ITEM_CREATED', 'ITEM_UPDATED'] })
      const on = { configId: repositoryId }
      const item = await api.items.create(anArticle({ name: 'Once' }), { idempotencyKey: 'hook-1' })
      await api.items.create(anArticle({ name: 'Once' }), { idempotencyKey: 'hook-1' })
      await api.items.bulk({ ...on, action: 'publish', ids: [item.id], dryRun: true })
      await failing(api.items.update({ ...on, id: 'CONT_NONE', name: 'None' }), 'not_found')
      expect((await ended(id)).map(({ event }) => event)).toEqual(['ITEM_CREATED'])
    })

    it('distinguish packages from main in the data, and send the changes of a merge', async () => {
      const { api } = bench()
      const url = 'https://hooks.example.com/packages'
      await register({ url, events: ['ITEM_CREATED'] })
      await api.packages.create({ repo: repositoryId, name: 'spring' })
      await api.items.create(anArticle({ name: 'Draft', packageName: 'spring' }))
      await api.packages.merge({ repo: repositoryId, packageName: 'spring' })
      await bench().scope.quire.settled()
      expect(bodies(url).map(({ data }) => data)).toMatchObject([
        { name: 'Draft', packageName: 'spring' },
        { name: 'Draft', packageName: null },
      ])
    })

    it('report what is no longer public or public again, and for packages only once they are merged', async () => {
      const { api } = bench()
      const url = 'https://hooks.example.com/public'
      const { id } = await register({ url, events: ['ITEM_UPDATED', 'ITEM_PUBLISHED', 'ITEM_DELETED'] })
      const configId = repositoryId
      const item = await api.items.create(anArticle({ name: 'Public', fields: { title: 'Public' } }))
      const on = { configId, id: item.id }
      await api.items.publish(on)
      await api.items.unpublish(on)
      await api.items.delete(on)
      await api.items.undelete(on)
      const first = ['ITEM_PUBLISHED', 'ITEM_UPDATED', 'ITEM_DELETED', 'ITEM_UPDATED']
      expect((await ended(id)).map(({ event }) => event).toReversed()).toEqual(first)
      expect(bodies(url).filter(({ event }) => event === 'ITEM_UPDATED')).toMatchObject([
        { data: { isPublished: false } },
        { data: { id: item.id, name: 'Public' } },
      ])
      await api.packages.create({ repo: configId, name: 'public-spring' })
      await api.items.publish({ ...on, packageName: 'public-spring' })
      expect(await ended(id)).toHaveLength(first.length)
      await api.packages.merge({ repo: configId, packageName: 'public-spring' })
      const [last] = await ended(id)
      expect(last).toMatchObject({ event: 'ITEM_PUBLISHED', entityId: item.id })
      expect(bodies(url).at(-1)).toMatchObject({ data: { packageName: null, isPublished: true } })
    })

    it('record the outcome of each delivery', async () => {
      const { api } = bench()
      const hooks = {
        accepted: await register({ url: 'https://hooks.example.com/long' }),
        refused: await register({ url: 'https://hooks.example.com/status/302' }),
        down: await register({ url: 'https://hooks.example.com/down' }),
      }
      const item = await api.items.create(anArticle({ name: 'Told' }))
      const last = async (id: string) => (await ended(id))[0]
      expect(await last(hooks.accepted.id)).toEqual({
        id: expect.stringMatching(/^JOB_/),
        webhookId: hooks.accepted.id,
        event: 'ITEM_CREATED',
        entityId: item.id,
        state: 'succeeded',
        createdDate: expect.any(Number),
        startedDate: expect.any(Number),
        finishedDate: expect.any(Number),
        status: 200,
        ms: expect.any(Number),
        answer: 'x'.repeat(4096),
        error: null,
        redeliveryOf: null,
      })
      expect(await last(hooks.refused.id)).toMatchObject({
        state: 'failed',
        status: 302,
        error: expect.stringContaining('302'),
      })
      expect(await last(hooks.down.id)).toMatchObject({
        state: 'failed',
        status: null,
        error: 'The host does not answer.',
      })
      for (const { id } of Object.values(hooks)) await api.webhooks.delete({ id })
    })

    it('can be tested even while disabled, and resend an event while enabled', async () => {
      const { api, scope } = bench()
      const url = 'https://hooks.example.com/again'
      const { id } = await register({ url, secret, enabled: false })
      const test = await api.webhooks.test({ id })
      expect(test).toMatchObject({ event: 'TEST', webhookId: id, redeliveryOf: null })
      await scope.quire.settled()
      await failing(api.webhooks.redeliver({ id, deliveryId: test.id }), 'invalid_state')
      expect((await ended(id)).map((one) => one.id)).toEqual([test.id])
      await api.webhooks.update({ id, enabled: true, name: 'Renamed' })
      const again = await api.webhooks.redeliver({ id, deliveryId: test.id })
      expect(again).toMatchObject({ event: 'TEST', redeliveryOf: test.id })
      expect(again.id).not.toBe(test.id)
      const log = await ended(id)
      expect(log.map((one) => [one.id, one.state])).toEqual([
        [again.id, 'succeeded'],
        [test.id, 'succeeded'],
      ])
      const requests = scope.outbound.sent.filter((request) => request.url === url)
      expect(requests.map(({ headers }) => new Map(headers).get('webhook-id'))).toEqual([test.id, again.id])
      for (const { headers } of requests)
        expect(new Map(headers).get('webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
      expect(bodies(url)[1]).toMatchObject({ event: 'TEST', webhook: { name: 'Renamed' } })
      const page = await api.webhooks.deliveries({ id, limit: 1 })
      expect(page.items).toHaveLength(1)
      const next = await api.webhooks.deliveries({ id, limit: 1, cursor: page.nextCursor ?? '' })
      expect(next.items.map((one) => one.id)).toEqual([test.id])
      expect([page.count, next.count]).toEqual([2, 2])
      expect(await api.webhooks.deliveries({ id, state: 'failed' })).toEqual({ count: 0, items: [] })
      expect(await api.webhooks.deliveries({ id, skipCount: true })).not.toHaveProperty('count')
    })

    it('include the text of a file if configured', async () => {
      const { api, scope, system } = bench()
      const [plain, whole] = ['https://hooks.example.com/plain', 'https://hooks.example.com/whole']
      await register({ url: plain, events: ['ITEM_UPDATED'] })
      await register({ url: whole, events: ['ITEM_UPDATED'], includeText: true })
      await system.types.create({ name: 'paper', settings: { isAsset: true } })
      const file = new Blob(['words of a file'], { type: 'text/plain' })
      const { id } = await api.items.create({ repositoryId, type: 'paper', name: 'Paper' })
      await api.assets.replace({ configId: repositoryId, assetId: id, file })
      await scope.quire.settled()
      expect(bodies(plain).at(-1)?.['data']).not.toHaveProperty('text')
      expect(bodies(whole).at(-1)?.['data']).toHaveProperty('text')
    })
  })
}
