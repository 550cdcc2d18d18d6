import { parseAs, type ExportedEntity, type Issue } from '@quire/contract'
import { assetIn, assetJson } from '../../content/items/asset.ts'
import { asContent, emptyContent } from '../../content/items/content.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import type { Call } from '../../engine/call.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { unfitProblem } from '../../engine/check-input.ts'
import { digest } from '../../engine/digest.ts'
import { isJsonObject, type Json, type Entity, type JsonObject, type Snapshot } from '../../ports/index.ts'

/** The content of a version as a file has it. */
export function movedContent(rules: BranchKind, version: Snapshot): JsonObject {
  return withoutStorage(rules.content(version))
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

/** JSON with the members of every object in order: the same value is always the same text. */
export function canonicalText(value: Json): string {
  return JSON.stringify(inOrder(value))
}

/** A copy whose members are in order. A replacer of `JSON.stringify` takes twice as long. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).toSorted()
  // Only this one defines a member with the name `__proto__`.
  if (names.includes('__proto__'))
    return Object.fromEntries(names.map((name) => [name, inOrder(value[name] ?? null)]))
  const ordered: Record<string, Json> = {}
  for (const name of names) ordered[name] = inOrder(value[name] ?? null)
  return ordered
}

/** The digest by which two installations recognize a content: 128 bits in hexadecimal. */
export async function contentDigest(content: JsonObject): Promise<string> {
  return (await digest(canonicalText(content))).slice(0, 32)
}

type Schema = Parameters<typeof parseAs>[0]

/** The value of a line of a file, or why it is none. */
export function lineAs<S extends Schema>(
  schema: S,
  text: string,
): Exclude<ReturnType<typeof parseAs<S>>, { issues: unknown }> | Issue {
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
