import { QuireError, type ContentType, type Contract, type ParsedOf, type Field } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call, type WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { recordEvent } from '../../engine/journal.ts'
import { serializeRecord } from '../../engine/record-rules.ts'
import { requireValidType } from '../types/definition.ts'
import {
  findType,
  requireUnlocked,
  moveGrants,
  hasItems,
  idsOfType,
  itemsOfType,
  typeIn,
} from '../types/find.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { requireUniqueValues } from '../items/check.ts'
import { contentOf } from '../items/content.ts'
import { rederiveItem, writeItem } from '../items/save.ts'
import { scopeOf } from '../../engine/scope.ts'
import { checkValues } from '../types/values.ts'
import { documentOf } from '../items/document.ts'
import { isSame } from '../../engine/same.ts'
import { indexedIn } from '../locales/comparable.ts'
import { convertedValues } from '../locales/convert.ts'
import { convertedStamps } from '../translations/convert-stamps.ts'
import { edgesOf, derivesTheSame } from '../types/derived.ts'
import type { Entity, Json, JsonObject, Branch } from '../../ports/index.ts'
import { changeIn, misfitsOf, type TypeChange } from './misfits.ts'
import { fittingValues, renamedValues, renameIssues } from './values.ts'

type Input = ParsedOf<Contract['types']['update']>

/**
 * Changes a content type, in one transaction. With `migrate` existing items that do not fit are
 * converted; without it the change is rejected with their number.
 * Errors: `not_found`, `type_locked`, `name_taken`, `invalid`, `type_incompatible`,
 * `precondition_failed`; `type_in_use` for a new name while items of the type exist.
 */
export async function updateType(
  call: Call,
  { id, migrate, renames, ...patch }: Input,
): Promise<Serialized<ContentType>> {
  // These changes also write items, which needs disk space. A change of settings alone, such as a
  // lower version limit, may free space and is always allowed.
  if (migrate || patch.fields) await call.environment.store.requireRoom?.()
  return call.write(async (call) => {
    const { revision, ...type } = await findType(call, id)
    requireUnlocked(type)
    const changed = applyPatch(type, patch, call.now)
    await requireValidType(changed)
    const issues = renameIssues(changed.fields, renames)
    if (issues.length > 0) throw invalid(issues)
    if (changed.name !== type.name && (await hasItems(call.store, type.name))) {
      throw new QuireError(
        'type_in_use',
        'The name of a content type cannot change while items of the type exist.',
      )
    }
    if (changed.name !== type.name) await moveGrants(call, { type: type.name, to: changed.name })
    if (!migrate) await requireFit(call, { before: type, after: changed, renames })
    const stored = await call.store.records.put('type', changed, revision)
    await call.record(recordEvent(call, 'TYPE_UPDATED', { kind: 'type', id: type.id }))
    await convertItems(call, { before: type, after: changed, renames, migrate })
    return serializeRecord<'type'>(stored)
  })
}

function applyPatch(
  type: ContentType,
  patch: Omit<Input, 'id' | 'migrate' | 'renames'>,
  now: number,
): ContentType {
  const settings = Object.entries(patch.settings ?? {}).filter(([, value]) => value !== undefined)
  return {
    ...type,
    name: patch.name ?? type.name,
    displayName: patch.displayName ?? type.displayName,
    apiName: patch.apiName ?? type.apiName,
    description: patch.description ?? type.description,
    settings: { ...type.settings, ...Object.fromEntries(settings) },
    fields: patch.fields ?? type.fields,
    updatedDate: now,
  }
}

/**
 * Errors: `type_incompatible` with the number of items that do not fit, of those that the caller
 * may read. If there are items that the caller may not read, an incompatible change is always
 * rejected. Otherwise the caller could find out each of their values by moving a limit step by
 * step.
 */
async function requireFit(call: Call, change: TypeChange): Promise<void> {
  const { convert, duplicates, hasUnreadable } = await misfitsOf(call, change)
  // Duplicates could reveal the values of items that the caller may not read.
  const count = hasUnreadable ? convert : convert + duplicates
  if (count === 0 && !hasUnreadable) return
  const reported =
    count > 0
      ? `${count} items do not fit the changed content type`
      : 'Items that you may not read might not fit'
  throw new QuireError('type_incompatible', `${reported}: send migrate: true to convert them.`, {
    details: count > 0 ? { count } : {},
  })
}

/** A change of a type that is being written. */
interface Conversion extends TypeChange {
  /** Whether items that do not fit are converted. */
  readonly migrate: boolean
}

/**
 * Updates every item of a changed type. With `migrate` an item that does not fit gets a new version
 * that does: text and numbers are converted, and values that still do not fit are removed. Old
 * versions keep the old values. For the other items the derived rows (search words, filter values,
 * edges) are written again if they changed, without a new version.
 * Errors: `value_taken` if the values of a field that becomes unique are not unique.
 */
