import type { Contract, ParsedOf } from '@quire/contract'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { plainRecord } from '../../call/records.ts'
import { securityEvent } from '../audit.ts'
import { forgetMember } from '../forget-member.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findGroup, requireGivable } from './find.ts'

/**
 * Deletes a group: who is in it loses what it gave, with the next call. Accounts, roles and groups that name it forget it.
 * Errors: `not_found`, `forbidden`, `last_administrator`, `precondition_failed`.
 */
export async function deleteGroup(
  call: Call,
  { id }: ParsedOf<Contract['groups']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.groups.update')
  return call.transaction(async (tx) => {
    const group = await findGroup(within(call, tx), id)
    await requireGivable(call, tx.records, { ...plainRecord(group), users: [] })
    await forgetMember(call, tx, { kind: 'group', id })
    await tx.records.delete('group', id, group.revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(securityEvent(call, 'GROUP_DELETED', { kind: 'group', id, before: group }))
    return undefined
  })
}
