import type { StructureKind } from './kind.ts'
import type { Json, JsonObject, Snapshot } from '../../ports/index.ts'

/** What a version of something of the structure says: all that a save can change. Its kind has members of its own. */
export interface StructureContent {
  readonly [member: string]: Json
  readonly name: string
  readonly description: string
  readonly parentId: string | null
}

/** The content that a snapshot keeps. */
export function contentOf({
  name,
  parentId,
  body,
}: Pick<Snapshot, 'name' | 'parentId' | 'body'>): StructureContent {
  const { description, ...others } = body
  return { name, description: textOf(description) ?? '', parentId, ...others }
}

/** The snapshot that keeps a content. */
export function snapshotOf(type: string, { name, parentId, ...body }: StructureContent): Snapshot {
  return { type, name, slug: null, parentId, roles: { read: [], write: [], delete: [] }, body }
}

/** The type of something as the store keeps it: that of what sites are made of is their site, by which it is listed and permitted. */
export function typeOf({ kind, scope, owner }: StructureKind, id: string, content: StructureContent): string {
  if (scope === 'repository') return kind
  return owner ? (memberOf(content, owner.member) ?? id) : id
}

/** The content that a merged object is: a merge leaves out what is null. */
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

/** The id that a member names; null: nothing. */
export function memberOf(content: JsonObject, member: string): string | null {
  return textOf(content[member])
}

/** What no other beside it may have: where it stands and what it is called in any case, as one text. */
export function siblingKey({ above, owner, calledBy }: StructureKind, content: StructureContent): string {
  const standsIn = above && memberOf(content, above.member)
  const belongsTo = owner && memberOf(content, owner.member)
  const called = memberOf(content, calledBy) ?? ''
  return `${standsIn ?? belongsTo ?? ''}/${called.normalize('NFC').toLowerCase().normalize('NFC')}`
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
