import type { SavedQuery } from '@quire/contract'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    savedQuery: SavedQuery
  }
}
