import { QuireError, type Contract, type ParsedOf, type Role } from '@quire/contract'
import { requirePermission, type Call } from '../../call/call.ts'
import { requireRecord } from '../../call/records.ts'
import type { RecordReader } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { requireGrantableRoles } from '../grantable.ts'

/** Deletes a role that nobody has. Errors: `not_found`, `forbidden`, `role_in_use`, `precondition_failed`. */
export async function deleteRole(
  call: Call,
  { id }: ParsedOf<Contract['roles']['delete']>,
): Promise<undefined> {
  requirePermission(call, 'security.roles.update')
  return call.transaction(async (tx) => {
    const role = requireRecord<'role'>(call, await tx.records.get('role', id), `role "${id}"`)
    await requireGrantableRoles(call, tx.records, [role])
    if (await isHeld(tx.records, role)) throw new QuireError('role_in_use')
    await tx.records.delete('role', id, role.revision)
    await tx.journal.record(securityEvent(call, 'ROLE_DELETED', { kind: 'role', id, before: role }))
    return undefined
  })
}

async function isHeld(records: RecordReader, role: Role): Promise<boolean> {
  if (role.users.length > 0 || role.groups.length > 0) return true
  const holders = [
    ...(await records.list('serviceAccount')),
    ...(await records.list('user')),
    ...(await records.list('group')),
  ]
  return holders.some(({ roles }) => roles.includes(role.id))
}
