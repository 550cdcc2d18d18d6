import { parseAs } from '@quire/contract'
import type { ContentTarget, LineKind } from '../lines/line-kind.ts'
import type { JsonObject } from '../ports/index.ts'
import { asContent, asJson, contentOf, siblingKey } from './content.ts'
import type { StructureKind } from './kind.ts'
import { landingOf } from './land.ts'
import { namesakeOf } from './siblings.ts'
import { touchNames } from './write.ts'

type Shape = Parameters<typeof parseAs>[0]

/** What packages need to know of a kind of the structure, given the shape of its content. */
export function lineKindOf(rules: StructureKind, shape: Shape): LineKind {
  const issuesOf = (content: JsonObject) => {
    const parsed = parseAs(shape, content)
    return 'issues' in parsed ? parsed.issues : []
  }
  const { kind, keys, events, isTree } = rules
  return {
    kind,
    keys,
    events,
    states: null,
    tree: isTree ? { fits: isOfSameTaxonomy } : null,
    content: (version) => asJson(contentOf(version)),
    readers: () => [],
    strategies: async () => (path) => (path === 'description' ? 'lines' : 'value'),
    targets: async (_call, _type, content) => targetsOf(rules, content),
    issues: async (_call, _type, content) => issuesOf(content),
    claims: async (_call, _type, content) => [siblingKey(asContent(content))],
    // A category stays in its taxonomy.
    bySideOnly: ['taxonomyId'],
    misshapes: issuesOf,
    async taken(call, { place, id, content }) {
      const standing = { kind, id, content: asContent(content) }
      const holderId = await namesakeOf(call.store.entities, place.line, standing)
      return holderId === null ? [] : [{ path: 'name', holderId, claim: siblingKey(standing.content) }]
    },
    land: landingOf(rules),
    uncover: (tx, line) => touchNames(tx, line, rules),
  }
}

function isOfSameTaxonomy(content: JsonObject, parent: JsonObject): boolean {
  return asContent(content).taxonomyId === asContent(parent).taxonomyId
}

function targetsOf({ kind }: StructureKind, content: JsonObject): ContentTarget[] {
  const { parentId, taxonomyId } = asContent(content)
  return [
    ...(parentId === null ? [] : [{ path: 'parentId', kind, id: parentId, required: true }]),
    // Without its taxonomy nothing is left of a category.
    ...(taxonomyId === undefined
      ? []
      : [{ path: '', kind: 'taxonomy' as const, id: taxonomyId, required: true }]),
  ]
}
