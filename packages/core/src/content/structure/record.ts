/**
 * Changes with every write of a category or taxonomy on any branch of a repository, whose id it has: what was computed from their names ends
 * with it, as with any watched record (see `RecordReader.generation`), on every server. It says nothing else.
 */
export interface StructureRecord {
  readonly id: string
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    structure: StructureRecord
  }
}
