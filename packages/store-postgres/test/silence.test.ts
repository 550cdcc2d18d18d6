import { type Server, type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anEntity } from '@quire/testkit'
import { type PostgresStore, openPostgresStore } from '../src/open-store.ts'
import {
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'

const main = { repositoryId: anEntity().repositoryId, packageId: null }

/**
 * A network route to the database that can go silent without being closed, as when a switch fails.
 */
interface Way {
  readonly url: string
  setSilent(isSilent: boolean): void
  /** Cuts the current connections silently. New ones work. */
  forget(): void
  close(): Promise<void>
}

async function openWay(): Promise<Way> {
  const target = new URL(databaseUrl())
  const pairs: (readonly [Socket, Socket])[] = []
  const forgotten = new Set<Socket>()
  let silent = false
  const server: Server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) })
    pairs.push([near, far])
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => void (silent || forgotten.has(from) || to.write(bytes)))
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
    forget: () => pairs.flat().forEach((socket) => forgotten.add(socket)),
    async close() {
      for (const socket of pairs.flat()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.skipIf(testDatabase === null)(`a route to PostgreSQL ${location} that goes silent`, () => {
  let schema: string
  let way: Way
  let store: PostgresStore
  beforeEach(async () => {
    schema = testSchema()
    way = await openWay()
    store = await openPostgresStore({ url: way.url, schema, maxConnections: 6 })
  })
  afterEach(async () => {
    await Promise.all([store.close(), way.close()])
    await dropSchema(schema)
  })

  it('is reported in time, and used again as soon as it responds', { timeout: 60_000 }, async () => {
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

  it(
    'costs one request, not one per connection, once new connections work',
    { timeout: 60_000 },
    async () => {
      const several = await openPostgresStore({ url: way.url, schema, maxConnections: 10 })
      await Promise.all(Array.from({ length: 20 }, () => several.entities.get(main, 'item', 'CONT_1')))
      way.forget()
      const started = performance.now()
      await expect(several.ping()).rejects.toMatchObject({ name: 'StoreUnavailable', kind: 'busy' })
      const refused = performance.now()
      expect(refused - started).toBeLessThan(8_000)
      for (let reads = 0; reads < 10; reads++) await several.ping()
      expect(performance.now() - refused).toBeLessThan(5_000)
      await several.close()
    },
  )

  it(
    'does not keep others from writing for long when it happens in a transaction',
    { timeout: 60_000 },
    async () => {
      const other = await openPostgresStore({ url: databaseUrl(), schema, maxConnections: 6 })
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const cutOff = store.transaction(async (tx) => {
        await tx.entities.put(anEntity({ id: 'CONT_1' }), 0)
        way.setSilent(true)
        begin()
        await over
      })
      await begun
      const started = performance.now()
      const write = () =>
        other.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', slug: 'second' }), 0))
      // Each attempt waits for the lock as long as a service does.
      await expect.poll(() => write().then(() => 'written'), { timeout: 30_000 }).toBe('written')
      expect(performance.now() - started).toBeLessThan(15_000)
      resolve()
      await expect(cutOff).rejects.toMatchObject({ name: 'StoreUnavailable', kind: 'busy' })
      expect(await other.entities.get(main, 'item', 'CONT_1')).toBeNull()
      await other.close()
    },
  )
})
