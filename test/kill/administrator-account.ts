import { createQuire, systemIdentity } from '@quire/core'
import type { Secrets, Store } from '@quire/core/ports'
import { administrator } from '../server/api-access.ts'

/**
 * Creates the account that the drivers use, as `quire serve` creates it from the environment, and
 * the key that signs its tokens.
 */
export async function ensureAdministrator(store: Store, secrets: Secrets): Promise<void> {
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
