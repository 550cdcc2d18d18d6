import { innerFields, type Field } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn } from '../../engine/locales.ts'
import { fieldsWithin, isByLocale } from './fields.ts'
import { objectOr } from '../types/values.ts'
import { isSame } from '../../engine/same.ts'
import { valuesIn } from './read.ts'

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

/** The entries of a list in one locale, and the stored entries that it replaces. */
interface Lists {
  readonly sent: readonly Json[]
  readonly stored: readonly JsonObject[]
  /** The fields of an entry, which its `type` decides. */
  readonly fieldsOf: (entry: JsonObject) => readonly Field[] | null
  readonly code: string
}

/**
 * Finds for each sent entry of a list the stored one that it follows, whose values in other locales
 * it keeps; undefined for a new entry. Entries have no ids, so it goes by what they say in the
 * locale: first equal ones, wherever they are, then the most similar ones of the same type. Those
 * that say nothing in the locale yet are matched last, with entries that are similar to none: these
 * are their translations.
 */
function matchEntries({ sent, stored, fieldsOf, code }: Lists): (JsonObject | undefined)[] {
  const candidates = stored.map((entry) => {
    const valuesOf = (chain: readonly string[]) =>
      valuesIn(fieldsOf(entry) ?? [], entry, { code, chain }).values
    const values = valuesOf([code])
    const isUntranslated = isSame(values, valuesOf([]))
    return { entry, text: JSON.stringify(values), words: wordsIn(values), isUntranslated, isMatched: false }
  })
  const matched = sent.map((entry) => {
    const text = JSON.stringify(entry)
    return match(candidates.find((candidate) => !candidate.isMatched && candidate.text === text))
  })
  const similar = sent.map((entry, index) => {
    const found = matched[index]
    if (found || !isJsonObject(entry)) return found
    const words = wordsIn(entry)
    const alike = ofSameType(entry, nearest(candidates, index))
      .map((candidate) => ({ candidate, likeness: likenessOf(words, candidate.words) }))
      .filter(({ likeness }) => likeness >= leastLikeness)
    const [best] = alike.toSorted((a, b) => b.likeness - a.likeness)
    return match(best?.candidate)
  })
  return sent.map((entry, index) => {
    const found = similar[index]
    if (found || !isJsonObject(entry)) return found
    const untranslated = ofSameType(entry, nearest(candidates, index))
    return match(untranslated.find(({ isUntranslated }) => isUntranslated))
  })
}

function ofSameType<C extends Candidate>(entry: JsonObject, candidates: readonly C[]): C[] {
  return candidates.filter(({ entry: other }) => other['type'] === entry['type'])
}

interface Candidate {
  readonly entry: JsonObject
  isMatched: boolean
}

/** The entries that are left nearest to an index. */
function nearest<C extends Candidate>(candidates: readonly C[], index: number): C[] {
  const found: C[] = []
  for (let distance = 0; distance < candidates.length && found.length < mostCompared; distance++) {
    const both = [candidates[index - distance], distance === 0 ? undefined : candidates[index + distance]]
    for (const candidate of both) if (candidate && !candidate.isMatched) found.push(candidate)
  }
  return found
}

function match(candidate: Candidate | undefined): JsonObject | undefined {
  if (candidate) candidate.isMatched = true
  return candidate?.entry
}

// The share of common words from which on an entry is an edited one and not a new one. At half, a
// new entry can get the translations of a removed one; at twice, a rewritten one loses its own.
const leastLikeness = 0.3

// Entries near the same index that one is compared with, so that long lists take linear time.
const mostCompared = 10

function wordsIn(value: JsonObject): ReadonlySet<string> {
  const { type: _, ...values } = value
  return new Set(
    JSON.stringify(values)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )
}

/** The share of words that two entries have in common (Dice). */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const total = one.size + other.size
  const common = [...one].filter((word) => other.has(word)).length
  return total === 0 ? 1 : (2 * common) / total
}
