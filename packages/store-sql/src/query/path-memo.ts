import type { EntityKind } from '@quire/core/ports'

/** The live heads of one branch and kind, of some types or (null) of all. */
export interface HeadSet {
  readonly branch: number
  readonly kind: EntityKind
  readonly types: readonly string[] | null
}

/** A live head that was written, with the paths it has values for. */
export interface WrittenPaths {
  readonly branch: number
  readonly kind: EntityKind
  readonly type: string
  readonly paths: ReadonlySet<string>
}

/**
 * Remembers of which sets every head has a row for a path. Where that holds, a sort by the path walks its values in order, instead of
 * sorting all heads because some might have none. To find it out costs a look at every head once; a write only ends it
 * when it lacks the path.
 */
export interface PathMemo {
  /** Undefined when it is not known. */
  recall(set: HeadSet, path: string): boolean | undefined
  retain(set: HeadSet, path: string, complete: boolean): void
  /** Takes note of what was committed. */
  add(written: WrittenPaths): void
  /** Grows with every note: an answer that was read before one of them is not kept. */
  changes(): number
}

interface Answer {
  readonly set: HeadSet
  readonly path: string
  readonly complete: boolean
}

/** How many answers are kept; all are forgotten when there are more, and found out again. One takes some 300 bytes. */
const MOST_ANSWERS = 1_000

/** Opens an empty memory. */
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

/** What lacked rows may have them all now; what had them all may have a head without. */
function isEnded({ set, path, complete }: Answer, { branch, kind, type, paths }: WrittenPaths): boolean {
  if (set.branch !== branch || set.kind !== kind) return false
  if (!complete) return true
  return (set.types === null || set.types.includes(type)) && !paths.has(path)
}
