import type {
  Entity,
  EntityMoment,
  EntityVersion,
  EntityWrite,
  JournalRow,
  Line,
  RecordKind,
  Stored,
} from '../ports/index.ts'
import { Table } from './table.ts'

/** What each table holds, by the first word of its name. */
interface Tables {
  heads: EntityWrite
  versions: EntityVersion
  moments: EntityMoment
  slugs: string
  records: Stored<RecordKind>
  keys: string
  journal: JournalRow
  ephemera: { readonly value: string; readonly expires: number }
  counters: number
}

/** All that a store holds, or a layer over it. */
export class State {
  readonly #base: State | null
  readonly #tables = new Map<string, Table<unknown>>()

  constructor(base: State | null = null) {
    this.#base = base
  }

  /** The table of a kind of thing; `scope` tells tables of one kind apart. Made when first asked for. */
  table<K extends keyof Tables>(kind: K, scope = ''): Table<Tables[K]> {
    const name = `${kind} ${scope}`
    const present = this.#tables.get(name)
    // A table is only ever made here, for its own kind.
    if (present) return present as Table<Tables[K]>
    const table = new Table<Tables[K]>(this.#base?.table(kind, scope) ?? null)
    this.#tables.set(name, table)
    return table
  }

  /** A layer over this state: writes stay in it until `commit`. */
  layer(): State {
    return new State(this)
  }

  /** Writes what this layer holds into the state below. */
  commit(): void {
    for (const table of this.#tables.values()) table.commit()
  }
}

/** The scope of what a line holds. */
export function lineScope({ repositoryId, packageId }: Line): string {
  return packageId === null ? repositoryId : `${repositoryId} ${packageId}`
}

/** The main line of the same repository. */
export function mainOf({ repositoryId }: Line): Line {
  return { repositoryId, packageId: null }
}

/** The line that a head is on. */
export function lineOf({ repositoryId, packageId }: Entity): Line {
  return { repositoryId, packageId }
}
