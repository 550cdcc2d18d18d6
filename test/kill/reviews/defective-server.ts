// node test/kill/reviews/defective-server.ts <data folder> <defect>: the service with a defect.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { undiciOutbound } from '@quire/outbound-undici'
import { createServer, noRateLimits } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { ensureAdministrator } from '../administrator-account.ts'
import { defects, withDefect } from './defects.ts'

const [folder = '', named] = process.argv.slice(2)
const defect = defects.find((one) => one === named)
if (!defect) throw new TypeError(`There is no defect "${named}".`)
mkdirSync(folder, { recursive: true })
const store = await openSqliteStore({ file: join(folder, 'quire.db') })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(store, secrets)
const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
const quire = createQuire({ ...withDefect[defect]({ store, outbound }), secrets })
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
quire.work()
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)
