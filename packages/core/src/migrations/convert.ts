import type { ContentType, Field } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { requireUniqueValues } from '../items/check.ts'
import { contentOf } from '../items/content.ts'
import { rederiveItem, writeItem } from '../items/save.ts'
import type { Json, JsonObject, Transaction } from '../ports/index.ts'
import { placeOf } from '../lines/lines.ts'
import { itemsOfType } from '../types/uses.ts'
import { checkValues, innerObjects } from '../types/values.ts'

/** How many items hold values that the type does not take. */
export async function countMisfits(tx: Transaction, type: ContentType): Promise<number> {
  let count = 0
  for await (const { line, item } of itemsOfType(tx, { type: type.name })) {
    const { fields } = contentOf(item)
    const { issues } = await checkValues(type.fields, fields)
    const isUnique = await requireUniqueValues(tx.entities, { line, type, values: fields, id: item.id }).then(
      () => true,
      () => false,
    )
    if (issues.length > 0 || !isUnique) count += 1
  }
  return count
}

/**
 * Gives every item that does not fit a new version that does: numbers are read from text and text made from numbers, what still
 * does not fit is left out. Old versions keep the old values. Errors: `value_taken` when a value that became unique is not.
 */
export async function convertItems(call: Call, tx: Transaction, type: ContentType): Promise<void> {
  const misfits = []
  for await (const found of itemsOfType(tx, { type: type.name })) {
    const { issues } = await checkValues(type.fields, contentOf(found.item).fields)
    if (issues.length > 0) misfits.push(found)
  }
  for (const { line, item } of misfits) {
    const content = contentOf(item)
    const fields = await fittingValues(type.fields, content.fields)
    const place = await placeOf(within(call, tx), line)
    await writeItem(call, tx, {
      place,
      type,
      previous: item,
      content: { ...content, fields },
      event: 'ITEM_UPDATED',
    })
  }
  await requireAllUnique(tx, type)
}

/** Writes what is derived from every item of a type anew: words to search, values to filter by, edges. Makes no version. */
export async function rederiveItems(call: Call, tx: Transaction, type: ContentType): Promise<void> {
  const heads = []
  for await (const { item } of itemsOfType(tx, { type: type.name })) heads.push(item)
  for (const head of heads) await rederiveItem(call, tx, { head, type })
}

/** Values that became unique: those of items that fitted before were not looked at by a save. */
async function requireAllUnique(tx: Transaction, type: ContentType): Promise<void> {
  if (!type.fields.some((field) => field.unique)) return
  for await (const { line, item } of itemsOfType(tx, { type: type.name })) {
    await requireUniqueValues(tx.entities, { line, type, values: contentOf(item).fields, id: item.id })
  }
}

async function fittingValues(fields: readonly Field[], values: JsonObject): Promise<JsonObject> {
  const kept: [string, Json][] = []
  for (const field of fields) {
    const value = values[field.name]
    const fitting = value === undefined ? undefined : await fittingValue(field, value)
    if (fitting !== undefined) kept.push([field.name, fitting])
  }
  return Object.fromEntries(kept)
}

async function fittingValue(field: Field, value: Json): Promise<Json | undefined> {
  if (field.list) return fittingList(field, Array.isArray(value) ? value : [value])
  return fittingSingle(field, Array.isArray(value) ? (value[0] ?? null) : value)
}

async function fittingList(field: Field, values: readonly Json[]): Promise<Json | undefined> {
  const fitting: Json[] = []
  for (const value of values) {
    const kept = await fittingSingle({ ...field, list: false }, value)
    if (kept !== undefined) fitting.push(kept)
  }
  return fitting.length === 0 && values.length > 0 ? undefined : fitting
}

async function fittingSingle(field: Field, value: Json): Promise<Json | undefined> {
  const [inner] = innerObjects(field, value)
  if (inner) {
    const fields = await fittingValues(inner.fields, inner.value)
    return field.kind === 'union' ? { type: inner.value['type'] ?? null, ...fields } : fields
  }
  for (const candidate of [value, converted(field, value)]) {
    const { values, issues } = await checkValues([field], { [field.name]: candidate })
    if (issues.length === 0) return values[field.name]
  }
  return undefined
}

function converted(field: Field, value: Json): Json {
  if (
    typeof value === 'string' &&
    (field.kind === 'number' || field.kind === 'integer' || field.kind === 'datetime')
  ) {
    return value.trim() === '' ? null : Number(value)
  }
  if (field.kind === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  return value
}
