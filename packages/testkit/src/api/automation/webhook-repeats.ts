import type { Delivery } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { aJob } from '../../store/job-samples.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'
import { registerIn, type NewWebhook } from '../people/registered.ts'

const configId = 'magazine'

/** Redeliveries long after the event. */
export function webhookRepeatTests(bench: () => Bench): void {
  describe('a redelivery', () => {
    beforeAll(() => prepareMagazine(bench().system))

    const events: NewWebhook['events'] = [
      'ITEM_CREATED',
      'ITEM_UPDATED',
      'ITEM_PUBLISHED',
      'ITEM_CATEGORIZED',
      'ITEM_ARCHIVED',
      'ITEM_UNARCHIVED',
      'ITEM_DELETED',
      'FOLDER_CREATED',
    ]

    /** A new webhook, and what is sent to it. */
    const received = async (name: string) => {
      const url = `https://hooks.example.com/${name}`
      const { id } = await registerIn(bench(), { url, events })
      const { scope } = bench()
      const sent = async () => {
        await scope.quire.settled()
        const requests = scope.outbound.sent.filter((request) => request.url === url)
        return requests.map(({ body }) => JSON.parse(String(body)) as { event: string; data: unknown })
      }
      return { id, sent }
    }

    const deliveriesOf = async (id: string) => {
      await bench().scope.quire.settled()
      return (await bench().api.webhooks.deliveries({ id })).items
    }

    /** Sends all deliveries of a webhook again, oldest first, and returns their outcomes. */
    const repeatAll = async (id: string): Promise<readonly Delivery[]> => {
      const all = await deliveriesOf(id)
      for (const { id: deliveryId } of all.toReversed()) {
        await bench().api.webhooks.redeliver({ id, deliveryId })
        // Concurrent deliveries would arrive in any order.
        await bench().scope.quire.settled()
      }
      const again = await deliveriesOf(id)
      return again.slice(0, all.length).toReversed()
    }

    it('has the same body as the first, whatever happened since', async () => {
      const { api, system, scope } = bench()
      const { id, sent } = await received('again')
      const taxonomy = await system.taxonomies.create({ configId, name: 'Colours' })
      const category = { configId, taxonomyId: taxonomy.id, name: 'Blue' }
      const { id: categoryId } = await system.categories.create(category)
      const item = await api.items.create(anArticle({ name: 'First', fields: { title: 'First' } }))
      await scope.quire.settled()
      const on = { configId, id: item.id }
      const steps = [
        () => api.items.update({ ...on, name: 'Second', fields: { title: 'Second', price: 2 } }),
        () => api.items.publish(on),
        () => api.items.update({ ...on, name: 'Third' }),
        () => api.items.categorize({ ...on, categoryId }),
        () => api.items.archive(on),
        () => api.items.unarchive(on),
        // More changes than an item lists of its history.
        ...Array.from({ length: 11 }, (_, index) => () => api.items.update({ ...on, name: `Name ${index}` })),
        () => system.categories.update({ ...category, id: categoryId, name: 'Azure' }),
        () => api.items.unpublish(on),
        () => api.items.publish(on),
        () => api.items.delete(on),
        () => system.categories.delete({ configId, taxonomyId: taxonomy.id, id: categoryId }),
        () => api.folders.create({ configId, name: 'Shelf' }),
      ]
      for (const step of steps) {
        // Each has its own time, and is sent before the next.
        scope.clock.advance(1000)
        await step()
        await scope.quire.settled()
      }
      const first = await sent()
      expect(new Set(first.map(({ event }) => event))).toEqual(new Set(events))
      expect(first).toHaveLength(22)
      const repeated = await repeatAll(id)
      expect(repeated.map(({ state }) => state)).toEqual(first.map(() => 'succeeded'))
      const all = await sent()
      expect(all.slice(first.length)).toEqual(first)
      // A redelivery of a redelivery has the same body, too.
      expect((await repeatAll(id)).every(({ state }) => state === 'succeeded')).toBe(true)
      expect((await sent()).slice(2 * first.length)).toEqual([...first, ...first])
    })

    it('has the stored body if it was queued before deliveries named versions', async () => {
      const { api, scope } = bench()
      const { id, sent } = await received('older')
      const item = await api.items.create(anArticle({ name: 'Older', fields: { title: 'Older' } }))
      await scope.quire.settled()
      const given = { kind: 'webhook.deliver', repositoryId: item.repositoryId, subject: id }
      const payload = { event: 'ITEM_CREATED', entityId: item.id }
      const body = JSON.stringify({ id: item.id, name: 'As it was' })
      await scope.store.transaction((tx) => tx.jobs.enqueue(aJob('JOB_0', { ...given, payload, body })))
      await api.webhooks.redeliver({ id, deliveryId: 'JOB_0' })
      const [, ...others] = await sent()
      const data = { id: item.id, name: 'As it was' }
      expect(others).toMatchObject([{ data }, { data }])
    })

    it('has the same body for a merged package, and for a type that deletes versions', async () => {
      const { api, system, scope } = bench()
      const { id, sent } = await received('elsewhere')
      await api.packages.create({ repo: configId, name: 'autumn' })
      await api.items.create(anArticle({ name: 'Draft', packageName: 'autumn' }))
      await scope.quire.settled()
      await api.packages.merge({ repo: configId, packageName: 'autumn' })
      // Concurrent deliveries would arrive in any order.
      await scope.quire.settled()
      await system.types.create({ name: 'forgetful', settings: { versionLimit: 1 } })
      const { id: itemId } = await api.items.create({
        repositoryId: configId,
        type: 'forgetful',
        name: 'Old',
      })
      await scope.quire.settled()
      await api.items.update({ configId, id: itemId, name: 'New' })
      const first = await sent()
      expect(first.map(({ data }) => data)).toMatchObject([
        { name: 'Draft', packageName: 'autumn' },
        { name: 'Draft', packageName: null },
        { name: 'Old', currentVersion: 1 },
        { name: 'New', currentVersion: 2 },
      ])
      const repeated = await repeatAll(id)
      expect(repeated.every(({ state }) => state === 'succeeded')).toBe(true)
      expect((await sent()).slice(first.length)).toEqual(first)
    })

    it('is not sent, with a reason, when the version that it was about no longer exists', async () => {
      const { api, system, scope } = bench()
      const { id, sent } = await received('gone')
      const type = await system.types.create({ name: 'shortened' })
      const item = await api.items.create({ repositoryId: configId, type: 'shortened', name: 'Old' })
      await scope.quire.settled()
      await system.types.update({ id: type.id, settings: { versionLimit: 1 } })
      await api.items.update({ configId, id: item.id, name: 'New' })
      const first = await sent()
      const [forgotten, stored] = await repeatAll(id)
      expect(forgotten).toMatchObject({
        state: 'failed',
        status: null,
        error:
          'Version 1 of the item is no longer stored: it was purged, or its content type now retains fewer versions.',
      })
      expect(stored).toMatchObject({ state: 'succeeded' })
      expect((await sent()).slice(first.length)).toEqual(first.slice(1))
      const other = await api.items.create(anArticle({ name: 'Purged', fields: { title: 'Purged' } }))
      const [created] = await deliveriesOf(id)
      const branch = { repositoryId: item.repositoryId, packageId: null }
      await scope.store.transaction((tx) => tx.entities.purge(branch, { kind: 'item', id: other.id }))
      await api.webhooks.redeliver({ id, deliveryId: created?.id ?? '' })
      expect((await deliveriesOf(id))[0]).toMatchObject({
        entityId: other.id,
        state: 'failed',
        error: expect.stringContaining('it was purged'),
      })
    })
  })
}
