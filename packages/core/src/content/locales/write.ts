import { innerFields, type Field } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn } from '../../engine/locales.ts'
import { fieldsWithin, isByLocale } from './fields.ts'
import { objectOr } from '../types/values.ts'
import { matchEntries } from './match-entries.ts'

/** What a caller wrote in one locale, and what was stored before. */
interface Written {
  readonly sent: JsonObject
  readonly stored: JsonObject
  readonly code: string
}

/** The values that a caller sent, and those that are stored. */
interface Sent {
  readonly repositoryId: string
  /** The fields as the repository stores them. */
  readonly fields: readonly Field[]
  readonly sent: JsonObject
  readonly stored: JsonObject
}

/** The merge patch of stored values that a caller sent, in the locale that they named. */
export async function storedPatch(
  call: Call,
  { repositoryId, fields, sent, stored }: Sent,
): Promise<JsonObject> {
  const locales = await localesOf(call, repositoryId)
  const view = locales && viewIn(call, locales)
  return view ? patchInLocale(fields, { sent, stored, code: view.code }) : sent
}

/**
 * The merge patch of stored values (RFC 7396) that has the effect of a patch of one locale's
 * values. The values of other locales stay, in entries of lists too. `fields` are those of
 * `typeInLocales`.
 */
export function patchInLocale(fields: readonly Field[], { sent, stored, code }: Written): JsonObject {
  const patch = Object.entries(sent).map(([name, value]): [string, Json] => {
    const field = fields.find((candidate) => candidate.name === name)
    return [name, field ? fieldPatch(field, value, { stored: stored[name], code }) : value]
  })
  return Object.fromEntries(patch)
}

interface StoredValue {
  readonly stored: Json | undefined
  readonly code: string
}

function fieldPatch(field: Field, value: Json, { stored, code }: StoredValue): Json {
  if (isByLocale(field)) return { [code]: value }
  if (field.list) return listOf(field, value, { stored, code })
  if (!isJsonObject(value)) return value
  const before = objectOr(stored)
  const inner = fieldsWithin(field, 'type' in value ? value : before)
  return inner ? patchInLocale(inner, { sent: value, stored: before, code }) : value
}

/** A list replaces the one before; its entries keep the other locales' values of those they follow. */
function listOf(field: Field, value: Json, { stored, code }: StoredValue): Json {
  if (!Array.isArray(value) || innerFields(field).length === 0) return value
  const before = Array.isArray(stored) ? stored.filter(isJsonObject) : []
  const previous = matchEntries({
    sent: value,
    stored: before,
    fieldsOf: (entry) => fieldsWithin(field, entry),
    code,
  })
  return value.map((entry: Json, index) => {
    const inner = isJsonObject(entry) && fieldsWithin(field, entry)
    return inner ? wholeObject(inner, { sent: entry, stored: previous[index] ?? {}, code }) : entry
  })
}

/** An object that replaces another: what is not sent is gone, except in other locales. */
function wholeObject(fields: readonly Field[], { sent, stored, code }: Written): JsonObject {
  const members = new Map<string, Json>(Object.entries(sent))
  for (const field of fields) {
    const { name } = field
    const value = sent[name] ?? null
    const before = stored[name]
    if (isByLocale(field)) {
      const { [code]: _, ...others } = objectOr(before)
      members.set(name, value === null ? others : { ...others, [code]: value })
    } else if (field.list) members.set(name, listOf(field, value, { stored: before, code }))
    else if (isJsonObject(value)) {
      const inner = fieldsWithin(field, value)
      const own = objectOr(before)
      if (inner) members.set(name, wholeObject(inner, { sent: value, stored: own, code }))
    }
  }
  return Object.fromEntries(members)
}
