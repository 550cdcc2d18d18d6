import type { AddressInfo } from 'node:net'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'

/** A service with a public repository `magazine`, which has a type `article`. */
export interface Service {
  readonly baseUrl: string
  /** The token of an administrator. */
  readonly token: string
  /** The requests for lists of items, other than preflights. */
  readonly lists: readonly string[]
  close(): Promise<void>
}

/** Serves a magazine in memory on a port of its own, for pages of these origins. */
export async function serveMagazine(origins: readonly string[]): Promise<Service> {
  const quire = createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [] })
  const role = await api.roles.create({ name: 'Administrators', bundles: ['bundle.administrator'] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Page', roles: [role.id] })
  const { access_token: token } = await api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  const lists: string[] = []
  const app = createServer({
    quire,
    baseUrl: 'http://quire.test',
    rates: noRateLimits,
    cors: { origins },
    requestLog: {
      write: (_level, _event, members = {}) => {
        if (members['route'] === '/api/items/:configId') lists.push(String(members['status']))
      },
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const close = async () => {
    await app.close()
    await quire.close()
  }
  return { baseUrl: `http://127.0.0.1:${port}`, token, lists, close }
}
