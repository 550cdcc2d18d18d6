// node test/kill/processes/defective-server.ts <schema> <defect> --port=<port>: the service on
// PostgreSQL, with a defect in its store that must be detected.
import { parseArgs } from 'node:util'
import { createQuire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'
import { openPostgresStore } from '@quire/store-postgres'
import { databaseUrl } from '../../services/postgres.ts'
import { ensureAdministrator } from '../administrator-account.ts'
import { defects, isDefect } from './defects.ts'

const { values, positionals } = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true })
const [schema = '', defect = ''] = positionals
if (!isDefect(defect)) throw new Error(`There is no defect ${defect}.`)
const sound = await openPostgresStore({ url: databaseUrl(), schema })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(sound, secrets)
const quire = createQuire({ store: defects[defect](sound), secrets })
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
const url = await app.listen({ host: '127.0.0.1', port: Number(values.port) })
process.on('SIGTERM', () => void stop())
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)

async function stop(): Promise<void> {
  await app.close()
  await quire.close()
  process.exit(0)
}
