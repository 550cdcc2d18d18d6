import {
  QuireError,
  type ContentType,
  type Contract,
  type Item,
  type ParsedOf,
  type JournalEvent,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { mergeObjects } from '../merge/merge.ts'
import { typeOf } from '../types/find.ts'
import { checkValues, objectOr, storedIn } from '../types/values.ts'
import { stampsFor } from '../translations/stamps.ts'
import { definitionOf } from '../locales/fields.ts'
import { storedPatch } from '../locales/write.ts'
import { withFocalPoint } from './asset.ts'
import { asContent, asJson, contentOf, type ItemContent, strategiesOf } from './content.ts'
import type { ItemTarget } from './find.ts'
import { serializeHead } from './serialize.ts'
import { saveItem } from './save.ts'
import { numberedVersion } from './versions.ts'
import { withoutMissing } from './holders.ts'
import { isJsonObject, type Entity, type Json, type JsonObject, type Branch } from '../../ports/index.ts'

type Input = ParsedOf<Contract['items']['update']>

/**
 * Updates the members that are sent (RFC 7396) and makes a new version.
 * Errors: `not_found`, `forbidden`, `invalid`, `slug_taken`, `value_taken`; `precondition_failed`
 * if If-Match is out of date; `version_conflict` naming each member that was changed differently
 * since `baseVersion`.
 */
export async function updateItem(
  call: WriteCall,
  input: Input,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  return updateWith(call, { input, target }, (content) => content)
}

/** Like `updateItem`, with a further change of the content, such as a new file. */
export async function updateWith(
  call: WriteCall,
  { input, target: { scope, item: previous } }: { input: Input; target: ItemTarget },
  amend: (content: ItemContent, type: ContentType, branch: Branch) => ItemContent,
): Promise<Serialized<Item>> {
  const type = await typeOf(call, previous)
  const { content: changed, stamps } = await changedContent(call, { input, previous, type })
  const content = amend(changed, type, scope.branch)
  const saved = await saveItem(call, { scope, type, previous, content, stamps, event: 'ITEM_UPDATED' })
  return serializeHead(call, scope.branch, saved)
}

interface Change {
  readonly input: Input
  readonly previous: Entity
  readonly type: ContentType
}

async function changedContent(
  call: Call,
  change: Change,
): Promise<{ content: ItemContent; stamps?: readonly string[] }> {
  const { input, previous, type } = change
  const theirs = contentOf(previous)
  const { baseVersion } = input
  const patched = async (content: ItemContent) =>
    applyPatch(content, input, await patchOf(call, change, content))
  if (baseVersion === undefined || baseVersion === previous.version) return { content: await patched(theirs) }
  const version = await numberedVersion(call, { head: previous, version: baseVersion })
  const base = contentOf(version)
  const ours = await patched(base)
  const sides = { base: asJson(base), ours: asJson(ours), theirs: asJson(theirs) }
  const { merged, conflicts } = mergeObjects(sides, strategiesOf(type))
  if (conflicts.length > 0) {
    const message = `Changed by others since version ${baseVersion}: ${conflicts.map(({ path }) => path).join(', ')}.`
    throw new QuireError('version_conflict', message, { conflicts: [...conflicts] })
  }
  if (!definitionOf(type)) return { content: asContent(merged, theirs) }
  // A translation was made against the source that its writer saw.
  const { values: fields } = await checkValues(type.fields, ours.fields, storedIn(ours.fields))
  const stamps = stampsFor(type, { fields, now: call.now, from: [version] })
  return { content: asContent(merged, theirs), stamps }
}

/** The merge patch of the stored fields of a content; null if the input has none. */
async function patchOf(
  call: Call,
  { input, previous: { repositoryId }, type }: Change,
  { fields: stored }: ItemContent,
): Promise<JsonObject | null> {
  if (!input.fields) return null
  // Parsed input is JSON.
  const sent = input.fields as JsonObject
  return storedPatch(call, { repositoryId, fields: type.fields, sent, stored })
}

/** Applies a JSON Merge Patch to a content (RFC 7396). */
function applyPatch(
  content: ItemContent,
  input: Partial<Omit<Input, 'id' | 'configId' | 'fields'>>,
  fields: JsonObject | null,
): ItemContent {
  const { name, slug, description, folderId, categories, readPerm, writePerm, deletePerm } = input
  const { focalPoint } = input
  return {
    name: name ?? content.name,
    slug: slug ?? content.slug,
    description: description ?? content.description,
    folderId: folderId === undefined ? content.folderId : folderId,
    categories: categories ? [...new Set(categories)] : content.categories,
    readPerm: readPerm ?? content.readPerm,
    writePerm: writePerm ?? content.writePerm,
    deletePerm: deletePerm ?? content.deletePerm,
    asset: focalPoint === undefined ? content.asset : withFocalPoint(content.asset, focalPoint),
    fields: fields ? mergePatch(content.fields, fields) : content.fields,
    translations: content.translations,
  }
}

/**
 * RFC 7396: objects merge member by member, null removes a member, and any other value replaces it.
 */
function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map<string, Json>(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, isJsonObject(value) ? mergePatch(objectOr(members.get(name)), value) : value)
  }
  return Object.fromEntries(members)
}

