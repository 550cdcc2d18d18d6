import { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { headTag, tagShowing } from '../call/head-tag.ts'
import type { Entity, EntityVersion, Line, PresentedEntity } from '../ports/index.ts'
import { ancestorsOf, lookingAt, type Look } from './ancestors.ts'
import { contentOf } from './content.ts'
import { isTree, type StructureKind, type StructureName, type StructureShapes } from './kind.ts'

/** Something as it is kept to be sent, in so far as it matters here: without its path, which others are part of. */
export interface Kept {
  readonly id: string
  readonly name: string
  /** Absent where things stand in nothing. */
  readonly parentId?: string | null
  /** Of a page. */
  readonly sectionId?: string
  readonly order?: number
}

/** The text kept of one version, given the package of its line. */
export function keptText(
  rules: Pick<StructureKind, 'kind' | 'above'>,
  head: Entity,
  { shown, packageName }: { shown: EntityVersion; packageName: string | null },
): string {
  const { name, description, parentId, ...own } = contentOf(shown)
  return JSON.stringify({
    id: head.id,
    repositoryId: head.repositoryId,
    name,
    description,
    ...(isTree(rules) && { parentId }),
    ...own,
    packageName,
    currentVersion: shown.version,
    createdDate: head.createdDate,
    createdByUser: head.createdBy,
    updatedDate: shown.savedDate,
    updatedByUser: shown.savedBy,
  })
}

/** What is kept of a head to be sent. */
export function keptOf({ presentation }: Pick<PresentedEntity, 'presentation'>): Kept {
  return JSON.parse(presentation)
}

/** Things as they are sent, with what they stand in. */
export async function sentAll(look: Look | null, kept: readonly Kept[]): Promise<readonly Kept[]> {
  // What stands in nothing is sent as it is kept.
  if (!look) return kept
  const above = await ancestorsOf(look, kept.map(aboveOf))
  return kept.map((one) => ({
    ...one,
    path: above(aboveOf(one)).map(({ id, name }) => ({ id, name })),
  }))
}

function aboveOf({ parentId, sectionId }: Kept): string | null {
  return parentId ?? sectionId ?? null
}

/** How what stands above things of a kind is found on a line; null where they stand in nothing. */
export function lookFor(call: Call, line: Line, { above }: StructureKind): Look | null {
  return above && lookingAt(call.store.entities, line, above.kind)
}

/** One head as it is sent. */
export function presentOne<K extends StructureName>(
  call: Call,
  line: Line,
  { rules, head }: { rules: StructureKind<K>; head: PresentedEntity },
): Promise<Presented<StructureShapes[K]>> {
  return presentKept<K>(lookFor(call, line, rules), { kept: keptOf(head), tag: headTag(head) })
}

/** One thing as it is sent, with a tag that changes with what it stands in. */
export async function presentKept<K extends StructureName>(
  look: Look | null,
  { kept, tag }: { kept: Kept; tag: string },
): Promise<Presented<StructureShapes[K]>> {
  const [sent] = await sentAll(look, [kept])
  const path = JSON.stringify(sent && 'path' in sent ? sent.path : [])
  return new Presented(JSON.stringify(sent), path === '[]' ? tag : tagShowing(tag, path))
}
