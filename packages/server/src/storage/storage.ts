import { memorySecrets } from '@quire/core/memory'
import type { Blobs, Peers, Secrets, Store } from '@quire/core/ports'
import { type DataFolder, prepareDataFolder } from './data-folder.ts'
import type { BucketPlace, DatabasePlace, StoragePlaces } from './places.ts'
import { openServerKeys } from './server-key.ts'
import { keyRingId, sharedSecrets } from './shared-keys.ts'

/** What a server keeps, opened. */
export interface Storage {
  readonly folder: DataFolder
  readonly store: Store
  readonly secrets: Secrets
  readonly blobs: Blobs
  /** The other servers on the store; null where there can be none. */
  readonly peers: Peers | null
  /** What a health page shows of the database: nothing of where it is. */
  settings(): Readonly<Record<string, string>>
}

/** Opens them. Errors: as `openQuire`. */
export async function openStorage(places: StoragePlaces): Promise<Storage> {
  const folder = await prepareDataFolder(places.data, places.key)
  const kept = places.database ? await openDatabase(folder, places.database) : await openFile(folder)
  try {
    return { ...kept, blobs: await openBlobs(folder, places) }
  } catch (error) {
    await kept.store.close()
    throw error
  }
}

type Kept = Omit<Storage, 'blobs'>

async function openFile(folder: DataFolder): Promise<Kept> {
  const { openSqliteStore } = await import('@quire/store-sqlite')
  const secrets = memorySecrets(await openServerKeys(folder))
  const store = await openSqliteStore({ file: folder.database })
  const settings = () => {
    const { sqliteVersion, schemaVersion, settings: pragmas } = store.info()
    return { sqlite: sqliteVersion, schema: String(schemaVersion), ...pragmas }
  }
  return { folder, store, secrets, settings, peers: null }
}

async function openDatabase(folder: DataFolder, place: DatabasePlace): Promise<Kept> {
  const { openPostgresStore } = await import('@quire/store-postgres')
  const store = await openPostgresStore(place)
  try {
    const isNew = (await store.records.get('keyRing', keyRingId)) === null
    const { keys } = await openServerKeys({ key: folder.key, database: 'the database', isNew })
    const secrets = await sharedSecrets(store, keys)
    const { serverVersion, schemaVersion } = store.info()
    const settings = () => ({ postgresql: serverVersion, schema: String(schemaVersion) })
    return { folder: { ...folder, isNew: false }, store, secrets, settings, peers: store.peers }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the binaries. Errors: BlobsUnavailable. */
export async function openBlobs(folder: DataFolder, { bucket, minFreeBytes }: StoragePlaces): Promise<Blobs> {
  if (bucket) return openBucket(bucket)
  const { openFileBlobs } = await import('@quire/blobs-fs')
  return openFileBlobs({ folder: folder.blobs, ...(minFreeBytes !== undefined && { minFreeBytes }) })
}

async function openBucket(place: BucketPlace): Promise<Blobs> {
  const { openS3Blobs } = await import('@quire/blobs-s3')
  return openS3Blobs(place)
}
