// The client and an engine in memory, without a network and without msw.
import { deepEqual } from 'node:assert/strict'
import { createClient } from '@quire/client'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import { createFetchHandler } from '@quire/http'

const baseUrl = 'http://quire.test'
const clock = fixedClock()
const quire = createQuire({ store: createMemoryStore(), clock, ids: seededIds(1, clock), baseUrl })
const api = quire.as(systemIdentity('consumer'))
await api.repositories.create({ name: 'magazine' })
await api.types.create({ name: 'article', fields: [] })
const role = await api.roles.create({ name: 'Writer', bundles: ['bundle.administrator'] })
const { id, secret } = await api.serviceAccounts.create({ name: 'Writer', roles: [role.id] })
const handler = createFetchHandler(quire)
const auth = { clientId: id, clientSecret: secret }
const client = createClient({ baseUrl, auth, fetch: (input, init) => handler(new Request(input, init)) })
await client.items.create({ repositoryId: 'magazine', type: 'article', name: 'One' })
const { items } = await client.items.list({ configId: 'magazine' })
deepEqual(
  items.map(({ name }) => name),
  ['One'],
)
handler.close()
await quire.close()
