import { builtInBundles, isPermissionKey, type PermissionKey, type Role } from '@quire/contract'
import type { RecordReader } from '../ports/index.ts'
import type { Account } from './account.ts'

/** A role that somebody has, and the groups through which it came; empty: directly. */
export interface HeldRole {
  readonly role: Role
  readonly via: readonly string[]
}

/** Legacy entries of an account or of one of its groups. */
export interface HeldRepos {
  readonly repos: Role['repos']
  readonly via: readonly string[]
}

/** The keys of every bundle, by its id. */
export type Bundles = ReadonlyMap<string, readonly PermissionKey[]>

/** All that gives somebody permissions. */
export interface Holdings {
  readonly roles: readonly HeldRole[]
  readonly repos: readonly HeldRepos[]
  readonly bundles: Bundles
}

/** Who holds: an account, or what an account is to be. */
export type Holder = Pick<Account, 'kind' | 'id' | 'roles' | 'groups' | 'repos'>

/**
 * Every role of an account: its own, those that name it, and those of its groups, with the groups' own groups (cycles tolerated).
 * A role that comes several ways is listed once, by the first and shortest. Cost: one walk over roles and groups.
 */
export async function holdingsOf(records: RecordReader, account: Holder): Promise<Holdings> {
  const [roles, groups, bundles] = await Promise.all([
    records.list('role'),
    records.list('group'),
    bundlesOf(records),
  ])
  const isUser = account.kind === 'user'
  const reached = reachedGroups(account, groups)
  const byGroup = new Map<string, readonly string[]>()
  for (const { group, via } of reached)
    for (const id of group.roles) if (!byGroup.has(id)) byGroup.set(id, via)
  const wayTo = (role: Role): readonly string[] | undefined => {
    if (account.roles.includes(role.id) || (isUser && role.users.includes(account.id))) return []
    const named = reached.find(({ group }) => role.groups.includes(group.id))?.via
    const given = byGroup.get(role.id)
    if (named && given) return named.length < given.length ? named : given
    return named ?? given
  }
  return {
    bundles,
    roles: roles.flatMap((role) => {
      const via = wayTo(role)
      return via ? [{ role, via }] : []
    }),
    repos: [
      { repos: account.repos, via: [] },
      ...reached.map(({ group, via }) => ({ repos: group.repos, via })),
    ].filter(({ repos }) => repos.length > 0),
  }
}

/** The bundles that there are: the built-in ones, and those that were made. */
export async function bundlesOf(records: RecordReader): Promise<Bundles> {
  const made = await records.list('bundle')
  const bundles = new Map<string, readonly PermissionKey[]>(Object.entries(builtInBundles))
  for (const { id, permissions } of made) bundles.set(id, permissions.filter(isPermissionKey))
  return bundles
}

interface GroupLike {
  readonly id: string
  readonly groups: readonly string[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly repos: Role['repos']
}

/** A group that an account is in, and the way to it. */
export interface ReachedGroup {
  readonly group: GroupLike
  readonly via: readonly string[]
}

/** The groups of an account with the way to each, nearest first. */
export function reachedGroups(
  account: Pick<Account, 'kind' | 'id' | 'groups'>,
  groups: readonly GroupLike[],
): readonly ReachedGroup[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const isUser = account.kind === 'user'
  const direct = groups.filter(
    (group) => account.groups.includes(group.id) || (isUser && group.users.includes(account.id)),
  )
  const reached = new Map(direct.map((group) => [group.id, { group, via: [group.id] }]))
  // A map goes on with what is added while it is walked: nearest first, each group once.
  for (const { group, via } of reached.values()) {
    for (const id of group.groups) {
      const parent = byId.get(id)
      if (parent && !reached.has(id)) reached.set(id, { group: parent, via: [...via, id] })
    }
  }
  return [...reached.values()]
}
