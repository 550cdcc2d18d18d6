import type { JournalRow, JournalEntry } from '../ports/index.ts'

/** Rows in the order of their sequences, layered as tables are. */
export class JournalRows {
  readonly #base: JournalRows | null
  readonly #own: JournalRow[] = []
  /** The last sequence given out, also to what was undone since; the outermost keeps it. */
  #last = 0

  constructor(base: JournalRows | null = null) {
    this.#base = base
  }

  append(entry: JournalEntry): void {
    this.#own.push({ ...entry, sequence: this.#draw() })
  }

  /** Rows whose sequence is above `sequence`, in order. */
  *after(sequence: number): Generator<JournalRow> {
    if (this.#base) yield* this.#base.after(sequence)
    for (let index = firstAbove(this.#own, sequence); index < this.#own.length; index += 1) {
      const row = this.#own[index]
      if (row) yield row
    }
  }

  /** Rows whose sequence is below `sequence`, the newest first. */
  *before(sequence: number): Generator<JournalRow> {
    for (let index = firstAbove(this.#own, sequence - 1) - 1; index >= 0; index -= 1) {
      const row = this.#own[index]
      if (row) yield row
    }
    if (this.#base) yield* this.#base.before(sequence)
  }

  commit(): void {
    if (this.#base) for (const row of this.#own) this.#base.#own.push(row)
  }

  #draw(): number {
    if (this.#base) return this.#base.#draw()
    this.#last += 1
    return this.#last
  }
}

/** By halves: who follows the journal reads its end, which must not cost its length. */
function firstAbove(rows: readonly JournalRow[], sequence: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.sequence ?? 0) <= sequence) low = middle + 1
    else high = middle
  }
  return low
}
