import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire, type Environment, type Quire } from '@quire/core'
import { memorySecrets, randomIds, silentLog, systemClock } from '@quire/core/memory'
import type { Blobs, Log, Secrets, SignIn, Store, TrustedIssuer } from '@quire/core/ports'
import { undiciOutbound } from '@quire/outbound-undici'
import { openSqliteStore, type SqliteStore } from '@quire/store-sqlite'
import { prepareDataFolder, type DataFolder } from './data/data-folder.ts'
import { openServerKeys } from './data/server-key.ts'
import { lazyExtraction } from './lazy-extraction.ts'
import { lazyMedia } from './lazy-media.ts'
import { threadPageDiffs } from './page-diff/thread-page-diffs.ts'
import { processVitals } from './management/vitals.ts'

/** What `openQuire` takes. */
export interface QuireConfig {
  /** The folder that keeps everything; made when it is not there. */
  readonly data: string
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Where the engine says what happened. Default: nowhere. */
  readonly log?: Log
  /** Bytes that uploads leave free on the disk. Default: as `openFileBlobs`. */
  readonly minFreeBytes?: number
  /** What may be connected to although it is not public: entries as `parseEgressAllow` of `@quire/outbound-undici` reads them. Default: nothing. */
  readonly egressAllow?: readonly string[]
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
  readonly environment: Environment
}

/**
 * The engine as the service runs it: SQLite in `<data>/quire.db`, binaries in `<data>/blobs`, secrets under `<data>/server.key`. Close it through `quire`.
 * Errors: OperatorError for a folder or key that cannot be used; StoreOpenError for a database that cannot;
 * BlobsUnavailable for a folder of binaries that cannot; TypeError for an entry of `egressAllow` that is none.
 */
export async function openQuire({
  data,
  baseUrl,
  log,
  minFreeBytes,
  egressAllow,
  signIn,
  trustedIssuers,
}: QuireConfig): Promise<OpenedQuire> {
  const outbound = undiciOutbound({ ...(egressAllow && { allow: egressAllow }) })
  const folder = await prepareDataFolder(data)
  const secrets = memorySecrets(await openServerKeys(folder))
  const store = await openSqliteStore({ file: folder.database })
  const clock = systemClock()
  const environment: Environment = {
    store,
    blobs: await openBlobs(folder, minFreeBytes).catch(closing(store)),
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
    vitals: processVitals({ folder: folder.blobs, minFreeBytes, store: () => settingsOf(store) }),
  }
  return { quire: createQuire(environment), store, secrets, folder, environment }
}

function openBlobs({ blobs }: DataFolder, minFreeBytes: number | undefined): Promise<Blobs> {
  return openFileBlobs({ folder: blobs, ...(minFreeBytes !== undefined && { minFreeBytes }) })
}

/** What a health page shows of the database: nothing of where it is. */
function settingsOf({ info }: Pick<SqliteStore, 'info'>): Readonly<Record<string, string>> {
  const { sqliteVersion, schemaVersion, settings } = info()
  return { sqlite: sqliteVersion, schema: String(schemaVersion), ...settings }
}

function closing(store: Store): (error: unknown) => Promise<never> {
  return async (error) => {
    await store.close()
    throw error
  }
}
