const removed = Symbol('removed')

/** A map that can be layered over another: it is read through to, and written only at `commit`. */
export class Table<V> {
  readonly #base: Table<V> | null
  readonly #own = new Map<string, V | typeof removed>()

  constructor(base: Table<V> | null = null) {
    this.#base = base
  }

  /** Undefined when absent. */
  get(key: string): V | undefined {
    const own = this.#own.get(key)
    if (own === removed) return undefined
    return own ?? this.#base?.get(key)
  }

  set(key: string, value: V): void {
    this.#own.set(key, value)
  }

  delete(key: string): void {
    if (this.#base) this.#own.set(key, removed)
    else this.#own.delete(key)
  }

  /** All entries: those of the base in its order, then what was added. */
  *entries(): Generator<[string, V]> {
    for (const [key, value] of this.#base?.entries() ?? []) if (!this.#own.has(key)) yield [key, value]
    for (const [key, value] of this.#own) if (value !== removed) yield [key, value]
  }

  *keys(): Generator<string> {
    for (const [key] of this.entries()) yield key
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value
  }

  /** Writes what this layer holds into its base. */
  commit(): void {
    for (const [key, value] of this.#own) {
      if (value === removed) this.#base?.delete(key)
      else this.#base?.set(key, value)
    }
  }
}
