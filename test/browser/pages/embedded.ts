import { anonymous, createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { edit } from './edit.ts'

/**
 * Runs the engine in the page: a service account gets a token, authenticates with it, and edits.
 */
export async function run() {
  const quire = createQuire({ store: createMemoryStore(), baseUrl: location.origin })
  const setup = quire.as(systemIdentity('setup'))
  const role = await setup.roles.create({ name: 'Editors', bundles: ['bundle.administrator'] })
  const account = await setup.serviceAccounts.create({ name: 'Page', roles: [role.id] })
  const { access_token } = await quire.as(anonymous).auth.token({
    grant_type: 'client_credentials',
    client_id: account.id,
    client_secret: account.secret,
  })
  const principal = await quire.authenticate(access_token)
  const forged = await quire.authenticate(withOtherSignature(access_token)).catch(({ code }) => code)
  const edited = await edit(quire.as(principal))
  await quire.close()
  const [header = ''] = access_token.split('.')
  return { algorithm: JSON.parse(atob(header)).alg, principal, account: account.id, forged, edited }
}

/**
 * Changes the first character of the signature. The last one contains bits that decoding ignores.
 */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}
