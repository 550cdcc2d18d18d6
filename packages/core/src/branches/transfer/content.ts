import { limits, parseAs, type ExportedEntity, type Issue } from '@quire/contract'
import { hasFewValues } from '@quire/contract/codec'
import { assetIn, assetJson } from '../../content/items/asset.ts'
import { asContent, emptyContent, withoutStamps } from '../../content/items/content.ts'
import { definitionOf } from '../../content/locales/fields.ts'
import { inCurrentForm } from '../../content/locales/form.ts'
import { typeOf } from '../../content/types/find.ts'
import { localeView } from '../../engine/locales.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import type { Call } from '../../engine/call.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { unfitProblem } from '../../engine/check-input.ts'
import { digest } from '../../engine/digest.ts'
import { canonicalText, isSame } from '../../engine/same.ts'
import type { Entity, EntityVersion, JsonObject, LocalePublication, Snapshot } from '../../ports/index.ts'

/** The content of a version as a file has it. */
export function movedContent(rules: BranchKind, version: Snapshot): JsonObject {
  return withoutStorage(rules.content(version))
}

/** A version in the form of now, as it is shown where it is public first, else in the default locale. */
export async function inVisibleForm(call: Call, head: Entity, version: EntityVersion): Promise<Snapshot> {
  if (head.kind !== 'item') return version
  const type = await typeOf(call, head)
  const { locales } = definitionOf(type) ?? {}
  const isOfVersion = ([, publication]: readonly [string, LocalePublication]) =>
    publication.version === version.version
  const [code] = Object.entries(head.publications ?? {}).find(isOfVersion) ?? []
  if (!locales || code === undefined) return inCurrentForm(type, version)
  return inCurrentForm(type, version, localeView(locales, { code }).chain)
}

/** A content as the contract has it: the same JSON, except that its lists can be changed. */
export function asMembers(content: JsonObject): ExportedEntity['content'] {
  return content as ExportedEntity['content']
}

/** A content without the name of the storage, which differs from one installation to the next. */
export function withoutStorage(content: JsonObject): JsonObject {
  const asset = assetIn(content)
  if (!asset) return content
  const { storage: _storage, ...moved } = asset
  return { ...content, asset: assetJson(moved) }
}

/**
 * An older content without the folder and the categories that were deleted since. Nobody sees them,
 * and no save would accept them.
 */
export async function withoutAbsent(call: Call, head: Entity, content: JsonObject): Promise<JsonObject> {
  if (head.kind !== 'item') return content
  const { folderId, categories } = asContent(content, emptyContent)
  const { entities } = call.store
  const living = await liveHeads(entities, head, { kind: 'category', ids: categories })
  const folder = folderId === null ? null : await entities.get(head, 'folder', folderId)
  return {
    ...content,
    categories: categories.filter((id) => living.has(id)),
    folderId: folder?.deletedDate === null ? folder.id : null,
  }
}

/** Whether two contents are the same version: confirming a translation makes none. */
export function isSameContent(a: JsonObject, b: JsonObject): boolean {
  return isSame(withoutStamps(a), withoutStamps(b))
}

/** The digest by which two installations recognize a content: 128 bits in hexadecimal. */
export async function contentDigest(content: JsonObject): Promise<string> {
  return (await digest(canonicalText(withoutStamps(content)))).slice(0, 32)
}

// A line has the fields of an item twice if an older version is published, and members of its own.
const mostValues = 3 * limits.jsonValues

type Schema = Parameters<typeof parseAs>[0]

/** The value of a line of a file, or why it is none. */
export function lineAs<S extends Schema>(
  schema: S,
  text: string,
): Exclude<ReturnType<typeof parseAs<S>>, { issues: unknown }> | Issue {
  if (!hasFewValues(text, mostValues)) return { path: '', message: `has more than ${mostValues} values` }
  const value = jsonOf(text)
  if (value === undefined) return { path: '', message: 'is not JSON' }
  const unfit = unfitProblem(value)
  if (unfit !== null) return { path: '', message: unfit }
  const parsed = parseAs(schema, value)
  return 'issues' in parsed ? (parsed.issues[0] ?? { path: '', message: 'is not valid' }) : parsed
}

/** The value of a JSON text; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
