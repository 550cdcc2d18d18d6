import type { RenditionPreset } from '@quire/contract'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    renditionPreset: RenditionPreset
  }
}
