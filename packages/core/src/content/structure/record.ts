/**
 * A record with the id of a repository. It is written with every category or taxonomy on any branch
 * of that repository. Like every watched record (see `RecordReader.generation`), it invalidates
 * what was cached from their names on all servers. It contains no other data.
 */
export interface StructureRecord {
  readonly id: string
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    structure: StructureRecord
  }
}
