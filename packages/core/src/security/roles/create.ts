import type { Contract, ParsedOf, Role } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import { presentRecord } from '../../call/records.ts'
import { bundlesOf } from '../../access/holdings.ts'
import { securityEvent } from '../audit.ts'
import { requireExisting, requireGrantableRoles, requireKnownKeys } from '../grantable.ts'
import { searchIdOf } from '../search-id.ts'

/** Creates a role. Errors: `forbidden` when it grants what the caller lacks; `name_taken`; `invalid` for unknown keys, users and groups. */
export async function createRole(
  call: Call,
  input: ParsedOf<Contract['roles']['create']>,
): Promise<Presented<Role>> {
  requirePermission(call, 'security.roles.update')
  const id = call.environment.ids.next('ROLE')
  const role: Role = { id, searchId: searchIdOf(id), ...input }
  return call.transaction(async (tx) => {
    requireKnownKeys(input, await bundlesOf(tx.records))
    await requireExisting(tx.records, { user: input.users, group: input.groups })
    await requireGrantableRoles(call, tx.records, [role])
    const stored = await tx.records.put('role', role, 0)
    await tx.journal.record(securityEvent(call, 'ROLE_CREATED', { kind: 'role', id, after: role }))
    return presentRecord<'role'>(stored)
  })
}
