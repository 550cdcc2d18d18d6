import type { Package } from '@quire/contract'
import type { Base, EntityKind } from '../../ports/index.ts'

/** What one merge did to main, for its revert. The id is the package's. */
export interface MergeRecord {
  readonly id: string
  /** `MergedChange[]` as JSON: stores keep records in memory, and thousands of changes cost least as one text. */
  readonly changes: string
}

/** What a merge did to one entity. */
export interface MergedChange {
  readonly kind: EntityKind
  readonly id: string
  /** Main's head before; null when the merge created it. */
  readonly before: Base | null
  readonly after: Base
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    package: Package
    merge: MergeRecord
  }
}
