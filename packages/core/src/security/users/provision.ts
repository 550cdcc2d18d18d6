import type { Call } from '../../call/call.ts'
import type { SignedIn, SignIn, UserRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'
import { freeSearchId } from '../search-id.ts'

/** A user for somebody who signs in for the first time, with the roles that the operator gives such; null when there are none for them. */
export async function provisionUser(
  call: Call,
  { newUserRoles }: SignIn,
  { email, name }: SignedIn,
): Promise<UserRecord | null> {
  if (newUserRoles === null) return null
  const id = email.toLowerCase()
  return call.transaction(async (tx) => {
    const present = await tx.records.get('user', id)
    if (present) return present
    const roles = await tx.records.list('role')
    const user: UserRecord = {
      id,
      searchId: await freeSearchId(tx.records, id),
      name: name || id,
      repos: [],
      roles: roles
        .filter((role) => newUserRoles.includes(role.id) || newUserRoles.includes(role.name))
        .map((role) => role.id),
      groups: [],
      type: 'user',
      description: '',
      enabled: true,
      createdDate: call.now,
      updatedDate: call.now,
      epoch: call.now,
    }
    await tx.journal.record(securityEvent(call, 'USER_CREATED', { kind: 'user', id, after: user }))
    return tx.records.put('user', user, 0)
  })
}
