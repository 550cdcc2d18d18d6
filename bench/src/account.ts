import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { openSqliteStore } from '@quire/store-sqlite'

/** A service account that reads, writes and publishes, and a token of it. Each call makes a new one. */
export async function editor(quire: Quire): Promise<{ id: string; token: string }> {
  const api = quire.as(systemIdentity('bench'))
  const name = `Bench ${Date.now()}`
  const role = await api.roles.create({ name, bundles: ['bundle.publisher'] })
  const { id, secret } = await api.serviceAccounts.create({ name, roles: [role.id] })
  const { access_token: token } = await api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  return { id, token }
}

/** The engine on a database that several processes of the bench open in turn: all with the same server key. */
export async function openEngine(file: string): Promise<Quire> {
  return createQuire({ store: await openSqliteStore({ file }), secrets: memorySecrets(new Uint8Array(32)) })
}
