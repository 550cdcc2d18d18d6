import type { Contract, ParsedOf, Role } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord } from '../call/records.ts'
import { requireGrantable, requireKnownKeys } from './grantable.ts'
import { searchIdOf } from './search-id.ts'

/** Creates a role. Errors: `forbidden` when it grants what the caller lacks; `name_taken`; `invalid` for unknown keys. */
export async function createRole(
  call: Call,
  input: ParsedOf<Contract['roles']['create']>,
): Promise<Presented<Role>> {
  requirePermission(call, 'security.roles.update')
  requireKnownKeys(input)
  const id = call.environment.ids.next('ROLE')
  const role: Role = { id, searchId: searchIdOf(id), ...input }
  requireGrantable(call, [role])
  return call.transaction(async (tx) => {
    const stored = await tx.records.put('role', role, 0)
    await tx.journal.record(recordEvent(call, 'ROLE_CREATED', { kind: 'role', id }))
    return presentRecord<'role'>(stored)
  })
}
