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

/** Arbitrary attempts to change permissions, whether or not they succeed. */
export const changes = fc.record({
  operation: fc.constantFrom(...operations),
  target: fc.nat({ max: 5 }),
  rights,
  members,
  /** The members that an update sends. */
  sent: fc.subarray(['roles', 'groups', 'users', 'repos', 'bundles', 'permissions', 'overrides', 'enabled'], {
    minLength: 1,
    maxLength: 3,
  }),
  enabled: fc.boolean(),
})
export type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never

/** An account whose permissions a change gives to the caller, with a way to sign in as it. */
export interface ControlledAccount {
  readonly kind: 'user' | 'service'
  readonly id: string
}

interface Attempt {
  readonly api: Api
  readonly ids: Ids
  readonly change: Change
  /** A unique number for names. */
  readonly number: number
}

type Made = Promise<ControlledAccount | undefined>

/**
 * Makes a change as the caller. Errors: any refusal by the API. Returns the account that the caller
 * took over, if any.
 */
export function attempt(context: Attempt): Made {
  return attempts[context.change.operation](context)
}

const attempts: Readonly<Record<Change['operation'], (context: Attempt) => Made>> = {
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
  'roles.update': async (context) => {
    const { bundles, permissions, overrides } = context.change.rights
    const { users, groups, repos } = membersIn(context.ids, context.change.members)
    const all = { bundles, permissions, overrides, users, groups, repos }
    await context.api.roles.update({ id: targetOf(context, 'roles'), ...sentOf(context, all) })
    return undefined
  },
  'roles.delete': (context) => removed(context, 'roles', context.api.roles.delete),
  'bundles.create': async ({ api, ids, change, number }) => {
    const id = `bundle.new-${number}`
    await api.bundles.create({ id, name: id, permissions: change.rights.permissions.global })
    ids.bundles.push(id)
    return undefined
  },
  'bundles.update': async (context) => {
    const { global } = context.change.rights.permissions
    await context.api.bundles.update({ id: targetOf(context, 'bundles'), permissions: global })
    return undefined
  },
  'bundles.delete': (context) => removed(context, 'bundles', context.api.bundles.delete),
  'groups.create': async ({ api, ids, change, number }) => {
    const group = await api.groups.create({ name: `New group ${number}`, ...membersIn(ids, change.members) })
    ids.groups.push(group.id)
    return undefined
  },
  'groups.update': async (context) => {
    const all = membersIn(context.ids, context.change.members)
    await context.api.groups.update({ id: targetOf(context, 'groups'), ...sentOf(context, all) })
    return undefined
  },
  'groups.delete': (context) => removed(context, 'groups', context.api.groups.delete),
  'users.create': async ({ api, ids, change, number }) => {
    const { roles, groups, repos } = membersIn(ids, change.members)
    // Addresses are reused: a second user must get nothing of the first.
    const id = `new${number % 3}@example.org`
    await api.users.create({ id, name: id, roles, groups, repos, enabled: change.enabled })
    if (!ids.users.includes(id)) ids.users.push(id)
    return undefined
  },
  'users.update': async (context) => {
    const { roles, groups, repos } = membersIn(context.ids, context.change.members)
    const all = { roles, groups, repos, enabled: context.change.enabled }
    await context.api.users.update({ id: targetOf(context, 'users'), ...sentOf(context, all) })
    return undefined
  },
  'users.delete': (context) => removed(context, 'users', context.api.users.delete),
  'users.createSignInLink': async (context) => {
    const id = targetOf(context, 'users')
    await context.api.users.createSignInLink({ id })
    return { kind: 'user', id }
  },
  'serviceAccounts.create': async ({ api, ids, change, number }) => {
    const { roles, groups } = membersIn(ids, change.members)
    const { id } = await api.serviceAccounts.create({ name: `New account ${number}`, roles, groups })
    ids.accounts.push(id)
    return { kind: 'service', id }
  },
  'serviceAccounts.update': async (context) => {
    const { roles, groups } = membersIn(context.ids, context.change.members)
    const all = { roles, groups, enabled: context.change.enabled }
    await context.api.serviceAccounts.update({ id: targetOf(context, 'accounts'), ...sentOf(context, all) })
    return undefined
  },
  'serviceAccounts.delete': (context) => removed(context, 'accounts', context.api.serviceAccounts.delete),
  'serviceAccounts.addSecret': async (context) => {
    const id = targetOf(context, 'accounts')
    await context.api.serviceAccounts.addSecret({ id })
    return { kind: 'service', id }
  },
}

function targetOf({ ids, change }: Attempt, kind: keyof Ids): string {
  return idAt(ids[kind], change.target) ?? 'nothing'
}

/** The members that the update sends. */
function sentOf<T extends Partial<Members & Rights & { enabled: boolean }> | object>(
  { change }: Attempt,
  all: T,
): Partial<T> {
  const names: ReadonlySet<string> = new Set(change.sent)
  // The same members, or fewer.
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name))) as Partial<T>
}

async function removed(
  context: Attempt,
  kind: keyof Ids,
  remove: (input: { id: string }) => Promise<unknown>,
): Made {
  await remove({ id: targetOf(context, kind) })
  return undefined
}
