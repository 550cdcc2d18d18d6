import { innerFields, type ContentType, type Field } from '@quire/contract'
import { assetIn, assetJson, type Asset } from './asset.ts'
import { rulesOf } from '../fields/index.ts'
import { isByLocale } from '../locales/fields.ts'
import { formToStore } from '../locales/form.ts'
import type { Strategy } from '../merge/merge.ts'
import type { Json, JsonObject, Snapshot } from '../../ports/index.ts'

/** The content of an item's version: everything that a save can change. */
export interface ItemContent {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly folderId: string | null
  readonly categories: readonly string[]
  readonly readPerm: readonly string[]
  readonly writePerm: readonly string[]
  readonly deletePerm: readonly string[]
  /** The file; null for items without one. */
  readonly asset: Asset | null
  readonly fields: JsonObject
  /** Against which sources translations were made or confirmed: see `Stamp`. */
  readonly translations: readonly string[]
}

/** The part of a content that is stored in the body of a snapshot. */
interface ItemBody {
  readonly description: string
  readonly categories: readonly string[]
  readonly fields: JsonObject
  /** The HTML of the card, rendered at that save. */
  readonly cardPreview: string | null
  readonly translations?: readonly string[]
}

/** Reads the content from a snapshot. */
export function contentOf(snapshot: Snapshot): ItemContent {
  const { description, categories, fields, translations = [] } = bodyOf(snapshot)
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
    translations,
  }
}

/** Makes the snapshot that stores a content. */
export function snapshotOf(
  content: ItemContent,
  { type, cardPreview }: { type: Pick<ContentType, 'name'>; cardPreview: string | null },
): Snapshot {
  const { name, slug, description, folderId, categories, readPerm, writePerm, deletePerm, asset, fields } =
    content
  const { translations } = content
  return {
    type: type.name,
    name,
    slug,
    parentId: folderId,
    roles: { read: readPerm, write: writePerm, delete: deletePerm },
    body: {
      description,
      categories: [...categories],
      fields,
      cardPreview,
      // Left out if there is none, to keep the bodies of most items short.
      ...(asset && { asset: assetJson(asset) }),
      ...formToStore(type),
      ...(translations.length > 0 && { translations: [...translations] }),
    },
  }
}

/** The card that was rendered when the snapshot was saved; null if the type had no template. */
export function cardOf(snapshot: Snapshot): string | null {
  return bodyOf(snapshot).cardPreview
}

// The cast is safe because the body of an item was written by snapshotOf.
function bodyOf({ body }: Snapshot): ItemBody {
  return body as unknown as ItemBody
}

/** An empty content, for the members that a partial content lacks. */
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
  translations: [],
}

/** Converts a content to plain JSON, for merging and comparing. */
export function asJson({ translations, ...content }: ItemContent): JsonObject {
  return {
    ...content,
    asset: assetJson(content.asset),
    // Left out if there is none, because most repositories have no locales.
    ...(translations.length > 0 && { translations }),
  }
}

/** The content of a snapshot as JSON to compare, without stamps. */
export function comparedJson(snapshot: Parameters<typeof contentOf>[0]): JsonObject {
  return withoutStamps(asJson(contentOf(snapshot)))
}

/**
 * The content without the stamps of its translations. They change without a new version, when a person
 * confirms a translation, and are nothing that people compare.
 */
export function withoutStamps({ translations: _stamps, ...content }: JsonObject): JsonObject {
  return content
}

/**
 * Converts a merged JSON object to a content. Members that a merge leaves out become null or empty;
 * `otherwise` supplies the rest.
 */
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
    translations: merged['translations'] ?? [],
  } as ItemContent
}

/** The merge strategy of each path of an item. The kind of a field determines its strategy. */
export function strategiesOf(type: ContentType): (path: string) => Strategy {
  const fields = new Map(flatFields(type.fields, 'fields.'))
  return (path) => {
    // Not the role lists: merging two lists as sets would admit callers whom one of them excludes.
    if (path === 'categories') return 'set'
    if (path === 'description') return 'lines'
    // A focal point belongs to one picture, and an uploaded rendition to one file.
    if (path === 'asset') return 'whole'
    const field = fields.get(path)
    return field ? strategyOf(field) : 'value'
  }
}

function strategyOf(field: Field): Strategy {
  const { merge } = rulesOf(field)
  const strategy = field.list ? merge.list : merge.single
  const isWhole = field.list || strategy === 'whole'
  return isWhole && innerFields(field).some(({ fields }) => fields.some(hasByLocale)) ? 'entries' : strategy
}

/** Whether a field, or one below it, holds values by locale. */
function hasByLocale(field: Field): boolean {
  return isByLocale(field) || innerFields(field).some(({ fields }) => fields.some(hasByLocale))
}

function flatFields(fields: readonly Field[], prefix: string): [string, Field][] {
  return fields.flatMap((field): [string, Field][] => {
    const path = prefix + field.name
    const members = field.list ? [] : rulesOf(field).members(field.settings)
    return [[path, field], ...flatFields(members, `${path}.`)]
  })
}
