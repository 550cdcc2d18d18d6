import { commonPackage, ruledType } from '../site.ts'
import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about packages. */
export const packages: InputMakers<'packages'> = {
  list: ({ configId }) => ({ repo: configId, limit: 1 }),
  get: onPackage,
  changes: onPackage,
  diff: onPackage,
  conflicts: onPackage,
  create: ({ configId, word }) => ({ repo: configId, name: word('new') }),
  update: async (at) => ({ ...(await onPackage(at)), description: 'Changed' }),
  delete: onPackage,
  addItem: async (at) => ({ ...(await onPackage(at)), id: (await at.article()).id }),
  removeChange: async (at) => {
    const { id, ...ref } = await at.packageWithChange()
    return { ...ref, entityId: id }
  },
  sync: onPackage,
  merge: onPackage,
  revert: async (at) => {
    const ref = await onPackage(at)
    await at.system.packages.merge(ref)
    return { ...ref, name: at.word('revert') }
  },
}

/** Requests that save through a package. */
export const autoPackage: InputMakers<'autoPackage'> = {
  createAndSave: async (at) => {
    const { id: ruleId } = await at.rule()
    return {
      repositoryId: at.configId,
      ruleId,
      item: { id: await ruledItem(at), name: 'Changed' },
      packageAction: 'addToExisting',
      packageName: commonPackage,
    }
  },
}

/** Requests about the rules that want it. */
export const autoPackageRules: InputMakers<'autoPackageRules'> = {
  list: ({ configId }) => ({ repositoryId: configId, limit: 1 }),
  get: onRule,
  create: ({ configId, word }) => ({ repositoryId: configId, name: word('new'), types: [ruledType] , statuses: ['archived'] }),
  update: async (at) => ({ ...(await onRule(at)), enabled: false }),
  delete: onRule,
}

async function onPackage(at: Targets) {
  const { repo, packageName } = await at.packageWithChange()
  return { repo, packageName }
}

async function onRule(at: Targets) {
  const { id } = await at.rule()
  return { id }
}
