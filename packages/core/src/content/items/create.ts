import type { ContentType, Contract, Item, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { Entity, Json, JsonObject, Transaction } from '../../ports/index.ts'
import { typeNamed } from '../types/find.ts'
import { withFocalPoint, type Asset } from './asset.ts'
import type { ItemContent } from './content.ts'
import { serializeHead } from './serialize.ts'
import { requireAllowedType, saveItem } from './save.ts'
import { freeSlug, slugify } from './slug.ts'

type Input = ParsedOf<Contract['items']['create']>

/**
 * Creates an item: version 1, a draft. Without `slug` one is made from the type's `slugFrom` or the name.
 * Errors: `not_found` for the repository or package; `invalid`, `slug_taken`, `value_taken`, `forbidden`.
 */
export async function createItem(call: Call, input: Input): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, { configId: input.repositoryId, packageName: input.packageName })
    // Before it is looked for: who may not create it learns not whether there is such a type.
    requirePermission(call, 'items.create', { ...scope.branch, type: input.type })
    const type = await typeNamed(call, input.type)
    return serializeHead(call, scope.branch, await saveNew(call, { input, scope, type, asset: null }))
  })
}

/** A new item to be saved. */
export interface NewItem {
  readonly input: Omit<Input, 'type' | 'repositoryId' | 'packageName'>
  readonly scope: Scope
  readonly type: ContentType
  /** Its binary, which is kept; null for an item without one. */
  readonly asset: Asset | null
}

/** Saves version 1 of an item. Errors: `invalid`, `slug_taken`, `value_taken`, `auto_package_required`. */
export async function saveNew(call: WriteCall, item: NewItem): Promise<Entity> {
  const { scope, type } = item
  requireAllowedType(scope, type)
  const content = await newContent(call.store, item)
  return saveItem(call, { scope, type, content, previous: null, event: 'ITEM_CREATED' })
}

async function newContent(store: Transaction, { input, scope, type, asset }: NewItem): Promise<ItemContent> {
  // Parsed input is JSON.
  const fields = { ...defaultsOf(type), ...(input.fields as JsonObject) }
  const {
    name,
    description = '',
    folderId = null,
    categories = [],
    readPerm = [],
    writePerm = [],
    deletePerm = [],
  } = input
  const slug = input.slug ?? (await madeSlug(store, { scope, type, name, fields }))
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
  }
}

function defaultsOf(type: ContentType): JsonObject {
  const withDefault = type.fields.filter((field) => field.default !== undefined && field.default !== null)
  return Object.fromEntries(withDefault.map((field) => [field.name, field.default as Json]))
}

/** A free slug from the type's `slugFrom` field, else from the name, else from the type's name. */
export async function madeSlug(
  store: Transaction,
  { scope, type, name, fields }: { scope: Scope; type: ContentType; name: string; fields: JsonObject },
): Promise<string> {
  const source = type.settings.slugFrom === null ? undefined : fields[type.settings.slugFrom]
  const text = typeof source === 'string' && source !== '' ? source : name
  return freeSlug(store.entities, scope.branch, (await slugify(text)) || type.name)
}
