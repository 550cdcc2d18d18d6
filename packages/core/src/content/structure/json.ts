import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag, tagShowing } from '../../engine/if-match.ts'
import type { Entity, EntityVersion, Branch, StoredJson } from '../../ports/index.ts'
import { ancestorsOf, lookupOn, type AncestorLookup } from './ancestors.ts'
import { contentOf } from './content.ts'
import { isTree, type StructureKind, type StructureName, type StructureShapes } from './kind.ts'

/**
 * The members of stored JSON that are needed here. It has no path, because a path contains the
 * names of other entities.
 */
export interface StructureJson {
  readonly id: string
  readonly name: string
  /** Absent for kinds that do not form a tree. */
  readonly parentId?: string | null
  /** Only in pages. */
  readonly sectionId?: string
  /** Only in sections and pages. */
  readonly siteId?: string
  /** Only in categories. */
  readonly taxonomyId?: string
  readonly order?: number
}

/** Serializes one version for storage, given the package of its branch. */
export function storedText(
  rules: Pick<StructureKind, 'kind' | 'parent'>,
  head: Entity,
  { visible, packageName }: { visible: EntityVersion; packageName: string | null },
): string {
  const { name, description, parentId, ...own } = contentOf(visible)
  return JSON.stringify({
    id: head.id,
    repositoryId: head.repositoryId,
    name,
    description,
    ...(isTree(rules) && { parentId }),
    ...own,
    packageName,
    currentVersion: visible.version,
    createdDate: head.createdDate,
    createdByUser: head.createdBy,
    updatedDate: visible.savedDate,
    updatedByUser: visible.savedBy,
  })
}

/** Parses the stored JSON of a head. */
export function parseStored({ json }: Pick<StoredJson, 'json'>): StructureJson {
  return JSON.parse(json)
}

/**
 * Adds their paths to stored entities. Without a lookup, entities without parents are returned
 * unchanged.
 */
export async function withPaths(
  lookup: AncestorLookup | null,
  stored: readonly StructureJson[],
): Promise<readonly StructureJson[]> {
  if (!lookup) return stored
  const pathTo = await ancestorsOf(lookup, stored.map(parentOf))
  return stored.map((one) => ({
    ...one,
    path: pathTo(parentOf(one)).map(({ id, name }) => ({ id, name })),
  }))
}

function parentOf({ parentId, sectionId }: StructureJson): string | null {
  return parentId ?? sectionId ?? null
}

/** The lookup of the ancestors of a kind on a branch; null for a kind without parents. */
export function parentLookup(call: Call, branch: Branch, { parent }: StructureKind): AncestorLookup | null {
  return parent && lookupOn(call.store.entities, branch, parent.kind)
}

/** Serializes a head with its path. */
export function serializeOne<K extends StructureName>(
  call: Call,
  branch: Branch,
  { rules, head }: { rules: StructureKind<K>; head: StoredJson },
): Promise<Serialized<StructureShapes[K]>> {
  return serializeStored<K>(parentLookup(call, branch, rules), {
    stored: parseStored(head),
    tag: headTag(head),
  })
}

/** Serializes stored JSON with its path. The tag changes when an ancestor is renamed or moved. */
export async function serializeStored<K extends StructureName>(
  lookup: AncestorLookup | null,
  { stored, tag }: { stored: StructureJson; tag: string },
): Promise<Serialized<StructureShapes[K]>> {
  const [sent] = await withPaths(lookup, [stored])
  const path = JSON.stringify(sent && 'path' in sent ? sent.path : [])
  return new Serialized(JSON.stringify(sent), path === '[]' ? tag : tagShowing(tag, path))
}
