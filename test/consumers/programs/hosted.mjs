// The engine in a Fastify app and in a server of Node, called by the typed client.
import { equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import { createClient } from '@quire/client'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createFetchHandler, toNodeHandler } from '@quire/http'
import { quirePlugin } from '@quire/server'
import { fastify } from 'fastify'

async function engineAt(baseUrl) {
  const quire = createQuire({ store: createMemoryStore(), baseUrl })
  const api = quire.as(systemIdentity('consumer'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'article', fields: [] })
  const role = await api.roles.create({ name: 'Writer', bundles: ['bundle.administrator'] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Writer', roles: [role.id] })
  return { quire, auth: { clientId: id, clientSecret: secret } }
}

async function call(baseUrl, auth) {
  const client = createClient({ baseUrl, auth })
  const { id } = await client.items.create({ repositoryId: 'magazine', type: 'article', name: 'One' })
  match(id, /^CONT_/)
  equal((await client.items.list({ configId: 'magazine' })).count, 1)
}

const plugin = await engineAt('http://127.0.0.1:4610/cms')
const app = fastify()
await app.register(quirePlugin, { quire: plugin.quire, prefix: '/cms' })
await app.listen({ port: 4610, host: '127.0.0.1' })
await call('http://127.0.0.1:4610/cms', plugin.auth)
await app.close()

const hosted = await engineAt('http://127.0.0.1:4611/cms')
const handler = createFetchHandler(hosted.quire)
const server = createServer(toNodeHandler(handler))
await new Promise((resolve) => server.listen(4611, '127.0.0.1', resolve))
await call('http://127.0.0.1:4611/cms', hosted.auth)
handler.close()
server.closeAllConnections()
server.close()
