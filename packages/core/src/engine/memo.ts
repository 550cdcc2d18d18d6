import type { RecordReader } from '../ports/index.ts'

/**
 * Keeps what was computed from records for as long as no record changes. Everything is dropped at the first change:
 * records change rarely and are read with every call.
 */
export interface Memo {
  /** The kept value, or what `compute` gives. A failing computation is not kept. */
  get<T>(records: RecordReader, key: string, compute: () => Promise<T>): Promise<T>
}

// At most this many values: one for each account and repository in use. Past it the memo starts anew.
const capacity = 10_000

/** An empty memo, for the committed records of one store. */
export function createMemo(): Memo {
  let generation = -1
  const values = new Map<string, Promise<unknown>>()
  const forget = (records: RecordReader) => {
    if (records.generation() === generation && values.size < capacity) return
    generation = records.generation()
    values.clear()
  }
  return {
    get<T>(records: RecordReader, key: string, compute: () => Promise<T>): Promise<T> {
      forget(records)
      // Each key belongs to one caller of get, which always computes the same type for it.
      const stored = values.get(key) as Promise<T> | undefined
      if (stored) return stored
      const computed = compute()
      values.set(key, computed)
      computed.catch(() => values.delete(key))
      return computed
    },
  }
}
