import { LRUCache } from 'lru-cache'
import type { Serialized } from './answer.ts'
import type { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Attributes } from './trace.ts'

/** An answer with what it depends on. */
export interface KnownAnswer {
  readonly answer: Serialized<unknown>
  readonly tags: AnswerTags
  /** Where the call worked, for its trace. */
  readonly attributes: Attributes
}

/** Recent answers, each valid until the next commit. They may be lost at any time. */
export interface AnswerMemo {
  /** The answers that were made since a commit, by key. */
  since(commits: number): LRUCache<string, KnownAnswer>
  /** A number that stands for an object as long as it lives. */
  numberOf(object: object): number
}

// Bytes, more or less. At half, a site whose pages need more than 8 MB of answers computes some of
// them anew.
const mostBytes = 16_000_000

// Bytes of one answer: a longer one would displace many others, and takes its time to send anyway.
const longest = 1_000_000

// Bytes of an answer besides its text, and of each id that it depends on (both measured). An answer may
// depend on many more ids than it shows: on items that the caller may not read, for example.
const ownBytes = 1000
const bytesOfId = 100

/** An empty memo for the committed data of one store. */
export function createAnswerMemo(): AnswerMemo {
  const answers = new LRUCache<string, KnownAnswer>({
    maxSize: mostBytes,
    maxEntrySize: longest,
    sizeCalculation: ({ answer, tags }, key) =>
      answer.text.length + key.length + tags.size * bytesOfId + ownBytes,
  })
  const numbers = new WeakMap<object, number>()
  let of = -1
  let last = 0
  return {
    since(commits) {
      if (of !== commits) answers.clear()
      of = commits
      return answers
    },
    numberOf(object) {
      const number = numbers.get(object) ?? ++last
      numbers.set(object, number)
      return number
    },
  }
}
