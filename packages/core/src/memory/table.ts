const removed = Symbol('removed')

/**
 * Values by key, in scopes, that can be layered over another table: it is read through to, and written only at `commit`, so that
 * a layer costs what it changes.
 */
export class Table<V> {
  readonly #base: Table<V> | null
  readonly #own = new Map<string, Map<string, V | typeof removed>>()

  constructor(base: Table<V> | null = null) {
    this.#base = base
  }

  /** Undefined when absent. */
  get(scope: string, key: string): V | undefined {
    const own = this.#own.get(scope)?.get(key)
    if (own === removed) return undefined
    return own ?? this.#base?.get(scope, key)
  }

  set(scope: string, key: string, value: V): void {
    this.#write(scope, key, value)
  }

  /** Absent is no error. */
  delete(scope: string, key: string): void {
    if (this.#base) this.#write(scope, key, removed)
    else this.#drop(scope, key)
  }

  /** Removes a whole scope. */
  clear(scope: string): void {
    for (const [key] of this.entries(scope)) this.delete(scope, key)
  }

  /** All entries of a scope: those of the base in its order, then what was added. */
  *entries(scope: string): Generator<[string, V]> {
    const own = this.#own.get(scope)
    for (const entry of this.#base?.entries(scope) ?? []) if (!own?.has(entry[0])) yield entry
    for (const [key, value] of own ?? []) if (value !== removed) yield [key, value]
  }

  *values(scope: string): Generator<V> {
    for (const [, value] of this.entries(scope)) yield value
  }

  /** Writes what this layer holds into its base. */
  commit(): void {
    for (const [scope, entries] of this.#own) {
      for (const [key, value] of entries) {
        if (value === removed) this.#base?.delete(scope, key)
        else this.#base?.set(scope, key, value)
      }
    }
  }

  #write(scope: string, key: string, value: V | typeof removed): void {
    const entries = this.#own.get(scope)
    if (entries) entries.set(key, value)
    else this.#own.set(scope, new Map([[key, value]]))
  }

  #drop(scope: string, key: string): void {
    const entries = this.#own.get(scope)
    entries?.delete(key)
    if (entries?.size === 0) this.#own.delete(scope)
  }
}
