import type {
  AutoPackageRule,
  Bundle,
  ContentType,
  Group,
  IndexRebuild,
  Package,
  Preferences,
  RenditionPreset,
  Repository,
  Role,
  SavedQuery,
  ServiceAccount,
  Settings,
  User,
  Webhook,
} from '@quire/contract'
import type { StoredBlob } from './blobs.ts'
import type { Base, EntityKind } from './entities.ts'
import type { JournalEntry } from './journal.ts'
import type { JsonObject } from './json.ts'

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

/** A user as stored (specification 2.7); preferences are records of their own. */
export interface UserRecord extends Omit<User, 'preferences'> {
  /**
   * Sessions carry it: a time in Unix ms, of the creation and then of each time that the user was disabled. What was issued before it does
   * not count, nor what was issued to an earlier user of this address.
   */
  readonly epoch: number
}

/** A bundle that was made; the built-in ones are in the contract. */
export type BundleRecord = Omit<Bundle, 'isBuiltIn'>

/** The preferences of a user, under the user's id. */
export interface PreferencesRecord {
  readonly id: string
  readonly preferences: Preferences
}

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

/** A key pair that signs tokens. The private key is sealed by the secrets port. */
export interface SigningKeyRecord {
  readonly id: string
  readonly algorithm: 'EdDSA'
  readonly publicJwk: { readonly [member: string]: string }
  readonly sealedPrivateJwk: string
  readonly createdDate: number
}

/** A rebuild of a repository's search index; only the last one is kept. */
export interface IndexRebuildRecord {
  readonly id: string
  readonly repositoryId: string
  readonly state: IndexRebuild['state']
  /** Where it goes on (see `SearchIndexes.reindex`). */
  readonly after: number
  readonly done: number
  readonly total: number
  readonly startedDate: number
  readonly finishedDate: number | null
  readonly error: string | null
  /** What the journal says once it has succeeded, but for the time: who began it, with which call. */
  readonly entry: JournalEntry
}

/**
 * Changes with every write of a category or taxonomy on any line of a repository, whose id it has: what was computed from their names ends
 * with it, as with any watched record (see `RecordReader.generation`), on every server. It says nothing else.
 */
export interface StructureRecord {
  readonly id: string
}

/** A webhook as stored: what is secret of it is sealed. */
export interface WebhookRecord extends Omit<Webhook, 'headers' | 'secret'> {
  readonly headers: readonly { readonly name: string; readonly sealedValue: string }[]
  readonly sealedSecret: string | null
}

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

/** The settings of the service, as far as they were ever set. There is one record. */
export interface SettingsRecord {
  readonly id: Settings['id']
  readonly set: Partial<Omit<Settings, 'id' | 'updatedDate'>>
  readonly updatedDate: number
}

/** What is served of a site that was published. The id is the site's. */
export interface PublishedSiteRecord {
  readonly id: string
  readonly repositoryId: string
  /** Under which it is served. */
  readonly slug: string
  /** The active publication. */
  readonly publicationId: string
  /** Its manifest: which file stands at which address. */
  readonly manifest: StoredBlob
}

/** The kinds of record. A new kind costs one line here and one in `recordKeys`. */
export interface RecordKinds {
  repository: Repository
  type: ContentType
  role: Role
  bundle: BundleRecord
  user: UserRecord
  preferences: PreferencesRecord
  group: Group
  serviceAccount: ServiceAccountRecord
  package: Package
  merge: MergeRecord
  autoPackageRule: AutoPackageRule
  renditionPreset: RenditionPreset
  savedQuery: SavedQuery
  indexRebuild: IndexRebuildRecord
  structure: StructureRecord
  publishedSite: PublishedSiteRecord
  webhook: WebhookRecord
  accessConfiguration: AccessConfigurationRecord
  settings: SettingsRecord
  signingKey: SigningKeyRecord
}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds

/** Whether something is computed from records of a kind and kept: what users set for themselves changes often, and nothing is. */
export function isWatched(kind: RecordKind): boolean {
  return kind !== 'preferences'
}

/** The unique keys of a record, by which `find` finds it. No two records of a kind share one. */
export const recordKeys: { readonly [K in RecordKind]: (record: RecordKinds[K]) => readonly string[] } = {
  repository: (repository) => [`name:${repository.name}`],
  type: (type) => [`name:${type.name}`, `apiName:${type.apiName.toLowerCase()}`],
  role: (role) => [`searchId:${role.searchId}`, `name:${role.name}`],
  bundle: () => [],
  user: (user) => [`searchId:${user.searchId}`],
  group: (group) => [`searchId:${group.searchId}`, `name:${group.name}`],
  preferences: () => [],
  serviceAccount: () => [],
  // Of a deleted package the record stays, its name does not.
  package: ({ repositoryId, name, state }) => (state === 'deleted' ? [] : [`name:${repositoryId}/${name}`]),
  merge: () => [],
  autoPackageRule: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  renditionPreset: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  savedQuery: ({ repositoryId, name }) => [`name:${repositoryId}/${name}`],
  indexRebuild: ({ repositoryId }) => [`repository:${repositoryId}`],
  structure: () => [],
  publishedSite: ({ slug }) => [`slug:${slug}`],
  webhook: () => [],
  accessConfiguration: () => [],
  settings: () => [],
  signingKey: () => [],
}

/** The keys of any record of a kind known only at run time. */
export function keysOf<K extends RecordKind>(kind: K, record: RecordKinds[K]): readonly string[] {
  return recordKeys[kind](record)
}
