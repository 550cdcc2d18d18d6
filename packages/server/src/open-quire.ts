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

/** What `openQuire` takes. */
export interface QuireConfig extends StorageLocations {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Where the engine says what happened. Default: nowhere. */
  readonly log?: Log
  /** What may be connected to although it is not public: entries as `parseEgressAllow` of `@quire/outbound-undici` reads them. Default: nothing. */
  readonly egressAllow?: readonly string[]
  /** Whether large downloads are led to the bucket. Default: false. */
  readonly redirectDownloads?: boolean
  /** Bytes that derived pictures may take; 0 keeps none. Default: 4 GiB. */
  readonly renditionCacheBytes?: number
  /** Who does the jobs of the queue. Default: `here`. */
  readonly jobs?: 'here' | 'elsewhere'
  /** Where users sign in. Default: by one-time links alone. */
  readonly signIn?: SignIn
  /** Others whose tokens are taken for those of our users. Default: none. */
  readonly trustedIssuers?: readonly TrustedIssuer[]
}

/** An engine over a data folder, with the ports that it stands on. */
export interface OpenedQuire {
  readonly quire: Quire
  readonly store: Store
  readonly secrets: Secrets
  readonly folder: DataFolder
  /** The other servers on the store; null where there can be none. */
  readonly peers: Peers | null
  readonly environment: Environment
}

/** A folder on the disk that fills; null where everything is kept elsewhere. */
function diskOf({ database, bucket }: StorageLocations, folder: DataFolder): string | null {
  if (!bucket) return folder.blobs
  return database ? null : folder.path
}

/**
 * The engine as the service runs it: over SQLite and files in the data folder, or over the database and the bucket that are named. Close it
 * through `quire`. Errors: OperatorError for a folder or key that cannot be used; StoreOpenError for a database that cannot;
 * BlobsUnavailable for binaries that cannot; TypeError for an entry of `egressAllow` that is none.
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
