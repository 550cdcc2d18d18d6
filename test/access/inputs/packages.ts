import { commonPackage, ruledType } from '../site.ts'
import type { Targets } from '../targets.ts'
import { createArticle, createPackage, createRule, createRuledItem } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about packages. */
export const packages: InputMakers<'packages'> = {
  list: ({ configId }) => ({ repo: configId, limit: 1 }),
  get: onPackage,
  changes: onPackage,
  diff: onPackage,
  conflicts: onPackage,
  pageDiff: onPackage,
  showPageDiff: ownPageDiff,
  create: ({ configId, word }) => ({ repo: configId, name: word('new') }),
  update: async (at) => ({ ...(await onPackage(at)), description: 'Changed' }),
  delete: onPackage,
  addItem: async (at) => ({ ...(await onPackage(at)), id: (await createArticle(at)).id }),
  removeChange: async (at) => {
    const { id, ...ref } = await createPackage(at)
    return { ...ref, entityId: id }
  },
  sync: onPackage,
  merge: onPackage,
  revert: async (at) => {
    const ref = await onPackage(at)
    await at.system.packages.merge(ref)
    return { ...ref, name: at.word('revert') }
  },
  takeBack: async (at) => {
    const { id: agent, api } = await at.createAgent()
    const { configId, made, word } = at
    const ref = { repo: configId, packageName: word('package') }
    await api.packages.create({ repo: configId, name: ref.packageName })
    made.add(ref.packageName)
    const item = { repositoryId: configId, type: 'article', name: word('article'), fields: { title: 'x' } }
    await api.items.create({ ...item, packageName: ref.packageName })
    await at.system.packages.merge(ref)
    return { repo: configId, agent }
  },
  shareLinks: async (at) => {
    const { ref } = await addShareLink(at)
    return ref
  },
  addShareLink: onPackage,
  removeShareLink: async (at) => {
    const { ref, id } = await addShareLink(at)
    return { ...ref, id }
  },
  // The token is all that a caller needs, so the package is none of those that others must not notice.
  shared: async ({ system, configId, word }) => {
    const { name } = await system.packages.create({ repo: configId, name: word('shared') })
    const { url } = await system.packages.addShareLink({ repo: configId, packageName: name })
    return { token: url.split('/').at(-2) ?? '', path: '' }
  },
  comments: async (at) => {
    const { id, ...ref } = await createPackage(at)
    const comment = await at.system.packages.addComment({ ...ref, body: 'Why?', entityId: id })
    at.hideable.add(comment.id)
    return ref
  },
  addComment: commentedOn,
  updateComment: async (at) => {
    const ref = await onPackage(at)
    const { id } = await at.system.packages.addComment({ ...ref, body: 'Why?' })
    at.made.add(id)
    return { ...ref, id, state: 'resolved' }
  },
}

async function addShareLink(at: Targets) {
  const ref = await onPackage(at)
  const { id } = await at.system.packages.addShareLink(ref)
  at.made.add(id)
  return { ref, id }
}

async function commentedOn(at: Targets) {
  return { ...(await onPackage(at)), body: 'A comment' }
}

/** A comment that approves a package. */
export async function approval(at: Targets) {
  return { ...(await commentedOn(at)), decision: 'approve' }
}

/** Requests that save through a package. */
export const autoPackage: InputMakers<'autoPackage'> = {
  createAndSave: async (at) => {
    const { id: ruleId } = await createRule(at)
    return {
      repositoryId: at.configId,
      ruleId,
      item: { id: (await createRuledItem(at)).id, name: 'Changed' },
      packageAction: 'addToExisting',
      packageName: commonPackage,
    }
  },
}

/** Requests about auto-package rules. */
export const autoPackageRules: InputMakers<'autoPackageRules'> = {
  list: ({ configId }) => ({ repositoryId: configId, limit: 1 }),
  get: createRule,
  create: ({ configId, word }) => ({
    repositoryId: configId,
    name: word('new'),
    types: [ruledType],
    statuses: ['archived'],
  }),
  update: async (at) => ({ ...(await createRule(at)), enabled: false }),
  delete: createRule,
}

/** The caller's own page diff if it may start one, otherwise another caller's. */
async function ownPageDiff(at: Targets) {
  const ref = await onPackage(at)
  const own = await at.sender.packages.pageDiff(ref).catch(() => undefined)
  return own ? notedDiff(at, own.diffKey) : pageDiffOfAnother(at)
}

/** A page diff that another caller started. */
export async function pageDiffOfAnother(at: Targets) {
  const { diffKey } = await at.another().packages.pageDiff(await onPackage(at))
  return notedDiff(at, diffKey)
}

function notedDiff({ made, hideable }: Targets, diffKey: string) {
  for (const noted of [made, hideable]) noted.add(diffKey)
  return { diffKey }
}

async function onPackage(at: Targets) {
  const { repo, packageName } = await createPackage(at)
  return { repo, packageName }
}
