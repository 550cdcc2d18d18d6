import type { Contract, ParsedOf, User } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { sentMembers } from '../../call/records.ts'
import type { UserRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findUser, presentUser, requireAssignableUser } from './find.ts'

/**
 * Changes what is sent; the sessions of a disabled user are refused with the next call, and stay so when it is enabled again.
 * Errors: `not_found`, `precondition_failed`, `last_administrator`; `forbidden` when what it holds, before or after, is more than the caller's.
 */
export async function updateUser(
  call: Call,
  { id: sentId, ...patch }: ParsedOf<Contract['users']['update']>,
): Promise<Presented<User>> {
  requirePermission(call, 'security.users.update')
  return call.transaction(async (tx) => {
    const { revision, ...user } = await findUser(within(call, tx), sentId)
    const { id } = user
    const epoch = patch.enabled === false && user.enabled ? Math.max(call.now, user.epoch + 1) : user.epoch
    const changed: UserRecord = { ...user, ...sentMembers(patch), epoch, updatedDate: call.now }
    await requireAssignableUser(call, tx.records, user)
    await requireAssignableUser(call, tx.records, changed)
    const stored = await tx.records.put('user', changed, revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'USER_UPDATED', { kind: 'user', id, before: user, after: changed }),
    )
    return presentUser(tx.records, stored)
  })
}
