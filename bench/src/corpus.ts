/** Word frequencies as in natural language: a few words occur often, most of them rarely. */
const vocabularySize = 50_000

/** Generates the texts of a corpus. The same seed gives the same texts on every machine. */
export interface Source {
  /** Returns a word. Frequent words are the most likely. */
  readonly word: () => string
  /** Returns an integer from 0 to `end` - 1. */
  readonly below: (end: number) => number
}

/** A note of a corpus: its words, and its location. */
export interface Note {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly fields: { readonly body: string; readonly topic: string; readonly price: number }
  readonly category: number
  readonly folder: number
}

/**
 * The numbers of categories, folders and topics. One category holds a fiftieth of the notes, one
 * folder a two-hundredth.
 */
export const parts = { categories: 50, folders: 200, topics: 20 } as const

/**
 * Creates a source. A linear congruential generator is random enough for words, and gives the same
 * numbers everywhere.
 */
export function createSource(seed: number): Source {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { below, word: () => vocabulary[Math.floor(vocabularySize ** next())] ?? '' }
}

/** Returns a note of about fifty words. */
export function noteAt(index: number, { word, below }: Source): Note {
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  return {
    name: words(4),
    slug: `note-${index}`,
    description: words(8),
    fields: {
      body: words(40),
      topic: `topic-${index % parts.topics}`,
      // Scattered, with hardly any duplicates.
      price: (index * 7919) % 1_000_003,
    },
    category: below(parts.categories),
    folder: below(parts.folders),
  }
}

/** Typical searches: words of every frequency, several words, prefixes and phrases. */
export function questions(count: number): string[] {
  const { word, below } = createSource(4711)
  const kinds = [
    () => word(),
    () => `${word()} ${word()}`,
    () => word().slice(0, 4),
    () => wordAt(1 + below(20)),
    () => `"${wordAt(1 + below(50))} ${wordAt(1 + below(50))}"`,
    () => `${wordAt(1 + below(50))} ${wordAt(1000 + below(10_000))}`,
    () => wordAt(100 + below(1000)),
  ]
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.() ?? '')
}

const letters = 'etaoinshrdlucmfwypvbgkjqxz'

const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordAt(rank))

/** The word of a frequency rank. Words are unique, and rarer ones are mostly longer. */
function wordAt(rank: number): string {
  let rest = Math.imul(rank + 7, 2_654_435_761) >>> 0
  const length = 3 + (rank % 6)
  const spelled = Array.from({ length }, () => {
    const letter = letters[rest % letters.length] ?? 'e'
    rest = (Math.imul(rest, 1_664_525) + 1_013_904_223) >>> 0
    return letter
  })
  return spelled.join('')
}
