import type { Contract, ParsedOf, Role } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import { presentRecord, requireRecord, sentMembers } from '../../call/records.ts'
import { bundlesOf } from '../../access/holdings.ts'
import { securityEvent } from '../audit.ts'
import { requireExisting, requireGrantableRoles, requireKnownKeys, requireMembership } from '../grantable.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'

/**
 * Changes what is sent. The role as it was and as it will be must both be within what the caller holds: else a lesser
 * administrator could take a greater one's role away, or raise somebody's.
 * Errors: `not_found`, `forbidden`, `name_taken`, `precondition_failed`, `last_administrator`, `invalid` for unknown keys, users and groups.
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
    requireKnownKeys(changed, await bundlesOf(tx.records))
    if (patch.users !== undefined || patch.groups !== undefined) requireMembership(call, [role])
    await requireExisting(tx.records, { user: patch.users ?? [], group: patch.groups ?? [] })
    await requireGrantableRoles(call, tx.records, [role, changed])
    const stored = await tx.records.put('role', changed, revision)
    await requireAdministratorLeft(call, tx)
    await tx.journal.record(
      securityEvent(call, 'ROLE_UPDATED', { kind: 'role', id, before: role, after: changed }),
    )
    return presentRecord<'role'>(stored)
  })
}
