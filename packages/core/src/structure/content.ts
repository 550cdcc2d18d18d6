import type { Json, JsonObject, Snapshot } from '../ports/index.ts'

/** What a version of a folder, taxonomy or category says: all that a save can change. */
export interface StructureContent {
  readonly name: string
  readonly description: string
  readonly parentId: string | null
  /** Of a category. */
  readonly taxonomyId?: string
  /** Of a category. */
  readonly order?: number
}

/** What the store keeps of it in the body of a snapshot. */
type StructureBody = Omit<StructureContent, 'name' | 'parentId'>

/** The content that a snapshot keeps. */
export function contentOf({ name, parentId, body }: Pick<Snapshot, 'name' | 'parentId' | 'body'>) {
  // The border to the store: the body was written by snapshotOf.
  const { description, ...others } = body as unknown as StructureBody
  return { name, description, parentId, ...others } satisfies StructureContent
}

/** The snapshot that keeps a content. */
export function snapshotOf(type: string, { name, parentId, ...body }: StructureContent): Snapshot {
  return { type, name, slug: null, parentId, roles: { read: [], write: [], delete: [] }, body: { ...body } }
}

/** A content as a plain JSON object, for merging and comparing. */
export function asJson(content: StructureContent): JsonObject {
  return { ...content }
}

/** The content that a merged object is. */
export function asContent(merged: JsonObject): StructureContent {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)
  const { order } = merged
  const taxonomyId = text(merged['taxonomyId'])
  return {
    name: (text(merged['name']) ?? '').trim().normalize('NFC'),
    description: text(merged['description']) ?? '',
    parentId: text(merged['parentId']),
    ...(taxonomyId !== null && { taxonomyId }),
    ...(typeof order === 'number' && { order }),
  }
}

/** What no other beside it may have: where it stands and its name in any case, as one text. */
export function siblingKey({ name, parentId, taxonomyId }: StructureContent): string {
  return `${parentId ?? taxonomyId ?? ''}/${name.normalize('NFC').toLowerCase().normalize('NFC')}`
}
