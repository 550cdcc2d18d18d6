import type { ContentType, Contract, Field, Item, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { WriteCall } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import { localesOf, viewIn } from '../../engine/locales.ts'
import { isByLocale } from '../locales/fields.ts'
import { convertedValues } from '../locales/convert.ts'
import { storedPatch } from '../locales/write.ts'
import { typeNamed, typeOf } from '../types/find.ts'
import { withFocalPoint, type Asset } from './asset.ts'
import { type ItemContent, contentOf } from './content.ts'
import { serializeHead } from './serialize.ts'
import { requireAllowedType, saveItem } from './save.ts'
import { freeSlug, slugify } from './slug.ts'
import { findCopyScope, type ItemTarget, type TypeTarget } from './find.ts'
import { withoutMissing } from './holders.ts'
import { isJsonObject, type Entity, type Json, type JsonObject, type Transaction } from '../../ports/index.ts'

type Input = ParsedOf<Contract['items']['create']>

/**
 * Creates an item as a draft with version 1. Without `slug` it makes one from the type's `slugFrom`
 * field or the name.
 * Errors: `not_found` for the repository or package; `invalid`, `slug_taken`, `value_taken`,
 * `forbidden`.
 */
export async function createItem(
  call: WriteCall,
  input: Input,
  { scope }: TypeTarget,
): Promise<Serialized<Item>> {
  const type = await typeNamed(call, { type: input.type, repositoryId: scope.repository.id })
  return serializeHead(call, scope.branch, await saveNew(call, { input, scope, type, asset: null }))
}

/** A new item to save. */
interface NewItem {
  readonly input: Omit<Input, 'type' | 'repositoryId' | 'packageName'>
  readonly scope: Scope
  readonly type: ContentType
  /** Its file, which is already stored; null for an item without one. */
  readonly asset: Asset | null
}

/**
 * Saves version 1 of an item. Does not check permissions. Errors: `invalid`, `slug_taken`,
 * `value_taken`, `auto_package_required`.
 */
export async function saveNew(call: WriteCall, item: NewItem): Promise<Entity> {
  const { scope, type } = item
  requireAllowedType(scope, type)
  const content = await newContent(call, item)
  return saveItem(call, { scope, type, content, previous: null, event: 'ITEM_CREATED' })
}

async function newContent(call: WriteCall, { input, scope, type, asset }: NewItem): Promise<ItemContent> {
  const { id: repositoryId } = scope.repository
  const locales = await localesOf(call, repositoryId)
  // Parsed input is JSON.
  const sent = input.fields as JsonObject
  const given = await storedPatch(call, { repositoryId, fields: type.fields, sent, stored: {} })
  const code = locales && (viewIn(call, locales)?.code ?? locales.default)
  const fields = { ...defaultsOf(type.fields, code), ...given }
  const {
    name,
    description = '',
    folderId = null,
    categories = [],
    readPerm = [],
    writePerm = [],
    deletePerm = [],
  } = input
  const slug = input.slug ?? (await madeSlug(call.store, { scope, type, name, fields }))
  return {
    name,
    slug,
    description,
    folderId,
    categories: [...new Set(categories)],
    readPerm,
    writePerm,
    deletePerm,
    asset: input.focalPoint === undefined ? asset : withFocalPoint(asset, input.focalPoint),
    fields,
    translations: [],
  }
}

/** The values of a new item that its fields give; those of localized fields in one locale. */
function defaultsOf(fields: readonly Field[], code: string | null): JsonObject {
  const defaults = fields.flatMap((field): [string, Json][] => {
    const first = code !== null && isByLocale(field) ? field.settings.fields[0] : field
    const value = (first?.default ?? null) as Json
    if (value === null) return []
    return [[field.name, code !== null && first !== field ? { [code]: value } : value]]
  })
  return Object.fromEntries(defaults)
}

/**
 * Makes a free slug from the type's `slugFrom` field, or else from the name, or else from the
 * type's name.
 */
async function madeSlug(
  store: Transaction,
  { scope, type, name, fields }: { scope: Scope; type: ContentType; name: string; fields: JsonObject },
): Promise<string> {
  const source = type.settings.slugFrom === null ? undefined : textIn(fields[type.settings.slugFrom])
  const text = source || name
  return freeSlug(store.entities, scope.branch, (await slugify(text)) || type.name)
}

/** The text of a text field; of a localized one, the first that it has. */
function textIn(value: Json | undefined): string | undefined {
  const texts = isJsonObject(value) ? Object.values(value) : [value]
  return texts.find((text) => typeof text === 'string')
}

type CopyInput = ParsedOf<Contract['items']['copy']>

/**
 * Copies an item's newest version as a new draft. A copy in another repository has no categories,
 * and is in no folder unless the input names one there.
 * Errors: `not_found`, `forbidden`, `slug_taken`, `invalid`.
 */
export async function copyItem(
  call: WriteCall,
  input: CopyInput,
  { scope: from, item: original }: ItemTarget,
): Promise<Serialized<Item>> {
  const to = await findCopyScope(call, input, { scope: from, item: original })
  const type = await typeNamed(call, { type: original.type, repositoryId: to.repository.id })
  requireAllowedType(to, type)
  const content = contentOf(original)
  const fields = convertedValues({ from: await typeOf(call, original), to: type }, content.fields)
  const there = await withoutMissing(
    call.store.entities,
    to.branch,
    contentThere({ ...content, fields }, from, to),
  )
  const copy = copiedContent(there, input)
  const slug = input.slug ?? (await copySlug(call.store, { input, to, content: copy, type }))
  const copied = await saveItem(call, {
    scope: to,
    type,
    previous: null,
    content: { ...copy, slug },
    origin: original,
    event: 'ITEM_CREATED',
  })
  return serializeHead(call, to.branch, copied)
}

function contentThere(content: ItemContent, from: Scope, to: Scope): ItemContent {
  return from.repository.id === to.repository.id ? content : { ...content, folderId: null, categories: [] }
}

function copiedContent(content: ItemContent, { folderId, name }: CopyInput): ItemContent {
  return {
    ...content,
    folderId: folderId === undefined ? content.folderId : folderId,
    name: name ?? content.name,
  }
}

function copySlug(
  store: Transaction,
  { input, to, content, type }: { input: CopyInput; to: Scope; content: ItemContent; type: ContentType },
): Promise<string> {
  if (input.name === undefined) return freeSlug(store.entities, to.branch, content.slug)
  return madeSlug(store, { scope: to, type, name: input.name, fields: {} })
}
