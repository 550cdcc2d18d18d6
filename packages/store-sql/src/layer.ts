import type { PathMemo, WrittenPaths } from './query/path-memo.ts'
import type { LineTable } from './lines.ts'
import { createLineTable } from './lines.ts'
import { type RecordCache, type RecordLayer, createRecordLayer } from './records/record-cache.ts'

/** What is known in memory of what was committed. */
export interface Committed {
  readonly lines: LineTable
  readonly records: RecordCache
  readonly written: PathMemo
}

/** What a transaction wrote and memory must know, over what holds outside of it. */
export interface Layer {
  readonly lines: LineTable
  readonly records: RecordLayer
  readonly written: { add(written: WrittenPaths): void }
  /** How many live heads were written and kept so far. */
  heads(): number
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
  /** Ends the layer and gives what it holds to the one below. */
  settle(): void
  /** Ends the layer and forgets what it holds. */
  drop(): void
}

/** Opens a layer over another or over what was committed. */
export function createLayer(under: Layer | Committed): Layer {
  const lines = createLineTable(under.lines)
  const records = createRecordLayer(under.records)
  const written: WrittenPaths[] = []
  let open = true
  return {
    lines,
    records,
    written: { add: (one) => void written.push(one) },
    heads: () => written.length,
    requireOpen() {
      if (!open)
        throw new TypeError('This transaction has ended: await everything it does inside its function.')
    },
    settle() {
      open = false
      lines.moveTo(under.lines)
      records.moveTo(under.records)
      for (const one of written) under.written.add(one)
    },
    drop() {
      open = false
    },
  }
}
