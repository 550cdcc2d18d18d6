import { builtInBundles, isPermissionKey, type PermissionKey, type Role } from '@quire/contract'
import type { RecordReader } from '../../ports/index.ts'
import type { RoleRecord, Account } from './records.ts'

/** A role of an account, and the groups through which it is inherited; empty: directly. */
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

/** Everything that gives an account permissions. */
export interface Holdings {
  readonly roles: readonly HeldRole[]
  readonly repos: readonly HeldRepos[]
  readonly bundles: Bundles
  /** Whether all of it counts in packages only. */
  readonly branchOnly: boolean
}

/** An existing account, or the values of one to be created. */
export type Holder = Pick<Account, 'kind' | 'id' | 'roles' | 'groups' | 'repos' | 'branchOnly'>

/**
 * All roles and groups, indexed by the users and groups that they name: read once for any number of
 * accounts.
 */
export interface Graph {
  readonly roles: readonly RoleRecord[]
  readonly bundles: Bundles
  readonly groupsById: ReadonlyMap<string, GroupLike>
  /** The roles and groups that name a user, in the order of their ids. */
  readonly rolesOfUser: ReadonlyMap<string, readonly RoleRecord[]>
  readonly groupsOfUser: ReadonlyMap<string, readonly GroupLike[]>
  /** The roles that name a group. */
  readonly rolesOfGroup: ReadonlyMap<string, readonly RoleRecord[]>
}

/** The current roles and groups. Cost: one walk over them and their members. */
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

/** The current holdings of an account. */
export async function holdingsOf(records: RecordReader, account: Holder): Promise<Holdings> {
  return holdingsIn(await graphOf(records), account)
}

/**
 * Every role of an account: its own, those that name it, and those of its groups, including the
 * groups' own groups (cycles are allowed). A role that is reached in several ways is listed once,
 * with the first and shortest. Cost: proportional to what the account reaches.
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
    branchOnly: account.branchOnly,
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

/** The built-in bundles and those that were created. */
export async function bundlesOf(records: RecordReader): Promise<Bundles> {
  const made = await records.list('bundle')
  const bundles = new Map<string, readonly PermissionKey[]>(Object.entries(builtInBundles))
  for (const { id, permissions } of made) bundles.set(id, permissions.filter(isPermissionKey))
  return bundles
}

/** The members of a group that matter here. */
export interface GroupLike {
  readonly id: string
  readonly groups: readonly string[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly repos: Role['repos']
}

/** A group that an account belongs to, and the path to it. */
export interface ReachedGroup {
  readonly group: GroupLike
  readonly via: readonly string[]
}

/** The groups of an account with the path to each, nearest first. */
export function reachedGroups(
  { groupsById, groupsOfUser }: Graph,
  account: Pick<Account, 'kind' | 'id' | 'groups'>,
): readonly ReachedGroup[] {
  const own = account.groups.flatMap((id) => groupsById.get(id) ?? [])
  const named = account.kind === 'user' ? (groupsOfUser.get(account.id) ?? []) : []
  const reached = new Map([...own, ...named].map((group) => [group.id, { group, via: [group.id] }]))
  // Iterating over a map includes entries added meanwhile: nearest first, each group once.
  for (const { group, via } of reached.values()) {
    for (const id of group.groups) {
      const parent = groupsById.get(id)
      if (parent && !reached.has(id)) reached.set(id, { group: parent, via: [...via, id] })
    }
  }
  return [...reached.values()]
}
