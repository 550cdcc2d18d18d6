import type { SoughtSlug, StoredJson } from '@quire/core/ports'
import { LRUCache } from 'lru-cache'
import { headOf, type JsonRow } from './head-row.ts'

/** How a live head is named in its branch. */
export interface SlugRef {
  readonly branch: number
  readonly kind: string
  readonly slug: string
}

/**
 * Caches committed live heads as they are sent, until they are written. Only for stores whose writes
 * all go through this process.
 */
export interface HeadCache {
  get(head: number): StoredJson | undefined
  /**
   * The live head with a slug; undefined if it is not in the cache. Its JSON may be empty if the caller
   * has the text.
   */
  bySlug(ref: SlugRef, hasText?: SoughtSlug['hasText']): StoredJson | undefined
  put(row: readonly [...JsonRow, ...unknown[]], stored: StoredJson): void
  /** Grows with every written head. What was read before a write must not be put in the cache. */
  changes(): number
  /** Whether any of some heads was written since there were so many changes, as far as it is known. */
  changedSince(changes: number, heads: readonly number[]): boolean
  /** Call for each written or deleted head, in the tick of its commit. */
  forget(head: number): void
}

interface CachedHead {
  /** Null for a head without a slug. */
  readonly key: string | null
  readonly stored: StoredJson
}

// Characters: about ten thousand items of 3 KB. At half, reads spread over as many items take a third
// longer, because SQLite reads most of them from its pages.
const mostText = 32_000_000

// The other members of a head, in characters.
const othersLength = 600

// Heads without their JSON: 12 MB. They are for readers who have the texts in another form, a third as
// long: ten thousand items in five languages are read in one of them.
const mostBare = 20_000

// Heads whose last change is known: 1 MB. A search that runs longer than as many changes is run again.
const mostChanged = 10_000

export function createHeadCache(): HeadCache {
  /** The number of the last change of a head, the earliest first. */
  const changed = new Map<number, number>()
  const headsBySlug = new Map<string, number>()
  const forgetSlug = ({ key }: CachedHead) => {
    if (key !== null) headsBySlug.delete(key)
  }
  const bare = new LRUCache<number, CachedHead>({
    maxSize: mostBare,
    sizeCalculation: () => 1,
    dispose: (held, _head, reason) => {
      if (reason === 'evict') forgetSlug(held)
    },
  })
  const cached = new LRUCache<number, CachedHead>({
    maxSize: mostText,
    sizeCalculation: ({ stored }) => stored.json.length + othersLength,
    dispose: (held, head, reason) => {
      if (reason === 'evict' && held.key !== null)
        bare.set(head, { ...held, stored: { ...held.stored, json: '' } })
      else forgetSlug(held)
    },
  })
  let changes = 0
  return {
    get: (head) => cached.get(head)?.stored,
    bySlug(ref, hasText) {
      const head = headsBySlug.get(keyOf(ref))
      if (head === undefined) return undefined
      const whole = cached.get(head)
      const { stored } = whole ?? bare.get(head) ?? {}
      const isKnown = stored !== undefined && hasText?.(stored) === true
      return whole || isKnown ? stored : undefined
    },
    put(row, stored) {
      if (stored.deletedDate !== null) return
      const [branch, kind] = row
      const slug = row[11]
      const head = headOf(row)
      const key = slug === null ? null : keyOf({ branch, kind, slug })
      bare.delete(head)
      cached.set(head, { key, stored })
      if (key !== null) headsBySlug.set(key, head)
    },
    changes: () => changes,
    changedSince: (before, heads) =>
      changes - before > mostChanged || heads.some((head) => (changed.get(head) ?? 0) > before),
    forget(head) {
      changes += 1
      changed.delete(head)
      changed.set(head, changes)
      const [earliest] = changed.keys()
      if (changed.size > mostChanged && earliest !== undefined) changed.delete(earliest)
      const held = bare.get(head)
      if (held) forgetSlug(held)
      bare.delete(head)
      cached.delete(head)
    },
  }
}

function keyOf({ branch, kind, slug }: SlugRef): string {
  return `${branch} ${kind} ${slug}`
}
