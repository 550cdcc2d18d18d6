import { builtInBundles, isPermissionKey, type PermissionKey, type Role } from '@quire/contract'
import type { RecordReader } from '../../ports/index.ts'
import type { RoleRecord, Account } from './records.ts'

/** A role that somebody has, and the groups through which it came; empty: directly. */
export interface HeldRole {
  readonly role: RoleRecord
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

/** All roles and groups, and by whom they are named: read once, for however many accounts are looked at. */
export interface Graph {
  readonly roles: readonly RoleRecord[]
  readonly bundles: Bundles
  readonly groupsById: ReadonlyMap<string, GroupLike>
  /** What names a user from its own end, in the order of their ids. */
  readonly rolesOfUser: ReadonlyMap<string, readonly RoleRecord[]>
  readonly groupsOfUser: ReadonlyMap<string, readonly GroupLike[]>
  /** Roles that name a group. */
  readonly rolesOfGroup: ReadonlyMap<string, readonly RoleRecord[]>
}

/** The roles and groups as they are. Cost: one walk over them and their members. */
export async function graphOf(records: RecordReader): Promise<Graph> {
  const [roles, groups, bundles] = await Promise.all([
    records.list('role'),
    records.list('group'),
    bundlesOf(records),
  ])
  return {
    roles,
    bundles,
    groupsById: new Map(groups.map((group) => [group.id, group])),
    rolesOfUser: byNamed(roles, ({ users }) => users),
    groupsOfUser: byNamed(groups, ({ users }) => users),
    rolesOfGroup: byNamed(roles, (role) => role.groups),
  }
}

function byNamed<T>(all: readonly T[], namedBy: (one: T) => readonly string[]): Map<string, T[]> {
  const named = new Map<string, T[]>()
  for (const one of all) {
    for (const id of namedBy(one)) {
      const existing = named.get(id)
      if (existing) existing.push(one)
      else named.set(id, [one])
    }
  }
  return named
}

/** What an account holds now. */
export async function holdingsOf(records: RecordReader, account: Holder): Promise<Holdings> {
  return holdingsIn(await graphOf(records), account)
}

/**
 * Every role of an account: its own, those that name it, and those of its groups, with the groups' own groups (cycles tolerated).
 * A role that comes several ways is listed once, by the first and shortest. Cost: what the account reaches.
 */
export function holdingsIn(graph: Graph, account: Holder): Holdings {
  const reached = reachedGroups(graph, account)
  const ways = new Map<string, readonly string[]>()
  const reach = (id: string, via: readonly string[]) => {
    if (!ways.has(id)) ways.set(id, via)
  }
  for (const id of account.roles) reach(id, [])
  if (account.kind === 'user') for (const { id } of graph.rolesOfUser.get(account.id) ?? []) reach(id, [])
  for (const { group, via } of reached) {
    for (const id of group.roles) reach(id, via)
    for (const { id } of graph.rolesOfGroup.get(group.id) ?? []) reach(id, via)
  }
  return {
    bundles: graph.bundles,
    roles: graph.roles.flatMap((role) => {
      const via = ways.get(role.id)
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

/** A group, as far as it counts here. */
export interface GroupLike {
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
  { groupsById, groupsOfUser }: Graph,
  account: Pick<Account, 'kind' | 'id' | 'groups'>,
): readonly ReachedGroup[] {
  const own = account.groups.flatMap((id) => groupsById.get(id) ?? [])
  const named = account.kind === 'user' ? (groupsOfUser.get(account.id) ?? []) : []
  const reached = new Map([...own, ...named].map((group) => [group.id, { group, via: [group.id] }]))
  // A map goes on with what is added while it is walked: nearest first, each group once.
  for (const { group, via } of reached.values()) {
    for (const id of group.groups) {
      const parent = groupsById.get(id)
      if (parent && !reached.has(id)) reached.set(id, { group: parent, via: [...via, id] })
    }
  }
  return [...reached.values()]
}
