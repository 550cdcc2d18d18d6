import type { Api, PermissionKey, Role } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type Principal } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import fc from 'fast-check'

/** The permission keys in the graphs. They are few, so that a caller often holds what it gives. */
const keys = fc.subarray<PermissionKey>(
  ['items.read', 'items.update', 'packages.view', 'sites.view', 'admin.types.view', 'security.roles.view'],
  { maxLength: 3 },
)
const scopes = fc.constantFrom('REPO_1', 'REPO_1:article', 'REPO_2')

/** Arbitrary permissions of a role. */
export const rights = fc.record({
  bundles: fc.subarray(['bundle.viewer', 'bundle.one', 'bundle.two'], { maxLength: 2 }),
  permissions: fc.record({
    global: keys,
    repos: fc.dictionary(scopes, keys, { maxKeys: 2 }),
    sites: fc.dictionary(fc.constant('SITE_1'), keys),
  }),
  overrides: fc.record({ grant: keys, revoke: keys }),
})
export type Rights = typeof rights extends fc.Arbitrary<infer T> ? T : never

const few = fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 })
const legacy: fc.Arbitrary<Role['repos']> = fc
  .constantFrom('view' as const, 'write' as const, 'admin' as const)
  .map((permission) => [{ CACHE_ROOT: 'one', id: 'REPO_1', permission }])
const noLegacy: fc.Arbitrary<Role['repos']> = fc.constant([])

/** Arbitrary members, as numbers that are taken modulo the number of candidates. */
export const members = fc.record({
  roles: few,
  groups: few,
  users: few,
  repos: fc.oneof({ weight: 4, arbitrary: noLegacy }, { weight: 1, arbitrary: legacy }),
})
export type Members = typeof members extends fc.Arbitrary<infer T> ? T : never

/** Arbitrary graphs of roles, groups and accounts, with the account that makes changes. */
export const graphs = fc.record({
  caller: rights,
  isUser: fc.boolean(),
  bundles: fc.tuple(keys, keys),
  roles: fc.array(fc.record({ rights, members }), { minLength: 1, maxLength: 3 }),
  groups: fc.array(members, { maxLength: 3 }),
  users: fc.array(members, { minLength: 1, maxLength: 2 }),
  accounts: fc.array(members, { minLength: 1, maxLength: 2 }),
})
/** A graph before it is created. */
export type Graph = typeof graphs extends fc.Arbitrary<infer T> ? T : never

/** All ids by kind. */
export interface Ids {
  readonly roles: string[]
  readonly groups: string[]
  readonly users: string[]
  readonly accounts: string[]
  readonly bundles: string[]
}

/** A graph that was created. */
export interface MadeGraph {
  readonly quire: Quire
  readonly system: Api
  readonly caller: Principal
  readonly ids: Ids
}

/** The permissions that are needed to change permissions at all. */
const managing = [
  'security.roles.update',
  'security.users.update',
  'security.groups.update',
  'security.serviceAccounts.update',
]

/** The id for a number, modulo the length; undefined if the list is empty. */
export function idAt(ids: readonly string[], number: number): string | undefined {
  return ids.length === 0 ? undefined : ids[number % ids.length]
}

/** The members that exist. */
export function membersIn(ids: Ids, { roles, groups, users, repos }: Members) {
  const named = (of: readonly string[], numbers: readonly number[]) => [
    ...new Set(numbers.flatMap((number) => idAt(of, number) ?? [])),
  ]
  return {
    roles: named(ids.roles, roles),
    groups: named(ids.groups, groups),
    users: named(ids.users, users),
    repos,
  }
}

/** Creates the graph with the system identity. Groups may contain each other, even in cycles. */
export async function makeGraph(graph: Graph): Promise<MadeGraph> {
  const clock = fixedClock()
  const quire = createQuire({ store: createMemoryStore(), clock, ids: seededIds(5, clock) })
  const system = quire.as(systemIdentity('graph'))
  const ids: Ids = { roles: [], groups: [], users: [], accounts: [], bundles: [] }
  for (const [index, id] of ['bundle.one', 'bundle.two'].entries()) {
    await system.bundles.create({ id, name: id, permissions: graph.bundles[index] ?? [] })
    ids.bundles.push(id)
  }
  const caller = await makeCaller(system, graph, ids)
  for (const [index, role] of graph.roles.entries())
    ids.roles.push((await system.roles.create({ name: `Role ${index}`, ...role.rights })).id)
  for (const index of graph.groups.keys())
    ids.groups.push((await system.groups.create({ name: `Group ${index}` })).id)
  await makeAccounts(system, graph, ids)
  await fillGroups(system, graph, ids)
  return { quire, system, caller, ids }
}

async function makeCaller(system: Api, { caller, isUser }: Graph, ids: Ids): Promise<Principal> {
  const { permissions } = caller
  const global = [...new Set([...permissions.global, ...managing])]
  const role = await system.roles.create({
    name: 'Caller',
    ...caller,
    permissions: { ...permissions, global },
  })
  ids.roles.push(role.id)
  if (!isUser) {
    const { id } = await system.serviceAccounts.create({ name: 'Caller', roles: [role.id] })
    ids.accounts.push(id)
    return { kind: 'service', id }
  }
  const { id } = await system.users.create({ id: 'caller@example.org', name: 'Caller', roles: [role.id] })
  ids.users.push(id)
  return { kind: 'user', id }
}

async function makeAccounts(system: Api, graph: Graph, ids: Ids): Promise<void> {
  for (const [index, user] of graph.users.entries()) {
    const { roles, groups, repos } = membersIn(ids, user)
    const id = `user${index}@example.org`
    await system.users.create({ id, name: id, roles, groups, repos })
    ids.users.push(id)
  }
  for (const [index, account] of graph.accounts.entries()) {
    const { roles, groups } = membersIn(ids, account)
    const { id } = await system.serviceAccounts.create({ name: `Account ${index}`, roles, groups })
    ids.accounts.push(id)
  }
}

async function fillGroups(system: Api, graph: Graph, ids: Ids): Promise<void> {
  for (const [index, group] of graph.groups.entries())
    await system.groups.update({ id: ids.groups[index] ?? '', ...membersIn(ids, group) })
  for (const [index, role] of graph.roles.entries()) {
    const { users, groups, repos } = membersIn(ids, role.members)
    // The first role is the caller's own.
    await system.roles.update({ id: ids.roles[index + 1] ?? '', users, groups, repos })
  }
}
