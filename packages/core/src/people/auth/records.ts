/** A key pair that signs tokens. The private key is sealed by the secrets port. */
export interface SigningKeyRecord {
  readonly id: string
  readonly algorithm: 'EdDSA'
  readonly publicJwk: { readonly [member: string]: string }
  readonly sealedPrivateJwk: string
  readonly createdDate: number
}

/** The keys of the servers that share a store. There is only one record. */
export interface KeyRingRecord {
  readonly id: string
  /**
   * The keys as JSON, base64url, the current one first. Sealed with the key that each server has in
   * a file.
   */
  readonly sealed: string
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    signingKey: SigningKeyRecord
    keyRing: KeyRingRecord
  }
}
