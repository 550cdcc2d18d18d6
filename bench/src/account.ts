import { join } from 'node:path'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'

/** Opens the engine on the database of a data folder. No server may be using the folder. */
export async function openEngine(data: string): Promise<Quire> {
  return createQuire({ store: await openSqliteStore({ file: join(data, 'quire.db') }) })
}

/** Creates a service account that can read, write and publish. Returns its id. */
export async function editor(quire: Quire): Promise<string> {
  const api = quire.as(systemIdentity('bench'))
  const name = `Bench ${Date.now()}`
  const role = await api.roles.create({ name, bundles: ['bundle.publisher'] })
  const { id } = await api.serviceAccounts.create({ name, roles: [role.id] })
  return id
}
