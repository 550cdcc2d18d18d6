// The command `quire serve`, called by the typed client with a service account of its own.
import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
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
process.once('SIGTERM', () => {
  server.kill()
  process.exit(1)
})
const lines = createInterface({ input: server.stdout })
/** The first match of a pattern in a line that the service logs from now on. */
async function logged(pattern) {
  for await (const [line] of on(lines, 'line', { close: ['close'] })) {
    const match = pattern.exec(line)
    if (match) return match
  }
  throw new Error('The service has ended.')
}
const [, baseUrl] = await logged(/"event":"ready".*"url":"([^"]+)"/)
const client = createClient({ baseUrl, auth: { clientId, clientSecret } })
await client.repositories.create({ name: 'magazine' })
equal((await client.repositories.list()).items.length, 1)

// Markdown is searchable. PDF is not without its parser, and the log says what to install.
const configId = 'magazine'
await client.types.create({ name: 'document', settings: { isAsset: true }, fields: [] })
await client.assets.create({ configId, file: new File(['# Oak *galls*'], 'galls.md') })
equal((await client.items.list({ configId, text: 'galls' })).items.length, 1)
const refused = logged(/"event":"extraction.refused".*run npm install pdfjs-dist/)
await client.assets.create({ configId, file: new File(['%PDF-1.7\n'], 'galls.pdf') })
await refused

for (const path of ['/api-docs', '/api-docs/swagger-ui-bundle.js', '/api-docs/graphiql/graphiql.js'])
  equal((await fetch(baseUrl + path)).status, 200)
server.kill('SIGTERM')
equal((await once(server, 'exit'))[0], 0)
