/**
 * Tells which records something was computed from: a number that is drawn anew with every write of a record and every commit of
 * one, so that no two states of the records share one, not even a state that was undone.
 */
export class Generation {
  readonly #base: Generation | null
  /** The last number drawn by anybody; the outermost generation keeps it. */
  #last = 1
  #current: number | null = null

  constructor(base: Generation | null = null) {
    this.#base = base
  }

  current(): number {
    return this.#current ?? this.#base?.current() ?? 1
  }

  /** A record was written in this layer. */
  advance(): void {
    this.#current = this.#draw()
  }

  /** What was seen inside a transaction is never seen outside; what was seen in a nested one may be seen in its outer one. */
  commit(): void {
    if (this.#base === null || this.#current === null) return
    this.#base.#current = this.#base.#base === null ? this.#draw() : this.#current
  }

  #draw(): number {
    if (this.#base) return this.#base.#draw()
    this.#last += 1
    return this.#last
  }
}
