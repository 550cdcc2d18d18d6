import type { ContentType, Repository, Role, ServiceAccount } from '@quire/contract'

/** A secret of a service account as stored: its keyed hash only. */
export interface StoredSecret {
  readonly id: string
  /** HMAC-SHA-256 of the secret under the server key. */
  readonly hash: string
  readonly createdDate: number
}

/** A service account as stored. */
export interface ServiceAccountRecord extends Omit<ServiceAccount, 'secrets'> {
  readonly secrets: readonly StoredSecret[]
  /** Tokens carry it; it grows when a secret is removed, so that what was issued before ends at once. */
  readonly epoch: number
}

/** A user as stored (specification 2.7). */
export interface UserRecord {
  readonly id: string
  readonly searchId: string
  readonly name: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly enabled: boolean
  readonly epoch: number
}

/** A group as stored (specification 2.8). */
export interface GroupRecord {
  readonly id: string
  readonly searchId: string
  readonly name: string
  readonly groups: readonly string[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
}

/** A package as stored: what lines need of it. */
export interface PackageRecord {
  readonly id: string
  readonly repositoryId: string
  readonly name: string
  readonly state: 'open' | 'inReview' | 'completed' | 'scheduled' | 'merged' | 'error'
}

/** A key pair that signs tokens. The private key is sealed by the secrets port. */
export interface SigningKeyRecord {
  readonly id: string
  readonly algorithm: 'EdDSA'
  readonly publicJwk: { readonly [member: string]: string }
  readonly sealedPrivateJwk: string
  readonly createdDate: number
}

/** The kinds of record. A new kind costs one line here and one in `recordKeys`. */
export interface RecordKinds {
  repository: Repository
  type: ContentType
  role: Role
  user: UserRecord
  group: GroupRecord
  serviceAccount: ServiceAccountRecord
  package: PackageRecord
  signingKey: SigningKeyRecord
}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds

/** The unique keys of a record, by which `find` finds it. No two records of a kind share one. */
export const recordKeys: { readonly [K in RecordKind]: (record: RecordKinds[K]) => readonly string[] } = {
  repository: (repository) => [`name:${repository.name}`],
  type: (type) => [`name:${type.name}`, `apiName:${type.apiName.toLowerCase()}`],
  role: (role) => [`searchId:${role.searchId}`, `name:${role.name}`],
  user: (user) => [`searchId:${user.searchId}`],
  group: (group) => [`searchId:${group.searchId}`, `name:${group.name}`],
  serviceAccount: () => [],
  package: (record) => [`name:${record.repositoryId}/${record.name}`],
  signingKey: () => [],
}

/** The keys of any record of a kind known only at run time. */
export function keysOf<K extends RecordKind>(kind: K, record: RecordKinds[K]): readonly string[] {
  return recordKeys[kind](record)
}
