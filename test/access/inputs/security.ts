import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about roles. */
export const roles: InputMakers<'roles'> = {
  list: () => ({ limit: 1 }),
  get: onRole,
  create: ({ word }) => ({ name: word('New role') }),
  update: async (at) => ({ ...(await onRole(at)), description: 'Changed' }),
  delete: onRole,
}

/** Requests about bundles. */
export const bundles: InputMakers<'bundles'> = {
  list: () => ({}),
  get: onBundle,
  create: ({ word }) => ({ id: `bundle.${word('new')}`, name: 'New', permissions: ['items.read'] }),
  update: async (at) => ({ ...(await onBundle(at)), name: 'Changed' }),
  delete: onBundle,
}

export const permissions: InputMakers<'permissions'> = { catalog: () => ({}) }

/** Requests about users. */
export const users: InputMakers<'users'> = {
  list: () => ({ limit: 1 }),
  get: onUser,
  create: ({ word }) => ({ id: `${word('new')}@example.org`, name: 'New' }),
  update: async (at) => ({ ...(await onUser(at)), description: 'Changed' }),
  delete: onUser,
  permissions: onUser,
  usage: onUser,
  getPreferences: onUser,
  replacePreferences: async (at) => ({ ...(await onUser(at)), view: { defaultView: 'list' } }),
  createSignInLink: onUser,
}

/** Requests about groups. */
export const groups: InputMakers<'groups'> = {
  list: () => ({ limit: 1 }),
  get: onGroup,
  create: ({ word }) => ({ name: word('New group') }),
  update: async (at) => ({ ...(await onGroup(at)), description: 'Changed' }),
  delete: onGroup,
}

/** Requests about service accounts. */
export const serviceAccounts: InputMakers<'serviceAccounts'> = {
  list: () => ({ limit: 1 }),
  get: onAccount,
  create: ({ word }) => ({ name: word('New account') }),
  update: async (at) => ({ ...(await onAccount(at)), description: 'Changed' }),
  delete: onAccount,
  permissions: onAccount,
  usage: onAccount,
  addSecret: onAccount,
  removeSecret: async (at) => {
    const { id } = await onAccount(at)
    const { secrets } = await at.system.serviceAccounts.addSecret({ id })
    return { id, secretId: secrets[0]?.id ?? '' }
  },
}

/** Requests about security as a whole. */
export const security: InputMakers<'security'> = {
  userInfo: onUser,
  roleInfo: onRole,
  groupInfo: onGroup,
  serviceAccountInfo: onAccount,
  audit: () => ({ limit: 1 }),
  rotateKeys: () => ({}),
}

async function onRole({ system, word }: Targets) {
  const { id } = await system.roles.create({ name: word('Role') })
  return { id }
}

async function onBundle({ system, word }: Targets) {
  const { id } = await system.bundles.create({
    id: `bundle.${word('some')}`,
    name: 'Some',
    permissions: ['items.read'],
  })
  return { id }
}

async function onUser({ system, word }: Targets) {
  const { id } = await system.users.create({ id: `${word('user')}@example.org`, name: 'Some user' })
  return { id }
}

async function onGroup({ system, word }: Targets) {
  const { id } = await system.groups.create({ name: word('Group') })
  return { id }
}

async function onAccount({ system, word }: Targets) {
  const { id } = await system.serviceAccounts.create({ name: word('Account') })
  return { id }
}
