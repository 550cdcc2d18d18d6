// node test/kill/mutant-server.ts <data folder>: the service with a store that acknowledges before
// it commits.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { ensureAdministrator } from './administrator-account.ts'
import { acknowledgeEarly } from './mutant.ts'

const [folder = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const sound = await openSqliteStore({ file: join(folder, 'quire.db') })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(sound, secrets)
const quire = createQuire({ store: acknowledgeEarly(sound), secrets })
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)
