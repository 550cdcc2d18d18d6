import type { Repository } from '@quire/contract'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    repository: Repository
  }
}
