import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { JournalRow } from '../../ports/index.ts'

/**
 * Entries that one call scans at most. At twice, the slowest calls take twice as long; at half,
 * pages of rare entries are shorter.
 */
const mostScanned = 10_000

const step = 250

/**
 * By how many milliseconds the dates of entries may be out of order: an entry carries the time at
 * which its call began, and no call takes an hour.
 */
const slack = 60 * 60 * 1000

export interface ReadBackOptions {
  readonly repositoryId: string
  readonly entityId?: string | undefined
  /** Only entries with a lower sequence. */
  readonly before?: number | undefined
  /**
   * Unix ms of the oldest requested entry. Reading stops at older entries, but does not filter them
   * out.
   */
  readonly since?: number | undefined
  /** Values on a page, at most. */
  readonly limit: number
}

export interface VisiblePage<T> {
  readonly values: readonly T[]
  /** The sequence before which the next page begins; null after the last page. */
  readonly next: number | null
}

/**
 * Reads entries from the newest back and returns them as `serialize` does; it returns null for each
 * entry to leave out. Scans a limited number of entries, so that a page can be short although more
 * pages follow.
 */
export async function readBack<T>(
  call: Call,
  { limit, since = 0, before, ...journal }: ReadBackOptions,
  serialize: (rows: readonly JournalRow[]) => Promise<readonly (T | null)[]>,
): Promise<VisiblePage<T>> {
  const yieldToLoop = yieldingToLoop()
  const values: T[] = []
  let last = before
  for (let scanned = 0; scanned < mostScanned; scanned += step) {
    const rows = await rowsBefore(call, { ...journal, before: last, limit: step })
    const serialized = await serialize(rows)
    for (const [index, { sequence }] of rows.entries()) {
      const value = serialized[index] ?? null
      if (value !== null && values.length === limit) return { values, next: last ?? null }
      if (value !== null) values.push(value)
      last = sequence
    }
    if (isLast(rows, since)) return { values, next: null }
    await yieldToLoop()
  }
  return { values, next: last ?? null }
}

/** Whether no visible row comes after these. */
function isLast(rows: readonly JournalRow[], since: number): boolean {
  return rows.length < step || isTooOld(rows.at(-1)?.date ?? 0, since)
}

/** Whether all entries before an entry of this date are older than `since`. */
export function isTooOld(date: number, since: number): boolean {
  return date < since - slack
}

/**
 * A sequence before which all entries older than `until` are; undefined for an empty log. Cost: a
 * binary search, so that newer entries cost next to nothing.
 */
export async function findSequence(
  call: Call,
  { repositoryId, until }: { repositoryId: string; until: number },
): Promise<number | undefined> {
  const [newest] = await rowsBefore(call, { repositoryId, limit: 1 })
  if (!newest) return undefined
  let low = 0
  let high = newest.sequence + 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [row] = await rowsBefore(call, { repositoryId, before: middle, limit: 1 })
    if (!row || row.date < until + slack) low = middle
    else high = row.sequence
  }
  return high
}

function rowsBefore(
  call: Call,
  { repositoryId, entityId, before, limit }: Omit<ReadBackOptions, 'since'>,
): Promise<readonly JournalRow[]> {
  return call.store.journal.readBack({
    repositoryId,
    limit,
    ...(entityId !== undefined && { entityId }),
    ...(before !== undefined && { before }),
  })
}
