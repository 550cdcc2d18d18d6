import type { Contract, Group, ParsedOf } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, within, type Call } from '../../call/call.ts'
import { presentRecord, sentMembers } from '../../call/records.ts'
import { securityEvent } from '../audit.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { findGroup, requireGivable } from './find.ts'

/**
 * Changes what is sent. What the group gave and will give must both be within what the caller holds.
 * Errors: `not_found`, `forbidden`, `name_taken`, `last_administrator`, `precondition_failed`, `invalid` naming what does not exist.
 */
export async function updateGroup(
  call: Call,
  { id, ...patch }: ParsedOf<Contract['groups']['update']>,
): Promise<Presented<Group>> {
  requirePermission(call, 'security.groups.update')
  return call.transaction(async (tx) => {
    const { revision, ...group } = await findGroup(within(call, tx), id)
    const changed: Group = { ...group, ...sentMembers(patch), updatedDate: call.now }
    await requireGivable(call, tx.records, { ...group, users: [] })
    await requireGivable(call, tx.records, changed)
    const stored = await tx.records.put('group', changed, revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'GROUP_UPDATED', { kind: 'group', id, before: group, after: changed }),
    )
    return presentRecord<'group'>(stored)
  })
}
