// The engine in a Fastify app and in a server of Node, called by the typed client.
import { equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createProbe } from 'node:net'
import { createClient } from '@quire/client'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createFetchHandler, toNodeHandler } from '@quire/http'
import { quirePlugin } from '@quire/server'
import { fastify } from 'fastify'

/** A port that nobody uses. The engine has to know its address before it listens. */
async function freePort() {
  const probe = createProbe()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

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

const appPort = await freePort()
const appUrl = `http://127.0.0.1:${appPort}/cms`
const plugin = await engineAt(appUrl)
const app = fastify()
await app.register(quirePlugin, { quire: plugin.quire, prefix: '/cms' })
await app.listen({ port: appPort, host: '127.0.0.1' })
await call(appUrl, plugin.auth)
await app.close()

const nodePort = await freePort()
const nodeUrl = `http://127.0.0.1:${nodePort}/cms`
const hosted = await engineAt(nodeUrl)
const handler = createFetchHandler(hosted.quire)
const server = createServer(toNodeHandler(handler))
await new Promise((resolve) => server.listen(nodePort, '127.0.0.1', resolve))
await call(nodeUrl, hosted.auth)
handler.close()
server.closeAllConnections()
server.close()
