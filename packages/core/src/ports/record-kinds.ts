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
  WorkflowConnection,
  WorkflowDefinition,
  WorkflowEvent,
  WorkflowInfo,
  WorkflowStatus,
} from '@quire/contract'
import type { StoredBlob } from './blobs.ts'
import type { Base, EntityKind, UserRef } from './entities.ts'
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

/** The keys of servers that share a store. There is one record. */
export interface KeyRingRecord {
  readonly id: string
  /** The keys as JSON, base64url, the current one first; sealed under the key that each server has in a file. */
  readonly sealed: string
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

/** A connection to a workflow engine as stored: what is secret of it is sealed. */
export interface WorkflowConnectionRecord extends WorkflowConnection {
  /** `ConnectionSecrets` as JSON, sealed. */
  readonly sealedSecrets: string
}

/** What an engine was asked, and has not answered for certain. */
export interface PendingAction {
  /** The same each time that it is asked: sent as `Idempotency-Key`. */
  readonly id: string
  readonly event: Exclude<WorkflowEvent, 'assign'>
  readonly targetStep?: string
  readonly comment?: string
  readonly user: UserRef
  /** Whose it is, as `keptWho` has it: to cancel is to delete, which is looked at again when the engine has taken it. */
  readonly who: JsonObject
  /** Of `start`: the name of the definition. */
  readonly workflowName: string
  /** The connection that is asked. Of `start` it is the workflow's once the engine has taken it. */
  readonly connectionId: string
  readonly url: string
  /** Ms that the engine has for an answer. */
  readonly timeoutMs: number
  /** What is posted, as JSON: the same each time. */
  readonly body: string
  /** Unix ms of the first time. */
  readonly sentAt: number
  /** Unix ms until which somebody waits for the answer. */
  readonly until: number
  /** How often it was asked: what is refused after the first time may have been taken then. */
  readonly tries: number
  /** Whether the engine told more since: its answer is older than what is known. */
  readonly isOvertaken: boolean
  /** Of `start`: whether the engine told of the instance before it answered. What else it knows is asked for still. */
  readonly isAdopted: boolean
  /** Whether nobody asks again by itself. What the engine tells of a start counts still. */
  readonly isGivenUp: boolean
  /** Under which the answer is kept, where callers sent an Idempotency-Key. */
  readonly once: readonly { readonly name: string; readonly request: string }[]
}

/** How an action ended that was pending last. */
export interface EndedAction {
  readonly id: string
  readonly isTaken: boolean
}

/** What an engine tells of a workflow by itself. */
export interface WorkflowCallback {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: WorkflowStatus
  /** Absent: as before; null: none. */
  readonly nextActionUrl?: string | null
  readonly assignee?: UserRef | null
  readonly comment?: string
  readonly metadata?: WorkflowInfo['metadata'] | null
}

/** The review of a package by an engine. The id is the package's. */
export interface WorkflowRecord {
  readonly id: string
  readonly repositoryId: string
  readonly connectionId: string
  /** What is known of it; null while the engine has not answered its start. */
  readonly info: WorkflowInfo | null
  /**
   * Names of its steps that are for holders of `workflow.assign` alone: the engine named groups for them of which none may see the
   * repository, or actions of which none is ours. In `info` they look like steps for anybody. Absent: there are none.
   */
  readonly restricted?: readonly string[]
  readonly pending: PendingAction | null
  /** What was pending before; null: nothing. */
  readonly ended: EndedAction | null
  /** Callbacks that came while an answer was waited for, the oldest first: they count after it. */
  readonly held: readonly WorkflowCallback[]
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
  workflow: WorkflowRecord
  workflowConnection: WorkflowConnectionRecord
  workflowDefinition: WorkflowDefinition
  settings: SettingsRecord
  signingKey: SigningKeyRecord
  keyRing: KeyRingRecord
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
  workflow: () => [],
  workflowConnection: ({ name }) => [`name:${name}`],
  workflowDefinition: ({ name }) => [`name:${name}`],
  settings: () => [],
  signingKey: () => [],
  keyRing: () => [],
}

/** The keys of any record of a kind known only at run time. */
export function keysOf<K extends RecordKind>(kind: K, record: RecordKinds[K]): readonly string[] {
  return recordKeys[kind](record)
}
