// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { AccessConfiguration } from './access.ts'
import type { ListOf } from './lists.ts'
import type { UpstreamAuth } from './workflow-connections.ts'

/**
 * The operations of `admin`. The administration of the service: search indexes, webhooks, access
 * configurations, settings, health.
 */
export interface AdminApi {
  /**
   * List the search indexes, one for each repository.
   *
   * `GET /api/admin/indexes`.
   * Permission: `admin.indexes.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly indexes: (input?: AdminIndexesInput, options?: CallOptions) => Promise<ListOf<SearchIndex>>

  /**
   * Read the statistics of a search index.
   *
   * `GET /api/admin/indexes/{id}`.
   * Permission: `admin.indexes.view`.
   *
   * @param input.id - The index: its repository's name, or id.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly index: (input: AdminIndexInput, options?: CallOptions) => Promise<SearchIndex>

  /**
   * Rebuild a search index.
   *
   * Searches keep working meanwhile and find everything. A request while a rebuild is running returns
   * that rebuild. A rebuild continues after a restart.
   *
   * `POST /api/admin/indexes/{id}/rebuild`.
   * Permission: `admin.indexes.update`.
   *
   * @param input.id - The index: its repository's name, or id.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly rebuildIndex: (input: AdminRebuildIndexInput, options?: CallOptions) => Promise<IndexRebuild>

  /**
   * Run maintenance jobs on a repository.
   *
   * Each requested task becomes a job in the queue, which you can follow with `queue.watch`; the
   * response comes at once. If such a job has not ended yet, no second one is started. Needs
   * `admin.repositories.crawl` or `admin.repositories.migration.run`.
   *
   * `POST /api/admin/process/{id}`.
   * Permission: `admin.repositories.crawl` or `admin.repositories.migration.run`.
   *
   * @param input.id - The repository, by id or name.
   * @param input.syncAssets - Read every file and compare it with its hash, and make lost derived
   *   files again (`assets.sync`).
   * @param input.syncDocs - Extract the text of every file that has none yet, and rebuild the search
   *   index (`docs.sync`).
   * @param input.reloadGraph - Recompute on every server what is derived from the content types
   *   (`graph.reload`).
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly process: (input: AdminProcessInput, options?: CallOptions) => Promise<ProcessStarted>

  /**
   * Create an access configuration.
   *
   * In addition to `name` and `type` it accepts the members below, and any others that the provider
   * needs. Secrets are stored encrypted and never shown: every text in a member whose name contains
   * `key`, `secret`, `token`, `pass`, `pwd`, `credential`, `authorization`, `bearer`, `cookie`,
   * `signature`, `private`, `dsn` or `connectionString`, ends with `auth`, or is `headers`, at any
   * depth, and every URL that contains a user or password. Responses show `***` instead.
   *
   * `POST /api/admin/access/generatekey`.
   * Permission: `admin.access.update`.
   *
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.type - Type of the upstream: `openai`, `http`, `s3`…
   * @param input.baseUrl - Base URL of the upstream: http or https, on a public address, without
   *   credentials, query or fragment.
   * @param input.allowedMethods - Methods of requests that may be proxied. Default: none.
   * @param input.allowedPaths - Paths of requests that may be proxied. Default: none.
   * @param input.model - The default language model of tasks.
   * @param input.timeoutMs - Milliseconds in which the upstream must respond.
   * @param input.maxBytes - Maximum size in bytes of a proxied body, in either direction.
   * @param input.budget - Budget of each caller.
   * @param input.apiKey - API key of the upstream, sent as a bearer token. Never shown: responses have
   *   `***`.
   * @param input.auth - How to authenticate to the upstream, instead of `apiKey`. Its secrets are
   *   never shown.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly generateKey: (input: AdminGenerateKeyInput, options?: CallOptions) => Promise<AccessConfiguration>

  /**
   * Read the settings of the service.
   *
   * `GET /api/admin/settings`.
   * Permission: `admin.settings.view`.
   *
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly settings: (input?: Record<string, never>, options?: CallOptions) => Promise<Settings>

  /**
   * Change the settings of the service.
   *
   * Only the members that are sent change (RFC 7396); null resets a setting to its default. After a
   * period is shortened, older records are removed by the next cleanup.
   *
   * `PATCH /api/admin/settings`.
   * Permission: `admin.settings.update`.
   *
   * @param input.jobsKeptDays - Days for which ended jobs are kept. Default: 30.
   * @param input.deliveriesKeptDays - Days for which ended webhook deliveries are kept. Default: 30.
   * @param input.deletedItemsKeptDays - Days for which deleted content can be restored. Default: 30.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly updateSettings: (input?: AdminUpdateSettingsInput, options?: CallOptions) => Promise<Settings>

  /**
   * Check the health of the service.
   *
   * Checks everything that the service depends on, at the time of the request. The status is 200 even
   * if something does not work. Without a token, `/livez` and `/readyz` say in one word whether to
   * send requests.
   *
   * `GET /api/admin/health`.
   * Permission: `admin.settings.view`.
   *
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly health: (input?: Record<string, never>, options?: CallOptions) => Promise<Health>
}

/** The statistics of a search index (specification 2.13) */
export interface SearchIndex {
  /** Name of its repository */
  name: string
  /** Number of entities, on all branches */
  numDocs?: number | undefined
  /** The highest document number in the index */
  maxDocId?: number | undefined
  /** Number of different words */
  numTerms?: number | undefined
  /** Number of pairs of a word and an entity that contains it */
  numRecords?: number | undefined
  /** Size of the inverted index in bytes */
  invSize?: number | undefined
  /** Number of blocks of the inverted index */
  totalInvertedIndexBlocks?: number | undefined
  /** The last rebuild; absent if there was none */
  rebuild?: IndexRebuild | undefined
}

/** A rebuild of a search index */
export interface IndexRebuild {
  /** An id, as answered by the operation that created it */
  id: string
  /** Name of the index, which is the name of its repository */
  index: string
  /** State of the rebuild */
  state: 'running' | 'succeeded' | 'failed'
  progress: {
    /** Number of entities that have been indexed again */
    done: number
    /** Total number of entities */
    total: number
  }
  /** Unix milliseconds */
  startedDate: number
  /** When it ended; null while it is running */
  finishedDate: number | null
  /** Why it failed */
  error: string | null
}

/** The jobs that were queued */
export interface ProcessStarted {
  /** The queued jobs and their ids, in words */
  message: string
}

/** The settings of the whole service */
export interface Settings {
  /** Always `settings`: there is only one record */
  id: 'settings'
  /** Days for which ended jobs are kept. Default: 30 */
  jobsKeptDays: number
  /** Days for which ended webhook deliveries are kept. Default: 30 */
  deliveriesKeptDays: number
  /** Days for which deleted content can be restored. Default: 30 */
  deletedItemsKeptDays: number
  /** When the settings were last changed; null: never */
  updatedDate: number | null
}

/** The health of the service */
export interface Health {
  /** The worst status of the essential checks; other failing checks make it degraded */
  status: HealthStatus
  /** Time of the checks */
  time: number
  /** Version of the service; null if not known */
  version: string | null
  /** Seconds since the start of the service; null if not known */
  uptimeSeconds: number | null
  checks: HealthCheck[]
}

/** degraded: it works but needs attention; unavailable: it does not work */
export type HealthStatus = 'ok' | 'degraded' | 'unavailable'

/** The check of one thing that the service depends on */
export interface HealthCheck {
  /** What was checked; `process` and `disk` only if the service can check them */
  name: 'store' | 'blobs' | 'queue' | 'search' | 'process' | 'disk'
  /** degraded: it works but needs attention; unavailable: it does not work */
  status: HealthStatus
  /** Duration of the check in milliseconds, at most 2000 */
  ms: number
  /** What is wrong and what to do, in words; empty if nothing is wrong */
  message: string
  /** Measurements and settings, by name */
  details: Record<string, number | string>
}

/** The input of `admin.indexes` */
export interface AdminIndexesInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `admin.index` */
export interface AdminIndexInput {
  /** The index: its repository's name, or id */
  id: string
}

/** The input of `admin.rebuildIndex` */
export interface AdminRebuildIndexInput {
  /** The index: its repository's name, or id */
  id: string
}

/** The input of `admin.process` */
export interface AdminProcessInput {
  /** The repository, by id or name */
  id: string
  /** Read every file and compare it with its hash, and make lost derived files again (`assets.sync`) */
  syncAssets?: boolean | undefined
  /** Extract the text of every file that has none yet, and rebuild the search index (`docs.sync`) */
  syncDocs?: boolean | undefined
  /** Recompute on every server what is derived from the content types (`graph.reload`) */
  reloadGraph?: boolean | undefined
}

/** The input of `admin.generateKey` */
export type AdminGenerateKeyInput = {
  /** A name for people, 1 to 200 characters */
  name: string
  /** Type of the upstream: `openai`, `http`, `s3`… */
  type: string
  /**
   * Base URL of the upstream: http or https, on a public address, without credentials, query or
   * fragment
   */
  baseUrl?: string | undefined
  /** Methods of requests that may be proxied. Default: none */
  allowedMethods?: ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS')[] | undefined
  /** Paths of requests that may be proxied. Default: none */
  allowedPaths?: string[] | undefined
  /** The default language model of tasks */
  model?: string | undefined
  /** Milliseconds in which the upstream must respond */
  timeoutMs?: number | undefined
  /** Maximum size in bytes of a proxied body, in either direction */
  maxBytes?: number | undefined
  /** Budget of each caller */
  budget?: {
    /** Number of requests */
    requests?: number | undefined
    /** Number of tokens of a language model */
    tokens?: number | undefined
    /** Period of the budget */
    per: 'minute' | 'hour' | 'day' | 'month'
  } | undefined
  /** API key of the upstream, sent as a bearer token. Never shown: responses have `***` */
  apiKey?: string | undefined
  /** How to authenticate to the upstream, instead of `apiKey`. Its secrets are never shown */
  auth?: UpstreamAuth | undefined
} & { [name: string]: JsonValue }

/** The input of `admin.updateSettings` */
export interface AdminUpdateSettingsInput {
  /** Days for which ended jobs are kept. Default: 30 */
  jobsKeptDays?: number | null | undefined
  /** Days for which ended webhook deliveries are kept. Default: 30 */
  deliveriesKeptDays?: number | null | undefined
  /** Days for which deleted content can be restored. Default: 30 */
  deletedItemsKeptDays?: number | null | undefined
}
