import type { Contract, ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'
import { forgetMember } from '../forget-member.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findUser, requireAssignableUser } from './find.ts'

/**
 * Deletes a user with its preferences; roles and groups forget it, and its sessions are refused with the next call.
 * Errors: `not_found`, `forbidden`, `last_administrator`, `precondition_failed`.
 */
export async function deleteUser(
  call: Call,
  input: ParsedOf<Contract['users']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.users.update')
  return call.transaction(async (tx) => {
    const user = await findUser(within(call, tx), input.id)
    const { id } = user
    await requireAssignableUser(call, tx.records, user)
    await forgetMember(call, tx, { kind: 'user', id })
    const preferences = await tx.records.get('preferences', id)
    if (preferences) await tx.records.delete('preferences', id, preferences.revision)
    await tx.records.delete('user', id, user.revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(securityEvent(call, 'USER_DELETED', { kind: 'user', id, before: user }))
    return undefined
  })
}
