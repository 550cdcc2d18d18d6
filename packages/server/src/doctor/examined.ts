import { existsSync } from 'node:fs'
import type { DataFolder } from '../storage/data-folder.ts'
import type { StorageLocations } from '../storage/locations.ts'
import { openBlobs } from '../storage/storage.ts'
import type { Examined } from './blobs.ts'
import { openDatabaseReader, openFileReader } from './reader.ts'

/** Opens the stored data of a server for examination. */
export function examinedIn(folder: DataFolder, locations: StorageLocations): Examined {
  const { database, bucket } = locations
  return {
    read: () => (database ? openDatabaseReader(database) : openFileReader(folder.database)),
    blobs: async () => (bucket || existsSync(folder.blobs) ? openBlobs(folder, locations) : null),
  }
}
