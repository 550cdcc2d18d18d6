import type { ContentType } from '@quire/contract'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    type: ContentType
  }
}
