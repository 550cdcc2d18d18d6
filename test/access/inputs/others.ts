import type { Targets } from '../targets.ts'
import { createArticle } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests for tokens and sessions. */
export const auth: InputMakers<'auth'> = {
  token: async ({ system, word }) => {
    const { id, secret } = await system.serviceAccounts.create({ name: word('Account') })
    return { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  },
  keys: () => ({}),
  metadata: () => ({}),
  myPermissions: () => ({ explain: 'items.read' }),
  openSession: () => ({}),
  closeSession: () => ({}),
  login: () => ({ returnTo: '/api-docs' }),
  callback: () => ({ code: 'none', state: 'none' }),
}

export const user: InputMakers<'user'> = {
  me: () => ({}),
  visit: ({ configId }) => ({ kind: 'repository', id: configId }),
}

/** Requests about all content types together. */
export const schema: InputMakers<'schema'> = {
  get: () => ({}),
  plan: (at) => ({ types: [{ name: typeName(at) }] }),
  startPlan: (at) => ({ types: [{ name: typeName(at) }] }),
  apply: (at) => ({ types: [{ name: typeName(at) }] }),
}

/** Requests about content types. */
export const types: InputMakers<'types'> = {
  list: () => ({ limit: 1 }),
  get: onType,
  create: (at) => ({ name: typeName(at) }),
  update: async (at) => ({ ...(await onType(at)), displayName: 'Changed' }),
  delete: onType,
  lock: onType,
  unlock: async (at) => {
    const ref = await onType(at)
    await at.system.types.lock(ref)
    return ref
  },
}

/**
 * Requests about repositories. The deleted one is not empty, so callers who may delete it are told
 * so.
 */
export const repositories: InputMakers<'repositories'> = {
  list: () => ({}),
  get: ({ configId }) => ({ id: configId }),
  usage: ({ configId }) => ({ id: configId }),
  create: ({ word }) => ({ name: word('new') }),
  update: ({ configId, word }) => ({ id: configId, description: word('Changed') }),
  setLocales: async ({ system, configId }) => {
    const { settings } = await system.repositories.get({ id: configId })
    return { id: configId, locales: settings.locales ?? null, dryRun: true }
  },
  delete: async (at) => {
    await createArticle(at)
    return { id: at.configId }
  },
  export: ({ configId }) => ({ id: configId }),
  import: async ({ system, configId }) => {
    const file = await system.repositories.export({ id: configId })
    return { id: configId, dryRun: true, file: new File([await file.bytes()], 'export.zip') }
  },
}

async function onType(at: Targets) {
  const { id } = await at.system.types.create({ name: typeName(at) })
  return { id }
}

function typeName({ word }: Targets): string {
  return word('type').replace('-', '')
}
