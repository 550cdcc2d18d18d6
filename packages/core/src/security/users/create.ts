import { QuireError, type Contract, type ParsedOf, type User } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import type { UserRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { freeSearchId } from '../search-id.ts'
import { presentUser, requireAssignableUser } from './find.ts'

/** Creates a user. Errors: `forbidden` when it gets what the caller lacks; `name_taken`; `invalid` naming what does not exist. */
export async function createUser(
  call: Call,
  input: ParsedOf<Contract['users']['create']>,
): Promise<Presented<User>> {
  requirePermission(call, 'security.users.update')
  const id = input.id.toLowerCase()
  return call.transaction(async (tx) => {
    if (await tx.records.get('user', id))
      throw new QuireError('name_taken', `There is a user "${id}".`, { details: { id } })
    const dates = { createdDate: call.now, updatedDate: call.now }
    const searchId = await freeSearchId(tx.records, id)
    const user: UserRecord = { ...input, id, searchId, ...dates, epoch: call.now }
    await requireAssignableUser(call, tx.records, user)
    const stored = await tx.records.put('user', user, 0)
    await tx.journal.record(securityEvent(call, 'USER_CREATED', { kind: 'user', id, after: user }))
    return presentUser(tx.records, stored)
  })
}
