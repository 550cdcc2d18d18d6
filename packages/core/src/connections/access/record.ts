import type { JsonObject } from '../../ports/index.ts'

/** An access configuration as stored (specification 2.17). */
export interface AccessConfigurationRecord {
  readonly id: string
  readonly name: string
  readonly type: string
  /** What else is known of it, each secret as `***`. */
  readonly members: JsonObject
  /** The same with the secrets, as JSON, sealed; null where there are none. */
  readonly sealedMembers: string | null
  readonly createdDate: number
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    accessConfiguration: AccessConfigurationRecord
  }
}
