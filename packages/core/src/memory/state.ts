import { dateInOrder } from '../adapters/journal-dates.ts'
import { UsageChanges } from '../adapters/usage.ts'
import type { Head } from './head.ts'
import type { IndexedPosition } from './indexed.ts'
import type {
  DeletedRef,
  EntityMoment,
  EntityRef,
  EntityVersion,
  Job,
  RecordKind,
  Stored,
  JournalRow,
  JournalEntry,
} from '../ports/index.ts'

/** Everything that a store holds, or a layer over it. */
export type State = {
  /** By branch and kind, then id. */
  readonly heads: Table<Head>
  /** The soft-deleted heads, in one scope. */
  readonly deleted: Table<DeletedRef>
  /** Ids of live heads, by branch and kind, then slug. */
  readonly slugs: Table<string>
  /** The entities that point at a target, by branch and target. */
  readonly sources: Table<EntityRef>
  /** What each number of the search index stands for, by repository, then number, in order. */
  readonly positions: Table<IndexedPosition>
  /** The last number of the search index that was assigned. */
  readonly lastRow: Table<number>
  /** The texts of files, in one scope, by file hash. */
  readonly texts: Table<string>
  /** The versions of main that packages depend on, by kind and id, then package. */
  readonly bases: Table<readonly (number | null)[]>
  /** By branch and entity, then version number. */
  readonly versions: Table<EntityVersion>
  /** The blobs that a version needs, in one scope, by the version's branch, entity and number. */
  readonly blobs: Table<readonly string[]>
  /** The bytes that a version was charged for files, with the same keys as `blobs`. */
  readonly fileBytes: Table<number>
  /** The charged branches that hold an item, by repository and id, then package. */
  readonly itemBranches: Table<true>
  /** By branch and entity, then Unix ms. */
  readonly moments: Table<EntityMoment>
  /** By kind, then id. */
  readonly records: Table<Stored<RecordKind>>
  /** Ids of records, by kind, then unique key. */
  readonly recordIds: Table<string>
  readonly generation: Generation
  readonly journal: JournalRows
  /** In one scope, by id. */
  readonly jobs: Table<Job>
  /** Ids of unfinished jobs, in one scope, by key. */
  readonly jobIds: Table<string>
  readonly ephemera: Table<Ephemeral>
  /** The lowest layer holds the committed usage. */
  readonly usage: UsageChanges
}

/** An expiring value; a count is stored as its digits. */
export interface Ephemeral {
  readonly value: string
  /** Unix ms. */
  readonly expires: number
}

/** Returns the current state. Errors: StoreUnavailable when it is no longer available. */
export type OpenState = () => State

/** An empty state, or a layer over `base` that holds its writes until they are committed. */
export function newState(base?: State): State {
  return {
    ...entitiesOver(base),
    ...pastOver(base),
    records: new Table(base?.records),
    recordIds: new Table(base?.recordIds),
    generation: new Generation(base?.generation),
    journal: new JournalRows(base?.journal),
    jobs: new Table(base?.jobs),
    jobIds: new Table(base?.jobIds),
    ephemera: new Table(base?.ephemera),
    usage: new UsageChanges(base?.usage),
  }
}

function entitiesOver(base?: State) {
  return {
    heads: new Table(base?.heads),
    deleted: new Table(base?.deleted),
    slugs: new Table(base?.slugs),
    sources: new Table(base?.sources),
    positions: new Table(base?.positions),
    lastRow: new Table(base?.lastRow),
    texts: new Table(base?.texts),
    bases: new Table(base?.bases),
  }
}

function pastOver(base?: State) {
  return {
    versions: new Table(base?.versions),
    blobs: new Table(base?.blobs),
    fileBytes: new Table(base?.fileBytes),
    itemBranches: new Table(base?.itemBranches),
    moments: new Table(base?.moments),
  }
}

/** Writes the contents of a layer into the state below, synchronously. */
export function commitState(layer: State): void {
  for (const part of Object.values(layer)) part.commit()
}

/**
 * Identifies a state of the records: a new number is drawn with every write and every commit of a
 * record, so that no two states share one, not even a state that was rolled back.
 */
class Generation {
  readonly #base: Generation | null
  /** The last number drawn by any layer; stored in the lowest one. */
  #last = 1
  #current: number | null = null

  constructor(base: Generation | null = null) {
    this.#base = base
  }

  current(): number {
    return this.#current ?? this.#base?.current() ?? 1
  }

  /** Called when a record was written in this layer. */
  advance(): void {
    this.#current = this.#draw()
  }

  /**
   * A number seen inside a transaction is never seen outside it. One seen in a nested transaction
   * may be seen in its outer transaction.
   */
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

const removed = Symbol('removed')

/**
 * Values by scope and key, layered over another table. Reads fall through to the base; writes reach
 * it only at `commit`, so a layer costs only what it changes.
 */
class Table<V> {
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

  /** Absent is not an error. */
  delete(scope: string, key: string): void {
    if (this.#base) this.#write(scope, key, removed)
    else this.#drop(scope, key)
  }

  /** Removes a whole scope. */
  clear(scope: string): void {
    for (const [key] of this.entries(scope)) this.delete(scope, key)
  }

  /** All entries of a scope: those of the base in its order, then those that this layer added. */
  *entries(scope: string): Generator<[string, V]> {
    const own = this.#own.get(scope)
    for (const entry of this.#base?.entries(scope) ?? []) if (!own?.has(entry[0])) yield entry
    for (const [key, value] of own ?? []) if (value !== removed) yield [key, value]
  }

  *values(scope: string): Generator<V> {
    for (const [, value] of this.entries(scope)) yield value
  }

  /** The values of all scopes. */
  *all(): Generator<V> {
    for (const scope of this.#scopes()) yield* this.values(scope)
  }

  #scopes(): ReadonlySet<string> {
    const below = this.#base ? this.#base.#scopes() : []
    return new Set([...below, ...this.#own.keys()])
  }

  /** Writes the contents of this layer into its base. */
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

/** Rows in the order of their sequence numbers, layered like tables. */
class JournalRows {
  readonly #base: JournalRows | null
  readonly #own: JournalRow[] = []
  /** The last sequence assigned, including rolled-back ones; stored in the lowest layer. */
  #last = 0

  constructor(base: JournalRows | null = null) {
    this.#base = base
  }

  append(entry: JournalEntry): void {
    const [newest] = this.before(Number.POSITIVE_INFINITY)
    const date = dateInOrder(entry.date, newest?.date ?? 0)
    this.#own.push({ ...entry, date, sequence: this.#draw() })
  }

  /** Rows with a sequence above `sequence`, in order. */
  *after(sequence: number): Generator<JournalRow> {
    if (this.#base) yield* this.#base.after(sequence)
    for (let index = firstAbove(this.#own, sequence); index < this.#own.length; index += 1) {
      const row = this.#own[index]
      if (row) yield row
    }
  }

  /** Rows with a sequence below `sequence`, newest first. */
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

/** Binary search: whoever follows the journal reads its end, and that must not cost its length. */
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
