import type { JsonObject } from '../../ports/index.ts'

/** An access configuration as stored (specification 2.17). */
export interface AccessConfigurationRecord {
  readonly id: string
  readonly name: string
  readonly type: string
  /** All other members, with each secret as `***`. */
  readonly members: JsonObject
  /** The members with their secrets, as sealed JSON; null if there are no secrets. */
  readonly sealedMembers: string | null
  readonly createdDate: number
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    accessConfiguration: AccessConfigurationRecord
  }
}
