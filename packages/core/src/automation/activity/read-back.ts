import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { JournalRow } from '../../ports/index.ts'

/** Entries that one call looks at. With twice as many the slowest calls take twice as long, with half of it pages of what is rare are shorter. */
const mostScanned = 10_000

const step = 250

/** An entry carries the time at which its call began, and no call takes an hour: so far the order of dates can be off. */
const slack = 60 * 60 * 1000

/** Which entries, from the newest back. */
export interface ReadBackOptions {
  readonly repositoryId: string
  readonly entityId?: string | undefined
  /** Only entries before this place. */
  readonly before?: number | undefined
  /** Unix ms from which on entries are wanted; older ones end the reading. */
  readonly since?: number | undefined
  readonly limit: number
}

/** What a page shows, and the place after it; null at the end. */
export interface VisiblePage<T> {
  readonly seen: readonly T[]
  readonly next: number | null
}

/** Entries back from the newest, as `show` has them; it leaves out with null. Looks at so many and no more: then a page is short and goes on. */
export async function readBack<T>(
  call: Call,
  { limit, since = 0, before, ...journal }: ReadBackOptions,
  serialize: (rows: readonly JournalRow[]) => Promise<readonly (T | null)[]>,
): Promise<VisiblePage<T>> {
  const yieldToLoop = yieldingToLoop()
  const seen: T[] = []
  let last = before
  for (let looked = 0; looked < mostScanned; looked += step) {
    const rows = await rowsBefore(call, { ...journal, before: last, limit: step })
    const values = await serialize(rows)
    for (const [index, { sequence }] of rows.entries()) {
      const value = values[index] ?? null
      if (value !== null && seen.length === limit) return { seen, next: last ?? null }
      if (value !== null) seen.push(value)
      last = sequence
    }
    if (rows.length < step || isBefore(rows.at(-1), since)) return { seen, next: null }
    await yieldToLoop()
  }
  return { seen, next: last ?? null }
}

function isBefore(row: JournalRow | undefined, since: number): boolean {
  return row !== undefined && isTooOld(row.date, since)
}

/** Whether whatever stands before an entry of this date is older than a time. */
export function isTooOld(date: number, since: number): boolean {
  return date < since - slack
}

/** The place before which all entries are that are older than a time: found by halves, so that what is newer costs next to nothing. */
export async function scopeBefore(
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
