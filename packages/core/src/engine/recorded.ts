import type { Entity, JournalEntry } from '../ports/index.ts'

/** What a transaction has recorded, without anything that was rolled back. */
export interface Recorded {
  readonly entries: JournalEntry[]
  /** The head of the last record that came with one; null: none did. */
  head: Entity | null
  /** Functions to run after the commit, each once. */
  readonly after: Set<() => void>
  /** Cache tags of public answers that change, by repository. */
  readonly purged: Map<string, Set<string>>
}

/** What a new transaction has recorded. */
export function nothingRecorded(): Recorded {
  return { entries: [], head: null, after: new Set(), purged: new Map() }
}

/** Whether the end of the transaction has something to do. */
export function isWorthDelivering({ entries, purged }: Recorded): boolean {
  return entries.length > 0 || purged.size > 0
}

/** Adds what a savepoint has recorded to its transaction. */
export function addRecorded(outer: Recorded, own: Recorded): void {
  outer.entries.push(...own.entries)
  outer.head = own.head
  for (const run of own.after) outer.after.add(run)
  for (const [repositoryId, tags] of own.purged) addPurged(outer, repositoryId, tags)
}

/** Adds cache tags of a repository. */
export function addPurged({ purged }: Recorded, repositoryId: string, tags: Iterable<string>): void {
  const known = purged.get(repositoryId) ?? new Set()
  for (const tag of tags) known.add(tag)
  if (known.size > 0) purged.set(repositoryId, known)
}
