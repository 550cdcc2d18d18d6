import type { EntityKind } from '@quire/core/ports'

/** The live heads of one branch and kind, of some types or, if null, of all. */
export interface HeadSet {
  readonly branch: number
  readonly kind: EntityKind
  readonly types: readonly string[] | null
}

/** A written live head, with the paths that it has values for. */
export interface WrittenPaths {
  readonly branch: number
  readonly kind: EntityKind
  readonly type: string
  readonly paths: ReadonlySet<string>
}

/**
 * Remembers in which sets every head has a row for a path. For these, a sort by the path walks its
 * values in order, instead of sorting all heads because some might have no value. Finding out reads
 * every head once. A write ends it only when the written head lacks the path.
 */
export interface PathMemo {
  /** Undefined when unknown. */
  recall(set: HeadSet, path: string): boolean | undefined
  retain(set: HeadSet, path: string, complete: boolean): void
  /** Records a committed write. */
  add(written: WrittenPaths): void
  /** Grows with every write. An answer that was read before a write must not be stored. */
  changes(): number
}

interface Answer {
  readonly set: HeadSet
  readonly path: string
  readonly complete: boolean
}

/** Answers in the cache, some 300 bytes each. The cache is cleared when it is full. */
const MOST_ANSWERS = 1_000

export function createPathMemo(): PathMemo {
  const answers = new Map<string, Answer>()
  let changes = 0
  return {
    recall: (set, path) => answers.get(keyOf(set, path))?.complete,
    retain(set, path, complete) {
      if (answers.size >= MOST_ANSWERS) answers.clear()
      answers.set(keyOf(set, path), { set, path, complete })
    },
    add(written) {
      changes += 1
      for (const [key, answer] of answers) if (isEnded(answer, written)) answers.delete(key)
    },
    changes: () => changes,
  }
}

function keyOf({ branch, kind, types }: HeadSet, path: string): string {
  return JSON.stringify([branch, kind, path, types?.toSorted() ?? null])
}

/** A set that lacked rows may be complete now; a complete one may have a head without a row. */
function isEnded({ set, path, complete }: Answer, { branch, kind, type, paths }: WrittenPaths): boolean {
  if (set.branch !== branch || set.kind !== kind) return false
  if (!complete) return true
  return (set.types === null || set.types.includes(type)) && !paths.has(path)
}
