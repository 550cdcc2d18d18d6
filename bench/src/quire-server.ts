import { createServer } from '@quire/server'
import type { AddressInfo } from 'node:net'
import { editor, openEngine } from './account.ts'

/** Quire as it is served, over the database that the bench filled; it tells its port and a token. */
const quire = await openEngine(process.argv[2] ?? '')
const account = await editor(quire)
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off' })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
process.send?.({ port, token: account.token })
process.on('disconnect', () => process.exit(0))
