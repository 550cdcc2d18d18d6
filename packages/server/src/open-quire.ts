import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire, type Environment, type Quire } from '@quire/core'
import { memorySecrets, randomIds, silentLog, systemClock } from '@quire/core/memory'
import type { Blobs, Log, Secrets, SignIn, Store, TrustedIssuer } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { prepareDataFolder, type DataFolder } from './data/data-folder.ts'
import { openServerKeys } from './data/server-key.ts'
import { lazyExtraction } from './lazy-extraction.ts'
import { lazyMedia } from './lazy-media.ts'

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
 * BlobsUnavailable for a folder of binaries that cannot.
 */
export async function openQuire({
  data,
  baseUrl,
  log,
  minFreeBytes,
  signIn,
  trustedIssuers,
}: QuireConfig): Promise<OpenedQuire> {
  const folder = await prepareDataFolder(data)
  const secrets = memorySecrets(await openServerKeys(folder))
  const store = await openSqliteStore({ file: folder.database })
  const clock = systemClock()
  const environment: Environment = {
    store,
    blobs: await openBlobs(folder, minFreeBytes).catch(closing(store)),
    media: lazyMedia(async () => (await import('@quire/media-sharp')).sharpMedia()),
    extraction: lazyExtraction(async () => (await import('@quire/extract-node')).nodeExtraction()),
    secrets,
    clock,
    ids: randomIds(clock),
    log: log ?? silentLog(),
    baseUrl,
    signIn: signIn ?? null,
    trustedIssuers: trustedIssuers ?? [],
  }
  return { quire: createQuire(environment), store, secrets, folder, environment }
}

function openBlobs({ blobs }: DataFolder, minFreeBytes: number | undefined): Promise<Blobs> {
  return openFileBlobs({ folder: blobs, ...(minFreeBytes !== undefined && { minFreeBytes }) })
}

function closing(store: Store): (error: unknown) => Promise<never> {
  return async (error) => {
    await store.close()
    throw error
  }
}