/**
 * Moves an item to another folder of its repository and branch. Makes a new version. Errors: as for
 * an update.
 */
export function moveItem(
  call: WriteCall,
  input: ParsedOf<Contract['items']['move']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  return updateItem(call, input, target)
}

/**
 * Makes the content of an old version the newest version. Leaves out categories and a folder that
 * no longer exist.
 * Errors: `not_found`, `forbidden`, `slug_taken`; `invalid` if its values no longer fit the content
 * type.
 */
export async function restoreItem(
  call: WriteCall,
  input: ParsedOf<Contract['items']['restore']>,
  { scope, item: previous }: ItemTarget,
): Promise<Serialized<Item>> {
  const version = await numberedVersion(call, { head: previous, version: input.version })
  const type = await typeOf(call, previous)
  const content = await withoutMissing(call.store.entities, scope.branch, contentOf(version))
  const event = 'ITEM_UPDATED'
  const saved = await saveItem(call, { scope, type, previous, content, origin: version, event })
  return serializeHead(call, scope.branch, saved)
}

type CategorizeInput = ParsedOf<Contract['items']['categorize']>

/**
 * Adds a category. Does nothing if the item already has it. Errors: `not_found`, `forbidden`;
 * `invalid` if there is no such category.
 */
export function categorizeItem(
  call: WriteCall,
  input: CategorizeInput,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  return recategorize(call, target, {
    event: 'ITEM_CATEGORIZED',
    change: (categories) => [...categories.filter((id) => id !== input.categoryId), input.categoryId],
    isDone: (categories) => categories.includes(input.categoryId),
  })
}

/**
 * Removes a category. Does nothing if the item does not have it. Errors: `not_found`, `forbidden`.
 */
export function decategorizeItem(
  call: WriteCall,
  input: CategorizeInput,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  return recategorize(call, target, {
    event: 'ITEM_DECATEGORIZED',
    change: (categories) => categories.filter((id) => id !== input.categoryId),
    isDone: (categories) => !categories.includes(input.categoryId),
  })
}

interface CategoryChange {
  readonly event: JournalEvent
  readonly change: (categories: readonly string[]) => readonly string[]
  readonly isDone: (categories: readonly string[]) => boolean
}

async function recategorize(
  call: WriteCall,
  { scope, item: previous }: ItemTarget,
  { event, change, isDone }: CategoryChange,
): Promise<Serialized<Item>> {
  const content = contentOf(previous)
  if (isDone(content.categories)) return serializeHead(call, scope.branch, previous)
  const type = await typeOf(call, previous)
  const changed = { ...content, categories: change(content.categories) }
  const saved = await saveItem(call, { scope, type, previous, content: changed, event })
  return serializeHead(call, scope.branch, saved)
}
