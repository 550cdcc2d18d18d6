import { type Server, type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anEntity } from '@quire/testkit'
import { type PostgresStore, openPostgresStore } from '../src/open-store.ts'
import { databaseUrl, dropSchema, place, testDatabase, testSchema } from './database.ts'

const main = { repositoryId: anEntity().repositoryId, packageId: null }

/** A way to the database that may fall silent without being closed, as when a switch dies. */
interface Way {
  readonly url: string
  setSilent(isSilent: boolean): void
  close(): Promise<void>
}

async function openWay(): Promise<Way> {
  const target = new URL(databaseUrl())
  const pairs: (readonly [Socket, Socket])[] = []
  let silent = false
  const server: Server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) })
    pairs.push([near, far])
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => void (silent || to.write(bytes)))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  return {
    url: Object.assign(new URL(databaseUrl()), { hostname: '127.0.0.1', port }).href,
    setSilent: (isSilent) => void (silent = isSilent),
    async close() {
      for (const socket of pairs.flat()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.skipIf(testDatabase === null)(`a way to PostgreSQL ${place} that falls silent`, () => {
  let schema: string
  let way: Way
  let store: PostgresStore
  beforeEach(async () => {
    schema = testSchema()
    way = await openWay()
    store = await openPostgresStore({ url: way.url, schema, maxConnections: 4 })
  })
  afterEach(async () => {
    await Promise.all([store.close(), way.close()])
    await dropSchema(schema)
  })

  it('is told of in time, and used again as soon as it speaks', { timeout: 60_000 }, async () => {
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1' }), 0))
    way.setSilent(true)
    const started = performance.now()
    const asked = await Promise.allSettled([
      store.ping(),
      store.entities.get(main, 'item', 'CONT_1'),
      store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', slug: 'second' }), 0)),
    ])
    for (const one of asked)
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable', kind: 'busy' } })
    expect(performance.now() - started).toBeLessThan(10_000)
    way.setSilent(false)
    await expect.poll(() => store.entities.get(main, 'item', 'CONT_1'), { timeout: 10_000 }).not.toBeNull()
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', slug: 'second' }), 0))
    expect(await store.entities.get(main, 'item', 'CONT_2')).not.toBeNull()
  })
})
