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

/** All that a store holds, or a layer over it. */
export type State = {
  /** By the scope of branch and kind, then id. */
  readonly heads: Table<Head>
  /** The heads that were softly deleted, in one scope. */
  readonly deleted: Table<DeletedRef>
  /** Ids of live heads, by the scope of branch and kind, then slug. */
  readonly slugs: Table<string>
  /** Who points at a target, by the scope of branch and target. */
  readonly sources: Table<EntityRef>
  /** What is under the numbers of the search index, by repository, then number: in their order. */
  readonly positions: Table<IndexedPosition>
  /** The last number of the search index that was given out. */
  readonly lastRow: Table<number>
  /** The texts of files, in one scope, by the hash of the file. */
  readonly texts: Table<string>
  /** The versions of main that packages rest on, by kind and id, then package. */
  readonly bases: Table<readonly (number | null)[]>
  /** By the scope of branch and entity, then number. */
  readonly versions: Table<EntityVersion>
  /** The blobs that a version needs, in one scope, by the version's scope and number. */
  readonly blobs: Table<readonly string[]>
  /** What a version was charged for files, in one scope, as `blobs`. */
  readonly fileBytes: Table<number>
  /** The branches that hold an item and are charged, by repository and id, then package. */
  readonly itemBranches: Table<true>
  /** By the scope of branch and entity, then Unix ms. */
  readonly moments: Table<EntityMoment>
  /** By kind, then id. */
  readonly records: Table<Stored<RecordKind>>
  /** Ids of records, by kind, then unique key. */
  readonly recordIds: Table<string>
  readonly generation: Generation
  readonly journal: JournalRows
  /** In one scope, by id. */
  readonly jobs: Table<Job>
  /** Ids of jobs that have not ended, in one scope, by key. */
  readonly jobIds: Table<string>
  readonly ephemera: Table<Ephemeral>
  /** The lowest has what is kept in all. */
  readonly usage: UsageChanges
}

/** An expiring value; a count is its digits. */
export interface Ephemeral {
  readonly value: string
  /** Unix ms. */
  readonly expires: number
}

/** Gives the state to read and write now. Errors: StoreUnavailable when it is no longer there. */
export type OpenState = () => State

/** An empty state, or a layer over `base`: writes stay in it until they are committed. */
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

/** Writes what a layer holds into the state below, all at once: nothing is awaited. */
export function commitState(layer: State): void {
  for (const part of Object.values(layer)) part.commit()
}

/**
 * Tells which records something was computed from: a number that is drawn anew with every write of a record and every commit of
 * one, so that no two states of the records share one, not even a state that was undone.
 */
class Generation {
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

const removed = Symbol('removed')

/**
 * Values by key, in scopes, that can be layered over another table: it is read through to, and written only at `commit`, so that
 * a layer costs what it changes.
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

  /** The values of all scopes. */
  *all(): Generator<V> {
    for (const scope of this.#scopes()) yield* this.values(scope)
  }

  #scopes(): ReadonlySet<string> {
    const below = this.#base ? this.#base.#scopes() : []
    return new Set([...below, ...this.#own.keys()])
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

/** Rows in the order of their sequences, layered as tables are. */
class JournalRows {
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
