import type { Contract, OutputOf } from '@quire/contract'
import { graphOf, holdingsIn, reachedGroups, type Holder } from '../../access/holdings.ts'
import type { Call } from '../../call/call.ts'
import { requireRecord } from '../../call/records.ts'
import { takingTurns } from '../../call/turns.ts'
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
  const { records } = call.store
  const role = requireRecord<'role'>(call, await records.get('role', id), `role "${id}"`)
  const graph = await graphOf(records)
  const groups = [...graph.groupsById.values()].filter(
    (group) => group.roles.includes(id) || role.groups.includes(group.id),
  )
  const hasRole = (holder: Holder) => holdingsIn(graph, holder).roles.some((held) => held.role.id === id)
  return { ...(await accountsWhere(call, hasRole)), roles: [], groups: groups.map((group) => group.id) }
}

/** Who is in a group, directly or through groups in it; its roles; and the groups that it is in or that are in it. Errors: `not_found`. */
export async function groupInfo(call: Call, { id }: Named): Promise<Related> {
  const group = await findGroup(call, id)
  const graph = await graphOf(call.store.records)
  const isMember = (holder: Holder) => reachedGroups(graph, holder).some((reached) => reached.group.id === id)
  const { roles } = holdingsIn(graph, { kind: 'service', id: '', roles: [], groups: [id], repos: [] })
  const inside = [...graph.groupsById.values()].filter(({ groups }) => groups.includes(id))
  return {
    ...(await accountsWhere(call, isMember)),
    roles: roles.map(({ role }) => role.id),
    groups: [...new Set([...group.groups, ...inside.map((other) => other.id)])],
  }
}

async function relatedOf(call: Call, holder: Holder): Promise<Related> {
  const graph = await graphOf(call.store.records)
  return {
    users: [],
    roles: holdingsIn(graph, holder).roles.map(({ role }) => role.id),
    groups: reachedGroups(graph, holder).map(({ group }) => group.id),
    serviceAccounts: [],
  }
}

async function accountsWhere(
  call: Call,
  holds: (holder: Holder) => boolean,
): Promise<Pick<Related, 'users' | 'serviceAccounts'>> {
  const { records } = call.store
  const takeTurns = takingTurns()
  const users: string[] = []
  for (const user of await records.list('user')) {
    if (holds({ ...user, kind: 'user' })) users.push(user.id)
    await takeTurns()
  }
  const accounts = await records.list('serviceAccount')
  const holding = accounts.filter((account) => holds({ ...account, kind: 'service', repos: [] }))
  return { users, serviceAccounts: holding.map(({ id }) => id) }
}
