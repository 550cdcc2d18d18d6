import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argv } from 'node:process'
import { systemIdentity, type Quire } from '@quire/core'
import { createFetchHandler, noRateLimits, toNodeHandler } from '@quire/http'
import { quirePlugin } from '@quire/server'
import { fastify } from 'fastify'
import { openEngine } from './account.ts'

// Serves the engine on a data folder in an app as the guide shows it, without limits of rates and without a log:
// through the plugin of Fastify, or through the handler for every framework in plain Node. Sends its port, and an
// account of an editor, to the process that started it.

const [, , data = '', way = ''] = argv
const quire = await openEngine(data)
const port = await (way === 'plugin' ? servePlugin(quire) : serveHandler(quire))
const api = quire.as(systemIdentity('bench'))
const { id: role } = await api.roles.create({ name: way, bundles: ['bundle.publisher'] })
const { id, secret } = await api.serviceAccounts.create({ name: way, roles: [role] })
process.send?.({ port, account: { id, secret } })
process.once('disconnect', () => process.exit())

async function servePlugin(quire: Quire): Promise<number> {
  const app = fastify()
  await app.register(quirePlugin, { quire, rates: noRateLimits })
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}

async function serveHandler(quire: Quire): Promise<number> {
  const server = createServer(toNodeHandler(createFetchHandler(quire, { rates: noRateLimits })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  return (server.address() as AddressInfo).port
}
