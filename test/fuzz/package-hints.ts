import type { Hints } from './hinting.ts'
import type { FuzzOperation } from './operations.ts'
import { assetTypeOf } from './prepare-assets.ts'
import { preparedPackage } from './prepare.ts'

/** Hints for packages and their comments. */
export const packageHints: Hints = {
  repo: ({ pool }) => pool.magazine,
  packageName: ({ operation, random, pool }) =>
    isOfComment(operation) || isOfShareLink(operation) || (isHarmless(operation) && random.chance(0.6))
      ? preparedPackage
      : (pool.packages.pickExpendable(random) ?? 'nothing-yet'),
  name: ({ random }) => `${random.pick(['', '', 'agent/', 'a/b/'])}package ${random.below(400)}`,
  state: ({ operation, random }) =>
    random.pick([undefined, 'open', isOfPackages(operation) ? 'merged' : 'resolved', 'deleted']),
  id: ({ operation, pool, random }, item) => {
    if (isOfShareLink(operation)) return pool.shareLinks.pick(random)?.id ?? 'SHARE_1'
    return isOfComment(operation) ? pool.comment : item?.id
  },
  token: ({ pool, random }) => (random.chance(0.8) ? pool.shareLinks.pick(random)?.token : 'guessed'),
  expiresAt: ({ random }) => random.pick([undefined, undefined, 0, -1]),
  entityId: ({ operation, random }, item) =>
    operation.id === 'packages.addComment' && random.chance(0.7) ? undefined : item?.id,
  review: ({ random }) => random.pick([undefined, undefined, 'approved', 'outdated']),
  agent: ({ random }) => random.pick([undefined, undefined, '*', 'SVCA_1']),
  since: ({ random }) => random.pick([undefined, 0, -1]),
  path: ({ operation, random }) =>
    isOfShareLink(operation)
      ? random.pick(['', 'changes', 'sites/SITE_1/', 'files/a/b/c', '../x'])
      : random.pick([undefined, undefined, 'fields.title']),
  parentId: ({ random, pool }) => (random.chance(0.7) ? undefined : pool.comment),
  decision: ({ random }) => random.pick([undefined, 'request', 'approve', 'requestChanges', 'odd']),
  resolutions: ({ random }, item) =>
    random.chance(0.8)
      ? []
      : [{ id: item?.id ?? 'CONT_1', path: random.pick(['', 'name', 'slug']), use: 'ours' }],
  planId: () => undefined,
  diffKey: ({ pool, random }) => pool.diffs.pick(random) ?? 'none-yet',
  changeType: ({ random }) => random.pick([undefined, 'create', 'update', 'delete', 'odd']),
  sectionPath: () => undefined,
  pageSlug: () => undefined,
}

/** Whether the operation changes the prepared comment. */
function isOfComment({ id }: FuzzOperation): boolean {
  return id === 'packages.updateComment'
}

/** Whether the operation is about the share links of the prepared package. */
function isOfShareLink({ id }: FuzzOperation): boolean {
  return /ShareLink|shared$/.test(id)
}

/** Whether a state is that of a package. */
function isOfPackages({ id }: FuzzOperation): boolean {
  return id === 'packages.list'
}

/** Whether the operation leaves a package open and in existence. */
function isHarmless({ id }: FuzzOperation): boolean {
  return !['packages.merge', 'packages.delete', 'packages.revert'].includes(id)
}

/** Hints for saves into packages. */
export const autoPackageHints: Hints = {
  repositoryId: ({ pool }) => pool.rule.repositoryId,
  ruleId: ({ pool }) => pool.rule.id,
  packageAction: ({ random }) => random.pick(['createNew', 'createNew', 'addToExisting']),
  packageName: () => preparedPackage,
  newPackageName: ({ random }) => `new ${random.below(400)}`,
  item: ({ random, sending: { file } }) => ({
    type: file ? assetTypeOf(file) : random.pick(['author', 'author', 'article']),
    name: 'Ada',
  }),
}
