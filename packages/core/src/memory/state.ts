import type {
  DeletedRef,
  EntityMoment,
  EntityRef,
  EntityVersion,
  Job,
  RecordKind,
  Stored,
} from '../ports/index.ts'
import { Generation } from './generation.ts'
import type { Head } from './head.ts'
import type { IndexedPlace } from './indexed.ts'
import { JournalRows } from './journal-rows.ts'
import { Table } from './table.ts'

/** All that a store holds, or a layer over it. */
export type State = {
  /** By the scope of line and kind, then id. */
  readonly heads: Table<Head>
  /** The heads that were softly deleted, in one scope. */
  readonly deleted: Table<DeletedRef>
  /** Ids of live heads, by the scope of line and kind, then slug. */
  readonly slugs: Table<string>
  /** Who points at a target, by the scope of line and target. */
  readonly sources: Table<EntityRef>
  /** What is under the numbers of the search index, by repository, then number: in their order. */
  readonly places: Table<IndexedPlace>
  /** The last number of the search index that was given out. */
  readonly lastRow: Table<number>
  /** The texts of files, in one scope, by the hash of the file. */
  readonly texts: Table<string>
  /** The versions of main that packages rest on, by kind and id, then package. */
  readonly bases: Table<readonly (number | null)[]>
  /** By the scope of line and entity, then number. */
  readonly versions: Table<EntityVersion>
  /** The blobs that a version needs, in one scope, by the version's scope and number. */
  readonly blobs: Table<readonly string[]>
  /** By the scope of line and entity, then Unix ms. */
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
    records: new Table(base?.records),
    recordIds: new Table(base?.recordIds),
    generation: new Generation(base?.generation),
    journal: new JournalRows(base?.journal),
    jobs: new Table(base?.jobs),
    jobIds: new Table(base?.jobIds),
    ephemera: new Table(base?.ephemera),
  }
}

function entitiesOver(base?: State) {
  return {
    heads: new Table(base?.heads),
    deleted: new Table(base?.deleted),
    slugs: new Table(base?.slugs),
    sources: new Table(base?.sources),
    places: new Table(base?.places),
    lastRow: new Table(base?.lastRow),
    texts: new Table(base?.texts),
    bases: new Table(base?.bases),
    versions: new Table(base?.versions),
    blobs: new Table(base?.blobs),
    moments: new Table(base?.moments),
  }
}

/** Writes what a layer holds into the state below, all at once: nothing is awaited. */
export function commitState(layer: State): void {
  for (const part of Object.values(layer)) part.commit()
}
