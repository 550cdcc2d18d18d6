import { memorySecrets } from '@quire/core/memory'
import type { Blobs, Peers, Secrets, Store } from '@quire/core/ports'
import type { SqliteInfo } from '@quire/store-sqlite'
import { withPackage } from '../optional-package.ts'
import { compression } from './compression.ts'
import { type DataFolder, prepareDataFolder } from './data-folder.ts'
import type { BucketLocation, DatabaseLocation, StorageLocations } from './locations.ts'
import { openServerKeys } from './server-key.ts'
import { keyRingId, sharedSecrets } from './shared-keys.ts'

/** The opened storage of a server. */
export interface Storage {
  readonly folder: DataFolder
  readonly store: Store
  readonly secrets: Secrets
  readonly blobs: Blobs
  /** The other servers on the store; null for a store that only one server can use. */
  readonly peers: Peers | null
  /** Settings of the database for a health page. They do not reveal where the database is. */
  settings(): Readonly<Record<string, string>>
}

/** Opens the store, the keys and the binaries. Errors: as `openQuire`. */
export async function openStorage(locations: StorageLocations): Promise<Storage> {
  const folder = await prepareDataFolder(locations.data, locations.key)
  const stored = locations.database
    ? await openDatabase(folder, locations.database)
    : await openFile(folder, locations)
  try {
    return { ...stored, blobs: await openBlobs(folder, locations) }
  } catch (error) {
    await stored.store.close()
    throw error
  }
}

type StoreParts = Omit<Storage, 'blobs'>

async function openFile(folder: DataFolder, { minFreeBytes }: StorageLocations): Promise<StoreParts> {
  const { openSqliteStore } = await import('@quire/store-sqlite')
  const secrets = memorySecrets({ ...(await openServerKeys(folder)), compression })
  const floor = minFreeBytes !== undefined && { minFreeBytes }
  const store = await openSqliteStore({ file: folder.database, reservesSpace: true, ...floor })
  const settings = () => {
    const { sqliteVersion, schemaVersion, settings: pragmas, checked } = store.info()
    return { sqlite: sqliteVersion, schema: String(schemaVersion), ...pragmas, ...lastCheck(checked) }
  }
  return { folder, store, secrets, settings, peers: null }
}

/** The result of the last verification of the file. */
function lastCheck(checked: SqliteInfo['checked']): Readonly<Record<string, string>> {
  if (!checked) return {}
  return { quick_check: checked.isSound ? 'ok' : 'damaged', checked: new Date(checked.time).toISOString() }
}

async function openDatabase(folder: DataFolder, location: DatabaseLocation): Promise<StoreParts> {
  const { openPostgresStore } = await withPackage(
    '@quire/store-postgres',
    () => import('@quire/store-postgres'),
  )
  const store = await openPostgresStore(location)
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
export async function openBlobs(
  folder: DataFolder,
  { bucket, minFreeBytes }: StorageLocations,
): Promise<Blobs> {
  if (bucket) return openBucket(bucket)
  const { openFileBlobs } = await import('@quire/blobs-fs')
  return openFileBlobs({ folder: folder.blobs, ...(minFreeBytes !== undefined && { minFreeBytes }) })
}

async function openBucket(location: BucketLocation): Promise<Blobs> {
  const { openS3Blobs } = await withPackage('@quire/blobs-s3', () => import('@quire/blobs-s3'))
  return openS3Blobs(location)
}
