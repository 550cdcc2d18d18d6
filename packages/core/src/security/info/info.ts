import type { Contract, OutputOf } from '@quire/contract'
import { holdingsOf, reachedGroups, type Holder } from '../../access/holdings.ts'
import type { Call } from '../../call/call.ts'
import { requireRecord } from '../../call/records.ts'
import { findGroup } from '../groups/find.ts'
import { findServiceAccount } from '../service-accounts/account.ts'
import { findUser } from '../users/find.ts'

type Related = OutputOf<Contract['security']['userInfo']>
interface Named {
  readonly id: string
}

/** The roles and groups of a user, direct and through groups (specification 4.5). Errors: `not_found`. */
export async function userInfo(call: Call, { id }: Named): Promise<Related> {
  const user = await findUser(call, id)
  return relatedOf(call, { ...user, kind: 'user' })
}

/** The roles and groups of a service account, direct and through groups. Errors: `not_found`. */
export async function serviceAccountInfo(call: Call, { id }: Named): Promise<Related> {
  const account = await findServiceAccount(call, id)
  return relatedOf(call, { ...account, kind: 'service', repos: [] })
}

/** Who has a role, directly or through groups. Errors: `not_found`. */
export async function roleInfo(call: Call, { id }: Named): Promise<Related> {
  requireRecord<'role'>(call, await call.store.records.get('role', id), `role "${id}"`)
  const isHolder = async (holder: Holder) =>
    (await holdingsOf(call.store.records, holder)).roles.some(({ role }) => role.id === id)
  const groups = await call.store.records.list('group')
  const role = await call.store.records.get('role', id)
  const naming = groups.filter((group) => group.roles.includes(id) || role?.groups.includes(group.id))
  return { ...(await accountsWhere(call, isHolder)), roles: [], groups: naming.map((group) => group.id) }
}

/** Who is in a group, directly or through groups in it; its roles; and the groups that it is in or that are in it. Errors: `not_found`. */
export async function groupInfo(call: Call, { id }: Named): Promise<Related> {
  const group = await findGroup(call, id)
  const all = await call.store.records.list('group')
  const isMember = async (holder: Holder) =>
    reachedGroups(holder, all).some((reached) => reached.group.id === id)
  const asMember: Holder = { kind: 'service', id: '', roles: [], groups: [id], repos: [] }
  const { roles } = await holdingsOf(call.store.records, asMember)
  const inside = all.filter(({ groups }) => groups.includes(id)).map((other) => other.id)
  return {
    ...(await accountsWhere(call, isMember)),
    roles: roles.map(({ role }) => role.id),
    groups: [...new Set([...group.groups, ...inside])],
  }
}

async function relatedOf(call: Call, holder: Holder): Promise<Related> {
  const { records } = call.store
  const { roles } = await holdingsOf(records, holder)
  const groups = reachedGroups(holder, await records.list('group'))
  return {
    users: [],
    roles: roles.map(({ role }) => role.id),
    groups: groups.map(({ group }) => group.id),
    serviceAccounts: [],
  }
}

async function accountsWhere(
  call: Call,
  holds: (holder: Holder) => Promise<boolean>,
): Promise<Pick<Related, 'users' | 'serviceAccounts'>> {
  const users: string[] = []
  const serviceAccounts: string[] = []
  for (const user of await call.store.records.list('user'))
    if (await holds({ ...user, kind: 'user' })) users.push(user.id)
  for (const account of await call.store.records.list('serviceAccount'))
    if (await holds({ ...account, kind: 'service', repos: [] })) serviceAccounts.push(account.id)
  return { users, serviceAccounts }
}
