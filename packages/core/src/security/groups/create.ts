import type { Contract, Group, ParsedOf } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import { presentRecord } from '../../call/records.ts'
import { securityEvent } from '../audit.ts'
import { searchIdOf } from '../search-id.ts'
import { requireGivable } from './find.ts'

/** Creates a group. Errors: `forbidden` when it gives what the caller lacks; `name_taken`; `invalid` naming what does not exist. */
export async function createGroup(
  call: Call,
  input: ParsedOf<Contract['groups']['create']>,
): Promise<Presented<Group>> {
  requirePermission(call, 'security.groups.update')
  const id = call.environment.ids.next('GRUP')
  const group: Group = {
    id,
    searchId: searchIdOf(id),
    ...input,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.transaction(async (tx) => {
    await requireGivable(call, tx.records, group)
    const stored = await tx.records.put('group', group, 0)
    await tx.journal.record(securityEvent(call, 'GROUP_CREATED', { kind: 'group', id, after: group }))
    return presentRecord<'group'>(stored)
  })
}
