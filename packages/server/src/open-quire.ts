import { createQuire, type Environment, type Quire } from '@quire/core'
import { randomIds, silentLog, systemClock } from '@quire/core/memory'
import type { Log, Peers, Secrets, SignIn, Store, TrustedIssuer } from '@quire/core/ports'
import { undiciOutbound } from '@quire/outbound-undici'
import { lazyExtraction } from './lazy-extraction.ts'
import { lazyMedia } from './lazy-media.ts'
import { threadPageDiffs } from './page-diff/thread-page-diffs.ts'
import { processVitals } from './management/vitals.ts'
import type { DataFolder } from './storage/data-folder.ts'
import type { StorageLocations } from './storage/locations.ts'
import { openStorage } from './storage/storage.ts'

export interface QuireConfig extends StorageLocations {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Receives the log events of the engine. Default: a log that discards them. */
  readonly log?: Log
  /**
   * Non-public addresses that may be connected to, as `parseEgressAllow` of
   * `@quire/outbound-undici` reads them. Default: none.
   */
  readonly egressAllow?: readonly string[]
  /** Whether large downloads are redirected to the bucket. Default: false. */
  readonly redirectDownloads?: boolean
  /** Size of the cache for derived pictures, in bytes; 0 disables it. Default: 4 GiB. */
  readonly renditionCacheBytes?: number
  /** Where the jobs of the queue run. Default: `here`. */
  readonly jobs?: 'here' | 'elsewhere'
  /** Where users sign in. Default: only by one-time links. */
  readonly signIn?: SignIn
  /** Issuers whose tokens are accepted for users of this service. Default: none. */
  readonly trustedIssuers?: readonly TrustedIssuer[]
}

/** An open engine and the ports that it uses. */
export interface OpenedQuire {
  readonly quire: Quire
  readonly store: Store
  readonly secrets: Secrets
  readonly folder: DataFolder
  /** The other servers on the store; null for a store that only one server can use. */
  readonly peers: Peers | null
  readonly environment: Environment
}

/** A folder on the disk that data is written to; null when everything is stored elsewhere. */
function diskOf({ database, bucket }: StorageLocations, folder: DataFolder): string | null {
  if (!bucket) return folder.blobs
  return database ? null : folder.path
}

/**
 * Opens the engine as the service runs it: over SQLite and files in the data folder, or over the
 * given database and bucket. Close it with `quire.close()`.
 * Errors: OperatorError for an unusable folder or key; StoreOpenError for an unusable database;
 * BlobsUnavailable for unusable binaries; TypeError for an invalid entry of `egressAllow`.
 */
export async function openQuire({
  baseUrl,
  log,
  egressAllow,
  redirectDownloads,
  renditionCacheBytes,
  jobs = 'here',
  signIn,
  trustedIssuers,
  ...locations
}: QuireConfig): Promise<OpenedQuire> {
  const outbound = undiciOutbound({ ...(egressAllow && { allow: egressAllow }) })
  const storage = await openStorage(locations)
  const { folder, store, secrets, blobs, peers } = storage
  const clock = systemClock()
  const environment: Environment = {
    store,
    blobs,
    media: lazyMedia(async () => (await import('@quire/media-sharp')).sharpMedia()),
    extraction: lazyExtraction(async () => (await import('@quire/extract-node')).nodeExtraction()),
    outbound,
    pageDiffs: threadPageDiffs(),
    secrets,
    clock,
    ids: randomIds(clock),
    log: log ?? silentLog(),
    baseUrl,
    signIn: signIn ?? null,
    trustedIssuers: trustedIssuers ?? [],
    redirectDownloads: redirectDownloads ?? false,
    ...(renditionCacheBytes !== undefined && { renditionCacheBytes }),
    ...(peers && { peers }),
    vitals: processVitals({
      folder: diskOf(locations, folder),
      minFreeBytes: locations.minFreeBytes,
      store: () => storage.settings(),
    }),
  }
  return { quire: createQuire({ ...environment, jobs }), store, secrets, folder, peers, environment }
}
