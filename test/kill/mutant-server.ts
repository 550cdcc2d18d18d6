// node test/kill/mutant-server.ts <data folder>: the service over a store that acknowledges before it commits.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import type { Secrets, Store } from '@quire/core/ports'
import { createServer } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { administrator } from '../server/api-access.ts'
import { acknowledgeEarly } from './mutant.ts'

const [folder = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const sound = await openSqliteStore({ file: join(folder, 'quire.db') })
const secrets = memorySecrets(new Uint8Array(32))
await ensureAdministrator(sound, secrets)
const quire = createQuire({ store: acknowledgeEarly(sound), secrets })
const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off' })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)

/** The account that the drivers use, as `quire serve` makes it from the environment, and the key that signs its tokens. */
async function ensureAdministrator(store: Store, secrets: Secrets): Promise<void> {
  if (await store.records.get('serviceAccount', administrator.id)) return
  const api = createQuire({ store, secrets }).as(systemIdentity('driver'))
  const role = await api.roles.create({ name: 'Administrators', bundles: ['bundle.administrator'] })
  const account = {
    id: administrator.id,
    name: 'Administrator',
    description: '',
    roles: [role.id],
    groups: [],
    expiresAt: null,
    enabled: true,
    secrets: [{ id: 'SECR_1', hash: await secrets.hmac(administrator.secret), createdDate: 0 }],
    epoch: 1,
    createdDate: 0,
    updatedDate: 0,
  }
  await store.transaction((tx) => tx.records.put('serviceAccount', account, 0))
  const { id: client_id, secret: client_secret } = administrator
  await api.auth.token({ grant_type: 'client_credentials', client_id, client_secret })
}