async function convertItems(call: WriteCall, change: Conversion): Promise<void> {
  const { before, after, migrate } = change
  if (!migrate && derivesTheSame(before.fields, after.fields)) return
  const yieldToLoop = yieldingToLoop()
  // All ids are read before the first write, because lists are in the order of writing. Only the
  // ids are held in memory.
  const pages = []
  for await (const page of idsOfType(call.store, { type: after.name, pageSize })) {
    await yieldToLoop()
    pages.push(page)
  }
  for (const { branch, ids } of pages) {
    const there = await changeIn(call, change, branch)
    if (!migrate && derivesTheSame(there.before.fields, there.after.fields)) continue
    for (const item of await call.store.entities.getMany(branch, 'item', ids)) {
      await yieldToLoop()
      if (migrate && !(await fits(there, item))) await convertItem(call, { branch, item, change: there })
      else await updateDerived(call, { item, change: there })
    }
  }
  if (migrate) await requireAllUnique(call, change)
}

const pageSize = 100

/**
 * Whether an item has its values as the changed type does. A value of any JSON may fit both plain and by
 * locale, and means something else.
 */
async function fits({ before, after, renames }: TypeChange, item: Entity): Promise<boolean> {
  const { fields } = contentOf(item)
  if (!isSame(convertedValues({ from: before, to: after, renames }, fields), fields)) return false
  return (await checkValues(after.fields, fields)).issues.length === 0
}

async function convertItem(
  call: WriteCall,
  {
    branch,
    item,
    change: { before, after: type, renames },
  }: { branch: Branch; item: Entity; change: TypeChange },
): Promise<void> {
  const content = contentOf(item)
  const move = (values: JsonObject) =>
    renamedValues(type.fields, convertedValues({ from: before, to: type, renames }, values), { renames })
  const fields = await fittingValues(type.fields, move(content.fields))
  const stamps = convertedStamps({ from: before, to: type, move }, item, fields)
  const scope = await scopeOf(call, branch)
  const save = { scope, type, previous: item, content: { ...content, fields }, stamps }
  await writeItem(call, { ...save, event: 'ITEM_UPDATED', isMigrated: true })
}

/**
 * Updates what is derived from an item. A new field usually only adds an empty value to the index.
 */
async function updateDerived(
  call: WriteCall,
  { item, change: { before, after } }: { item: Entity; change: TypeChange },
): Promise<void> {
  const empty = emptyValuesAdded(before, after, item)
  if (empty === null) await rederiveItem(call, { head: item, type: after })
  else if (empty.length > 0) await call.store.entities.addEmptyValues(item, empty)
}

/**
 * Checks the fields that became unique. Items that were not converted have not been checked by a
 * save. Errors: `value_taken`.
 */
async function requireAllUnique(call: Call, { before, after }: TypeChange): Promise<void> {
  if (!after.fields.some((field) => field.unique && !wasUnique(before, field))) return
  const yieldToLoop = yieldingToLoop()
  for await (const { branch, item } of itemsOfType(call.store, { type: after.name })) {
    await yieldToLoop()
    const values = contentOf(item).fields
    const type = await typeIn(call, after, branch.repositoryId)
    await requireUniqueValues(call.store.entities, { branch, type, values, id: item.id })
  }
}

/** Whether a field was already unique. A field of another kind had other values. */
function wasUnique({ fields }: ContentType, { name, kind }: Field): boolean {
  return fields.some((field) => field.name === name && field.kind === kind && field.unique)
}

/**
 * The paths of new fields for which an item has no value, if that is the only change of its derived
 * rows. Null if more changes, and for an item with a draft newer than its published version,
 * because the rows of the published version change too.
 */
function emptyValuesAdded(before: ContentType, after: ContentType, head: Entity): string[] | null {
  if (head.publishedVersion !== null && head.publishedVersion !== head.version) return null
  const { fields } = contentOf(head)
  const was = new Map(indexedIn(before, fields).map((row) => [rowKey(row), row]))
  const now = indexedIn(after, fields)
  const added = now.filter((row) => !was.delete(rowKey(row)))
  const hasMore = was.size > 0 || added.some(({ value }) => value !== null)
  if (hasMore || !isSame(searchKeysOf(before, head), searchKeysOf(after, head))) return null
  return added.map(({ path }) => path)
}

function rowKey({ path, value }: { path: string; value: Json }): string {
  return JSON.stringify([path, value])
}

/** The edges and the searchable texts of an item, as JSON to compare. */
function searchKeysOf(type: ContentType, head: Entity): Json {
  const edges = edgesOf(type.fields, contentOf(head).fields)
  const { passages } = documentOf(head, type)
  return { edges: edges.map((edge) => ({ ...edge })), passages: passages.map((passage) => ({ ...passage })) }
}
