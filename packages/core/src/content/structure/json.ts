import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag, tagShowing } from '../../engine/head-tag.ts'
import type { Entity, EntityVersion, Branch, StoredJson } from '../../ports/index.ts'
import { ancestorsOf, lookingAt, type Look } from './ancestors.ts'
import { contentOf } from './content.ts'
import { isTree, type StructureKind, type StructureName, type StructureShapes } from './kind.ts'

/** Something as it is kept to be sent, in so far as it matters here: without its path, which others are part of. */
export interface StructureJson {
  readonly id: string
  readonly name: string
  /** Absent where things stand in nothing. */
  readonly parentId?: string | null
  /** Of a page. */
  readonly sectionId?: string
  readonly order?: number
}

/** The text kept of one version, given the package of its branch. */
export function storedText(
  rules: Pick<StructureKind, 'kind' | 'above'>,
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

/** What is kept of a head to be sent. */
export function storedOf({ json }: Pick<StoredJson, 'json'>): StructureJson {
  return JSON.parse(json)
}

/** Things as they are sent, with what they stand in. */
export async function sentAll(
  look: Look | null,
  stored: readonly StructureJson[],
): Promise<readonly StructureJson[]> {
  // What stands in nothing is sent as it is kept.
  if (!look) return stored
  const above = await ancestorsOf(look, stored.map(aboveOf))
  return stored.map((one) => ({
    ...one,
    path: above(aboveOf(one)).map(({ id, name }) => ({ id, name })),
  }))
}

function aboveOf({ parentId, sectionId }: StructureJson): string | null {
  return parentId ?? sectionId ?? null
}

/** How what stands above things of a kind is found on a branch; null where they stand in nothing. */
export function lookFor(call: Call, branch: Branch, { above }: StructureKind): Look | null {
  return above && lookingAt(call.store.entities, branch, above.kind)
}

/** One head as it is sent. */
export function serializeOne<K extends StructureName>(
  call: Call,
  branch: Branch,
  { rules, head }: { rules: StructureKind<K>; head: StoredJson },
): Promise<Serialized<StructureShapes[K]>> {
  return serializeStored<K>(lookFor(call, branch, rules), { stored: storedOf(head), tag: headTag(head) })
}

/** One thing as it is sent, with a tag that changes with what it stands in. */
export async function serializeStored<K extends StructureName>(
  look: Look | null,
  { stored, tag }: { stored: StructureJson; tag: string },
): Promise<Serialized<StructureShapes[K]>> {
  const [sent] = await sentAll(look, [stored])
  const path = JSON.stringify(sent && 'path' in sent ? sent.path : [])
  return new Serialized(JSON.stringify(sent), path === '[]' ? tag : tagShowing(tag, path))
}
