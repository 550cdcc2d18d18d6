// The command `quire serve`, called by the typed client with a service account of its own.
import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createClient } from '@quire/client'

const clientId = 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X'
const clientSecret = 'a-secret-for-this-test-alone-0123456789'
const server = spawn(
  process.execPath,
  ['node_modules/@quire/server/dist/cli.js', 'serve', '--port', '0', '--data', 'data'],
  {
    env: { ...process.env, QUIRE_ADMIN_CLIENT_ID: clientId, QUIRE_ADMIN_CLIENT_SECRET: clientSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
let baseUrl
for await (const line of createInterface({ input: server.stdout })) {
  baseUrl = /"event":"ready".*"url":"([^"]+)"/.exec(line)?.[1]
  if (baseUrl) break
}
const client = createClient({ baseUrl, auth: { clientId, clientSecret } })
await client.repositories.create({ name: 'magazine' })
equal((await client.repositories.list()).items.length, 1)
server.kill('SIGTERM')
equal((await once(server, 'exit'))[0], 0)
