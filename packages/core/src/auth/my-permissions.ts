import type { PermissionKey } from '@quire/contract'
import { findAccount } from '../access/account.ts'
import type { Call } from '../call/call.ts'
import { explained, listed, type Asked, type EffectivePermissions } from './explain.ts'

/** What the caller may do now, and for one key why (specification 5.2.8; DESIGN "Security"). */
export async function myPermissions(call: Call, input: Asked): Promise<EffectivePermissions> {
  const { kind, id, name, permissions } = call.identity
  if (kind === 'user' || kind === 'service') {
    const account = await findAccount(call.store.records, { kind, id })
    if (account) return explained(call, account, input)
  }
  const answer = { identity: { kind, id, name }, ...listed(permissions) }
  if (input.explain === undefined) return answer
  const key = input.explain as PermissionKey
  // The process itself holds every key by what it is, and nobody holds none.
  return { ...answer, explanation: { key, allowed: permissions.global === 'all', grants: [], withheld: [] } }
}
