import type { ContentType, Field } from '@quire/contract'
import { assetIn, assetJson, type Asset } from './asset.ts'
import { rulesOf } from '../fields/index.ts'
import type { Strategy } from '../merge/merge.ts'
import type { Json, JsonObject, Snapshot } from '../../ports/index.ts'

/** What a version of an item says: all that a save can change. */
export interface ItemContent {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly folderId: string | null
  readonly categories: readonly string[]
  readonly readPerm: readonly string[]
  readonly writePerm: readonly string[]
  readonly deletePerm: readonly string[]
  /** The binary; null for items without one. */
  readonly asset: Asset | null
  readonly fields: JsonObject
}

/** What the store keeps of it in the body of a snapshot. */
interface ItemBody {
  readonly description: string
  readonly categories: readonly string[]
  readonly fields: JsonObject
  /** HTML card as rendered at that save. */
  readonly cardPreview: string | null
}

/** The content that a snapshot keeps. */
export function contentOf(snapshot: Snapshot): ItemContent {
  const { description, categories, fields } = bodyOf(snapshot)
  const { name, slug, parentId, roles } = snapshot
  return {
    name,
    slug: slug ?? '',
    description,
    folderId: parentId,
    categories,
    readPerm: roles.read,
    writePerm: roles.write,
    deletePerm: roles.delete,
    asset: assetIn(snapshot.body),
    fields,
  }
}

/** The snapshot that keeps a content. */
export function snapshotOf(
  content: ItemContent,
  { type, cardPreview }: { type: string; cardPreview: string | null },
): Snapshot {
  const { name, slug, description, folderId, categories, readPerm, writePerm, deletePerm, asset, fields } =
    content
  return {
    type,
    name,
    slug,
    parentId: folderId,
    roles: { read: readPerm, write: writePerm, delete: deletePerm },
    body: {
      description,
      categories: [...categories],
      fields,
      cardPreview,
      // Most items have none: their bodies stay as short as they were.
      ...(asset && { asset: assetJson(asset) }),
    },
  }
}

/** The card that was rendered when a snapshot was saved. */
export function cardOf(snapshot: Snapshot): string | null {
  return bodyOf(snapshot).cardPreview
}

// The border to the store: the body of an item was written by snapshotOf.
function bodyOf({ body }: Snapshot): ItemBody {
  return body as unknown as ItemBody
}

/** Says nothing: what a content is filled up with. */
export const emptyContent: ItemContent = {
  name: '',
  slug: '',
  description: '',
  folderId: null,
  categories: [],
  readPerm: [],
  writePerm: [],
  deletePerm: [],
  asset: null,
  fields: {},
}

/** A content as a plain JSON object, for merging and comparing. */
export function asJson(content: ItemContent): JsonObject {
  return { ...content, asset: assetJson(content.asset) }
}

/** The content that a merged object is. */
export function asContent(merged: JsonObject, otherwise: ItemContent): ItemContent {
  const fields: Json = merged['fields'] ?? {}
  return {
    ...otherwise,
    folderId: null,
    categories: [],
    readPerm: [],
    writePerm: [],
    deletePerm: [],
    ...merged,
    asset: assetIn(merged),
    fields,
  } as ItemContent
}

/** How each member of an item merges; its fields as their kinds say. */
export function strategiesOf(type: ContentType): (path: string) => Strategy {
  const fields = new Map(flatFields(type.fields, 'fields.'))
  return (path) => {
    // Not the role lists: two limits merged as sets would let in whom either shut out.
    if (path === 'categories') return 'set'
    if (path === 'description') return 'lines'
    // A focal point is of one picture, a hand-made rendition of one file.
    if (path === 'asset') return 'whole'
    const field = fields.get(path)
    return field ? strategyOf(field) : 'value'
  }
}

function strategyOf(field: Field): Strategy {
  const { merge } = rulesOf(field)
  return field.list ? merge.list : merge.single
}

function flatFields(fields: readonly Field[], prefix: string): [string, Field][] {
  return fields.flatMap((field): [string, Field][] => {
    const path = prefix + field.name
    const members = field.list ? [] : rulesOf(field).members(field.settings)
    return [[path, field], ...flatFields(members, `${path}.`)]
  })
}
