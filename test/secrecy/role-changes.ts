import type { Api } from '@quire/contract'
import fc from 'fast-check'
import { idAt, members, membersIn, rights, type Ids, type Members, type Rights } from './role-graph.ts'

const operations = [
  'roles.create',
  'roles.update',
  'roles.delete',
  'bundles.create',
  'bundles.update',
  'bundles.delete',
  'groups.create',
  'groups.update',
  'groups.delete',
  'users.create',
  'users.update',
  'users.delete',
  'users.createSignInLink',
  'serviceAccounts.create',
  'serviceAccounts.update',
  'serviceAccounts.delete',
  'serviceAccounts.addSecret',
] as const

/** One attempt to change rights, whatever comes of it. */
export const changes = fc.record({
  operation: fc.constantFrom(...operations),
  target: fc.nat({ max: 5 }),
  rights,
  members,
  /** Which members an update sends. */
  sent: fc.subarray(['roles', 'groups', 'users', 'repos', 'bundles', 'permissions', 'overrides', 'enabled'], {
    minLength: 1,
    maxLength: 3,
  }),
  enabled: fc.boolean(),
})
/** One attempt to change rights. */
export type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never

/** Whose power a change puts into the caller's hands: what signs in as somebody. */
export interface Taken {
  readonly kind: 'user' | 'service'
  readonly id: string
}

interface Attempt {
  readonly api: Api
  readonly ids: Ids
  readonly change: Change
  /** Different for each, for names. */
  readonly number: number
}

type Made = Promise<Taken | undefined>

/** Does it as the caller. Errors: whatever the API refuses it with. Answers whose power it takes, if anybody's. */
export function attempt(doing: Attempt): Made {
  return attempts[doing.change.operation](doing)
}

const attempts: Readonly<Record<Change['operation'], (doing: Attempt) => Made>> = {
  'roles.create': async ({ api, ids, change, number }) => {
    const { users, groups, repos } = membersIn(ids, change.members)
    const role = await api.roles.create({
      name: `New role ${number}`,
      ...change.rights,
      users,
      groups,
      repos,
    })
    ids.roles.push(role.id)
    return undefined
  },
  'roles.update': async (doing) => {
    const { bundles, permissions, overrides } = doing.change.rights
    const { users, groups, repos } = membersIn(doing.ids, doing.change.members)
    const all = { bundles, permissions, overrides, users, groups, repos }
    await doing.api.roles.update({ id: targetOf(doing, 'roles'), ...sentOf(doing, all) })
    return undefined
  },
  'roles.delete': (doing) => removed(doing, 'roles', doing.api.roles.delete),
  'bundles.create': async ({ api, ids, change, number }) => {
    const id = `bundle.new-${number}`
    await api.bundles.create({ id, name: id, permissions: change.rights.permissions.global })
    ids.bundles.push(id)
    return undefined
  },
  'bundles.update': async (doing) => {
    const { global } = doing.change.rights.permissions
    await doing.api.bundles.update({ id: targetOf(doing, 'bundles'), permissions: global })
    return undefined
  },
  'bundles.delete': (doing) => removed(doing, 'bundles', doing.api.bundles.delete),
  'groups.create': async ({ api, ids, change, number }) => {
    const group = await api.groups.create({ name: `New group ${number}`, ...membersIn(ids, change.members) })
    ids.groups.push(group.id)
    return undefined
  },
  'groups.update': async (doing) => {
    const all = membersIn(doing.ids, doing.change.members)
    await doing.api.groups.update({ id: targetOf(doing, 'groups'), ...sentOf(doing, all) })
    return undefined
  },
  'groups.delete': (doing) => removed(doing, 'groups', doing.api.groups.delete),
  'users.create': async ({ api, ids, change, number }) => {
    const { roles, groups, repos } = membersIn(ids, change.members)
    // Addresses come back: who comes second has nothing of the first.
    const id = `new${number % 3}@example.org`
    await api.users.create({ id, name: id, roles, groups, repos, enabled: change.enabled })
    if (!ids.users.includes(id)) ids.users.push(id)
    return undefined
  },
  'users.update': async (doing) => {
    const { roles, groups, repos } = membersIn(doing.ids, doing.change.members)
    const all = { roles, groups, repos, enabled: doing.change.enabled }
    await doing.api.users.update({ id: targetOf(doing, 'users'), ...sentOf(doing, all) })
    return undefined
  },
  'users.delete': (doing) => removed(doing, 'users', doing.api.users.delete),
  'users.createSignInLink': async (doing) => {
    const id = targetOf(doing, 'users')
    await doing.api.users.createSignInLink({ id })
    return { kind: 'user', id }
  },
  'serviceAccounts.create': async ({ api, ids, change, number }) => {
    const { roles, groups } = membersIn(ids, change.members)
    const { id } = await api.serviceAccounts.create({ name: `New account ${number}`, roles, groups })
    ids.accounts.push(id)
    return { kind: 'service', id }
  },
  'serviceAccounts.update': async (doing) => {
    const { roles, groups } = membersIn(doing.ids, doing.change.members)
    const all = { roles, groups, enabled: doing.change.enabled }
    await doing.api.serviceAccounts.update({ id: targetOf(doing, 'accounts'), ...sentOf(doing, all) })
    return undefined
  },
  'serviceAccounts.delete': (doing) => removed(doing, 'accounts', doing.api.serviceAccounts.delete),
  'serviceAccounts.addSecret': async (doing) => {
    const id = targetOf(doing, 'accounts')
    await doing.api.serviceAccounts.addSecret({ id })
    return { kind: 'service', id }
  },
}

function targetOf({ ids, change }: Attempt, kind: keyof Ids): string {
  return idAt(ids[kind], change.target) ?? 'nothing'
}

/** What of it the update sends. */
function sentOf<T extends Partial<Members & Rights & { enabled: boolean }> | object>(
  { change }: Attempt,
  all: T,
): Partial<T> {
  const names: ReadonlySet<string> = new Set(change.sent)
  // The same members, fewer of them.
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name))) as Partial<T>
}

async function removed(
  doing: Attempt,
  kind: keyof Ids,
  remove: (input: { id: string }) => Promise<unknown>,
): Made {
  await remove({ id: targetOf(doing, kind) })
  return undefined
}
