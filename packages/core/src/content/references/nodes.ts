import {
  dependencyKinds,
  type DependencyKind,
  type DependencyNode,
  type PermissionKey,
} from '@quire/contract'
import { mayReadBy } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { Entity, EntityKind, Branch } from '../../ports/index.ts'

/** Something that may be a node. */
export interface Ref {
  readonly kind: DependencyKind
  readonly id: string
}

const kinds: { readonly [K in DependencyKind]: { readonly prefix: string; readonly key: PermissionKey } } = {
  item: { prefix: 'CONT_', key: 'items.read' },
  folder: { prefix: 'FOLD_', key: 'folders.read' },
  category: { prefix: 'CATG_', key: 'taxonomies.read' },
  taxonomy: { prefix: 'TAXO_', key: 'taxonomies.read' },
}

/** What an id is of. An edge says only where it leads: what has no other prefix is an item, which any field may name. */
export function kindOf(id: string): DependencyKind {
  return dependencyKinds.find((kind) => id.startsWith(kinds[kind].prefix)) ?? 'item'
}

/** Whether things of a kind are nodes at all. */
export function isNodeKind(kind: EntityKind): kind is DependencyKind {
  return dependencyKinds.some((known) => known === kind)
}

/** The live heads of some refs that the caller may read, as nodes so far away, by id. At most 1 000 refs. */
export async function readableNodes(
  call: Call,
  { branch, refs, depth }: { branch: Branch; refs: readonly Ref[]; depth: number },
): Promise<ReadonlyMap<string, DependencyNode>> {
  const byKind = [...Map.groupBy(refs, ({ kind }) => kind)]
  const found = byKind.map(async ([kind, ofKind]) => {
    const ids = ofKind.map(({ id }) => id)
    const heads = await call.store.entities.getMany(branch, kind, ids)
    const { permissions } = call.identity
    return heads
      .filter((head) => head.deletedDate === null && mayReadBy(permissions, kinds[kind].key, head))
      .map((head) => nodeOf(head, { kind, depth }))
  })
  return new Map((await Promise.all(found)).flat().map((node) => [node.id, node]))
}

/** A head as a node. */
export function nodeOf(
  { id, name, type }: Entity,
  { kind, depth }: { kind: DependencyKind; depth: number },
): DependencyNode {
  return { id, kind, name, type: kind === 'item' ? type : null, depth, isMissing: false }
}

/** A node of which nothing is known but what refers to it. */
export function missingNode({ id, kind }: Ref, depth: number): DependencyNode {
  return { id, kind, name: null, type: null, depth, isMissing: true }
}
