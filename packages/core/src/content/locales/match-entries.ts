import type { Field } from '@quire/contract'
import type { Json, JsonObject } from '../../ports/index.ts'
import { isJsonObject } from '../../ports/index.ts'
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
 * locale: first equal ones, wherever they are, then the most similar ones of the same type.
 */
export function matchEntries({ sent, stored, fieldsOf, code }: Lists): (JsonObject | undefined)[] {
  const view = { code, chain: [code] }
  const candidates = stored.map((entry, index) => {
    const { values } = valuesIn(fieldsOf(entry) ?? [], entry, view)
    return { entry, index, text: JSON.stringify(values), words: wordsIn(values), isMatched: false }
  })
  const matched = sent.map((entry) => {
    const text = JSON.stringify(entry)
    return match(candidates.find((candidate) => !candidate.isMatched && candidate.text === text))
  })
  return sent.map((entry, index) => {
    const found = matched[index]
    if (found || !isJsonObject(entry)) return found
    const words = wordsIn(entry)
    const similar = candidates
      .filter(({ isMatched, entry: other }) => !isMatched && other['type'] === entry['type'])
      .toSorted((a, b) => Math.abs(a.index - index) - Math.abs(b.index - index))
      .slice(0, mostCompared)
      .map((candidate) => ({ candidate, likeness: likenessOf(words, candidate.words) }))
      .filter(({ likeness }) => likeness >= leastLikeness)
    const [best] = similar.toSorted((a, b) => b.likeness - a.likeness)
    return match(best?.candidate)
  })
}

interface Candidate {
  readonly entry: JsonObject
  isMatched: boolean
}

function match(candidate: Candidate | undefined): JsonObject | undefined {
  if (candidate) candidate.isMatched = true
  return candidate?.entry
}

// The share of common words from which on an entry is an edited one and not a new one. At half, a
// new entry can get the translations of a removed one; at twice, a rewritten one loses its own.
const leastLikeness = 0.3

// Entries near the same index that one is compared with, so that long lists take linear time.
const mostCompared = 32

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
