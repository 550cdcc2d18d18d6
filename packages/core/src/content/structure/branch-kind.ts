import { parseAs } from '@quire/contract'
import type { ContentTarget, BranchKind, AppliedChange } from '../kinds/branch-kind.ts'
import type { Strategy } from '../merge/merge.ts'
import { asContent, contentOf, memberOf, ownerOf, siblingKey, snapshotOf, typeOf } from './content.ts'
import { isTree, type StructureKind } from './kind.ts'
import { namesakeOf, requireFreeName, touchNames, writeStructure } from './save.ts'
import type { WriteCall } from '../../engine/call.ts'
import { startOf } from '../kinds/heads.ts'
import { appliedHead } from '../kinds/write.ts'
import type { Target } from '../../engine/access/permissions.ts'
import type { JsonObject, Entity } from '../../ports/index.ts'

type Shape = Parameters<typeof parseAs>[0]

/** How packages handle a kind of structure, given the schema of its content. */
export function branchKindOf(rules: StructureKind, shape: Shape): BranchKind {
  const issuesOf = (content: JsonObject) => {
    const parsed = parseAs(shape, content)
    return 'issues' in parsed ? parsed.issues : []
  }
  const { kind, keys, events, owner, namedBy } = rules
  return {
    kind,
    keys,
    events,
    states: null,
    target: (head) => targetOf(rules, head),
    tree: isTree(rules)
      ? { fits: (content, parent) => ownerOf(rules, content) === ownerOf(rules, parent) }
      : null,
    namedBy,
    content: contentOf,
    readers: () => [],
    strategies: async () => strategyOf,
    targets: async (_call, _type, content) => targetsOf(rules, content),
    issues: async (_call, _type, content) => issuesOf(asContent(rules, content)),
    claims: async (_call, _type, content) => [siblingKey(rules, asContent(rules, content))],
    // A category cannot leave its taxonomy, nor a page its site.
    bySideOnly: owner ? [owner.member] : [],
    shapeIssues: issuesOf,
    async inUse(call, { scope, id, content }) {
      const candidate = { rules, id, content: asContent(rules, content) }
      const holderId = await namesakeOf(call.store.entities, scope.branch, candidate)
      const claim = siblingKey(rules, candidate.content)
      return holderId === null ? [] : [{ path: namedBy, holderId, claim }]
    },
    apply: applierOf(rules),
    forgetName: (store, branch) => touchNames(store, branch, rules),
  }
}

/** Descriptions and templates merge line by line. */
function strategyOf(path: string): Strategy {
  return path === 'description' || path.startsWith('templates.') ? 'lines' : 'value'
}

/**
 * The references in a content. Its parent and its owner must exist; other targets may be absent.
 */
function targetsOf({ parent, owner, references }: StructureKind, content: JsonObject): ContentTarget[] {
  const named = [
    ...(parent ? [{ ...parent, path: parent.member, required: true }] : []),
    ...(owner ? [{ ...owner, path: '', required: true }] : []),
    ...references.map((one) => ({ ...one, path: one.member, required: false })),
  ]
  return named.flatMap(({ member, kind, path, required }) => {
    const id = memberOf(content, member)
    return id === null ? [] : [{ path, kind, id, required }]
  })
}

/**
 * Returns the `BranchKind.apply` of a kind. Errors: `name_taken`, or `slug_taken` if the slug must
 * be unique.
 */
function applierOf(rules: StructureKind) {
  return async (call: WriteCall, change: AppliedChange): Promise<Entity> => {
    const { scope, previous, origin, state, isVersion = false, events, details } = change
    const start = startOf(scope, { previous, origin })
    const after = change.content && asContent(rules, change.content)
    const applied = after && {
      before: contentOf(start),
      after,
      snapshot: () => snapshotOf(typeOf(rules, start.id, after), after),
    }
    const head = await appliedHead(call, { start, state, isVersion }, applied)
    const candidate = { rules, id: head.id, content: contentOf(head) }
    if (after && head.deletedDate === null)
      await requireFreeName(call.store.entities, scope.branch, candidate)
    const counted = isVersion && { givesBack: false }
    return writeStructure(call, { rules, scope, head, events, details, ...counted })
  }
}

/**
 * The target for which a permission key must be held: the repository, or the site (see `typeOf`).
 */
function targetOf(
  { scope }: Pick<StructureKind, 'scope'>,
  { repositoryId, type }: { readonly repositoryId: string; readonly type: string },
): Target {
  return scope === 'site' ? { repositoryId, siteId: type } : { repositoryId }
}
