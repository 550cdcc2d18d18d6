import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import type { Scope } from '../../engine/scope.ts'
import { pastHeads } from '../kinds/past-heads.ts'
import { versionOf } from '../kinds/versions.ts'
import { noSuch } from './find.ts'
import { storedText, type StructureJson } from './json.ts'
import type { StructureKind, StructureName } from './kind.ts'
import type { TreeNode } from './tree.ts'

/** The part of a tree of the past to read. */
interface PastPart<K extends StructureName> {
  readonly rules: StructureKind<K>
  /** Unix ms. */
  readonly at: number
  /** The node above the part. Default: all of the tree. */
  readonly parentId: string | undefined
  /** The number of levels to read. Default: all. */
  readonly depth: number | undefined
  /** The most entities of the kind that the branch may have. */
  readonly max: number
  /** Whether an entity belongs to the tree. Default: all do. */
  readonly isWanted?: (stored: StructureJson) => boolean
}

/**
 * A part of a tree as it was at a time, level by level. Cost: proportional to the entities of the
 * kind, at most `max`. Errors: `not_found` for a parent that did not exist then; `invalid` for more
 * entities, and for a time to come.
 */
export async function levelsAt<K extends StructureName>(
  call: Call,
  scope: Scope,
  { parentId, depth = Infinity, ...part }: PastPart<K>,
): Promise<TreeNode[]> {
  const all = await nodesAt(call, scope, part)
  if (parentId !== undefined && !all.has(parentId)) throw noSuch(part.rules)
  const children = Map.groupBy(all.values(), ({ stored }) => stored.parentId ?? null)
  const nodes = new Map<string, TreeNode>()
  let level = children.get(parentId ?? null) ?? []
  for (let deep = 1; deep <= depth && level.length > 0; deep += 1) {
    const added = level.filter(({ head }) => !nodes.has(head.id) && head.id !== parentId)
    for (const node of added) nodes.set(node.head.id, { ...node, depth: deep })
    level = added.flatMap(({ head }) => children.get(head.id) ?? [])
  }
  return [...nodes.values()]
}

type Node = Omit<TreeNode, 'depth'>

/**
 * The entities of a kind as they were, by id. Errors: `invalid` for more than `max`, and for a time
 * to come.
 */
export async function nodesAt<K extends StructureName>(
  call: Call,
  scope: Scope,
  { rules, at, max, isWanted = () => true }: Omit<PastPart<K>, 'parentId' | 'depth'>,
): Promise<ReadonlyMap<string, Node>> {
  if (at > call.now) throw invalid([{ path: 'at', message: 'must be in the past for a tree' }])
  const nodes = new Map<string, Node>()
  let looked = 0
  const query = { kind: rules.kind, at, after: '', isWanted: () => true }
  for await (const { id, past } of pastHeads(call, scope.branch, query)) {
    looked += 1
    if (looked > max)
      throw invalid([
        { path: 'at', message: `cannot be used: the repository has had more than ${max} of them` },
      ])
    const visible = past && (await versionOf(call.store.entities, past.head, past.moment.version))
    if (!visible) continue
    const packageName = visible.packageId === null ? null : (scope.package?.name ?? null)
    const stored: StructureJson = JSON.parse(storedText(rules, past.head, { visible, packageName }))
    if (isWanted(stored)) nodes.set(id, { head: past.head, stored })
  }
  return nodes
}
