import type { Call } from '../../engine/call.ts'
import type { SignedIn, SignIn } from '../../ports/index.ts'
import type { UserRecord } from '../../engine/access/records.ts'
import { securityEvent } from '../audit.ts'
import { relate } from '../relate.ts'
import { freeSearchId } from '../search-id.ts'

/** A user for somebody who signs in for the first time, with the roles that the operator gives such; null when there are none for them. */
export async function provisionUser(
  call: Call,
  { newUserRoles }: SignIn,
  { email, name }: SignedIn,
): Promise<UserRecord | null> {
  if (newUserRoles === null) return null
  const id = email.toLowerCase()
  return call.write(async (call) => {
    const existing = await call.store.records.get('user', id)
    if (existing) return existing
    const roles = await call.store.records.list('role')
    const user: UserRecord = {
      id,
      searchId: await freeSearchId(call.store.records, id),
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
    await call.record(securityEvent(call, 'USER_CREATED', { kind: 'user', id, after: user }))
    const stored = await call.store.records.put('user', user, 0)
    await relate(call, { kind: 'user', id, roles: user.roles })
    return stored
  })
}
