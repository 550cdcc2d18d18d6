import { setTimeout } from 'node:timers/promises'
import type { EventMessage } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { openShop, product, stores } from './shop.ts'

describe.each(stores)('after, on %s', (_name, openStore) => {
  it('gets the events of the stream, in the order of the commits, without delaying a caller', async () => {
    const seen: EventMessage[] = []
    const { api, quire } = await openShop(openStore, {
      item: {
        async after(event) {
          await setTimeout(Math.random() * 10)
          seen.push(event)
        },
      },
    })
    const stream = (await api.events.stream({ events: ['ITEM_CREATED'] }))[Symbol.asyncIterator]()
    await Promise.all(
      Array.from({ length: 10 }, (_, number) => api.items.create({ ...product, name: `${number}` })),
    )
    expect(seen.length).toBeLessThan(10)
    await quire.settled()
    const streamed: unknown[] = []
    while (streamed.length < 10) streamed.push((await stream.next()).value)
    await stream.return?.()
    expect(seen).toEqual(streamed)
  })

  it('gets nothing of a dry run, a refused save or another kind', async () => {
    const seen: string[] = []
    const { api, quire } = await openShop(openStore, {
      item: { after: ({ event }) => void seen.push(event) },
    })
    const { id } = await api.items.create(product)
    await api.items.bulk({ configId: 'shop', action: 'publish', ids: [id], dryRun: true })
    await api.items
      .bulk({ configId: 'shop', action: 'publish', ids: [id, 'none'], atomic: true })
      .catch(() => undefined)
    await api.folders.create({ configId: 'shop', name: 'Folder' })
    await quire.settled()
    expect(seen).toEqual(['ITEM_CREATED'])
  })

  it('logs its errors and goes on, also when it hangs', async () => {
    const seen: string[] = []
    const { api, quire, logged } = await openShop(openStore, {
      timeoutMs: 30,
      item: {
        async after({ event }, { signal }) {
          seen.push(event)
          if (event === 'ITEM_CREATED') throw new Error('broken')
          if (event === 'ITEM_UPDATED') await new Promise(() => signal)
        },
      },
    })
    const { id } = await api.items.create(product)
    await api.items.update({ configId: 'shop', id, name: 'x' })
    await api.items.publish({ configId: 'shop', id })
    await quire.settled()
    expect(seen).toEqual(['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_PUBLISHED'])
    expect(logged).toMatchObject([
      { event: 'hook.failed', hook: 'item.after', cause: expect.stringContaining('broken') },
      { event: 'hook.failed', hook: 'item.after', cause: expect.stringContaining('30 ms') },
    ])
  })

  it('is awaited by close', async () => {
    const seen: string[] = []
    const { api, quire } = await openShop(openStore, {
      item: {
        async after({ event }) {
          await setTimeout(30)
          seen.push(event)
        },
      },
    })
    await api.items.create(product)
    await quire.close()
    expect(seen).toEqual(['ITEM_CREATED'])
  })
})
