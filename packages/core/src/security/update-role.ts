import type { Contract, ParsedOf, Role } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import { requireGrantable, requireKnownKeys, requireMembership } from './grantable.ts'

/**
 * Changes what is sent. The role as it was and as it will be must both be within what the caller holds: else a lesser
 * administrator could take a greater one's role away, or raise somebody's.
 * Errors: `not_found`, `forbidden`, `name_taken`, `precondition_failed`, `invalid` for unknown keys.
 */
export async function updateRole(
  call: Call,
  { id, ...patch }: ParsedOf<Contract['roles']['update']>,
): Promise<Presented<Role>> {
  requirePermission(call, 'security.roles.update')
  return call.transaction(async (tx) => {
    const { revision, ...role } = requireRecord<'role'>(
      call,
      await tx.records.get('role', id),
      `role "${id}"`,
    )
    const sent = sentMembers(patch)
    const changed: Role = { ...role, ...sent }
    requireKnownKeys(changed)
    requireGrantable(call, [role, changed])
    if (patch.users !== undefined || patch.groups !== undefined) requireMembership(call, [role])
    const stored = await tx.records.put('role', changed, revision)
    await tx.journal.record(recordEvent(call, 'ROLE_UPDATED', { kind: 'role', id }))
    return presentRecord<'role'>(stored)
  })
}
