import type { StructureKind } from './kind.ts'
import type { Json, JsonObject, Snapshot } from '../../ports/index.ts'

/** The content of a version: everything that a save can change. Each kind adds its own members. */
export interface StructureContent {
  readonly [member: string]: Json
  readonly name: string
  readonly description: string
  readonly parentId: string | null
}

/** Reads the content from a snapshot. */
export function contentOf({
  name,
  parentId,
  body,
}: Pick<Snapshot, 'name' | 'parentId' | 'body'>): StructureContent {
  const { description, ...others } = body
  return { name, description: textOf(description) ?? '', parentId, ...others }
}

/** Makes the snapshot that stores a content. */
export function snapshotOf(type: string, { name, parentId, ...body }: StructureContent): Snapshot {
  return { type, name, slug: null, parentId, roles: { read: [], write: [], delete: [] }, body }
}

/**
 * The `type` of an entity in the store: its kind, or for sections, pages and sites the id of the
 * site, because lists and permissions are per site.
 */
export function typeOf(rules: StructureKind, id: string, content: StructureContent): string {
  return rules.scope === 'repository' ? rules.kind : (ownerOf(rules, content) ?? id)
}

/**
 * Converts a merged JSON object to a content. Adds the members that a merge leaves out because they
 * are null.
 */
export function asContent(rules: StructureKind, merged: JsonObject): StructureContent {
  const names = [...rules.references.map(({ member }) => member), ...rules.nullable]
  return {
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...merged,
    name: (textOf(merged['name']) ?? '').trim().normalize('NFC'),
    description: textOf(merged['description']) ?? '',
    parentId: textOf(merged['parentId']),
  }
}

/** The text of a member; null if it is not text. */
export function memberOf(content: JsonObject, member: string): string | null {
  return textOf(content[member])
}

/** The id of the owner; null for kinds that the repository owns. */
export function ownerOf({ owner }: Pick<StructureKind, 'owner'>, content: JsonObject): string | null {
  return owner && memberOf(content, owner.member)
}

/**
 * The key that must be unique among siblings: the parent and the case-insensitive name, as one
 * text.
 */
export function siblingKey(rules: StructureKind, content: StructureContent): string {
  const { parent, namedBy } = rules
  const parentId = parent && memberOf(content, parent.member)
  const name = memberOf(content, namedBy) ?? ''
  return `${parentId ?? ownerOf(rules, content) ?? ''}/${name.normalize('NFC').toLowerCase().normalize('NFC')}`
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
