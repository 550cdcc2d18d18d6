import type { Group } from '@quire/contract'
import type { Call } from '../../call/call.ts'
import { requireRecord } from '../../call/records.ts'
import type { RecordReader, Stored } from '../../ports/index.ts'
import { requireAssignable, requireExisting } from '../grantable.ts'

/** Errors: `not_found`, `precondition_failed`. */
export async function findGroup(call: Call, id: string): Promise<Stored<'group'>> {
  return requireRecord<'group'>(call, await call.store.records.get('group', id), `group "${id}"`)
}

/**
 * All that a group gives its members, by itself and by the groups it is in, must be the caller's to give.
 * Errors: `forbidden`; `invalid` naming a role, group or user that does not exist.
 */
export async function requireGivable(
  call: Call,
  records: RecordReader,
  { id, roles, groups, repos, users }: Group,
): Promise<void> {
  await requireExisting(records, { user: users })
  // As somebody would hold it who is in this group alone, under an id that is nobody's.
  await requireAssignable(call, records, { kind: 'service', id, roles, groups, repos })
  await requireAssignable(call, records, {
    kind: 'service',
    id,
    roles: [],
    groups: await present(records, id),
    repos: [],
  })
}

/** Roles may name a group from their end too: what it is given so counts once it is there. */
async function present(records: RecordReader, id: string): Promise<string[]> {
  return (await records.get('group', id)) ? [id] : []
}
