import type { Field } from '@quire/contract'
import type { Json, JsonObject } from '../../ports/index.ts'
import { isJsonObject } from '../../ports/index.ts'
import { isSame } from '../../engine/same.ts'
import { valuesIn } from './read.ts'

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
export function matchEntries({ sent, stored, fieldsOf, code }: Lists): (JsonObject | undefined)[] {
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
