import type { RecordReader } from '../ports/index.ts'
import type { Account } from './account.ts'
import type { HeldRole } from './grants.ts'

/**
 * Every role of an account: its own, those that name it, and those of its groups, with the groups' own groups
 * (cycles tolerated). A role that comes several ways is listed once, by the first and shortest.
 */
export async function heldRoles(
  records: RecordReader,
  account: Pick<Account, 'kind' | 'id' | 'roles' | 'groups'>,
): Promise<readonly HeldRole[]> {
  const [roles, groups] = await Promise.all([records.list('role'), records.list('group')])
  const isUser = account.kind === 'user'
  const paths = groupPaths(account, groups, isUser)
  const held = new Map<string, HeldRole>()
  const hold = (role: (typeof roles)[number], via: readonly string[]) => {
    if (!held.has(role.id)) held.set(role.id, { role, via })
  }
  for (const role of roles) {
    if (account.roles.includes(role.id) || (isUser && role.users.includes(account.id))) hold(role, [])
  }
  for (const { group, via } of paths) {
    for (const role of roles)
      if (group.roles.includes(role.id) || role.groups.includes(group.id)) hold(role, via)
  }
  return [...held.values()]
}

interface GroupLike {
  readonly id: string
  readonly groups: readonly string[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
}

/** The groups of an account with the way to each, nearest first. */
function groupPaths(account: Pick<Account, 'id' | 'groups'>, groups: readonly GroupLike[], isUser: boolean) {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const direct = groups.filter(
    (group) => account.groups.includes(group.id) || (isUser && group.users.includes(account.id)),
  )
  const reached = new Map(direct.map((group) => [group.id, { group, via: [group.id] }]))
  for (const { group, via } of reached.values()) {
    for (const id of group.groups) {
      const parent = byId.get(id)
      if (parent && !reached.has(id)) reached.set(id, { group: parent, via: [...via, id] })
    }
  }
  return [...reached.values()]
}
