import { existsSync } from 'node:fs'
import type { DataFolder } from '../storage/data-folder.ts'
import type { StoragePlaces } from '../storage/places.ts'
import { openBlobs } from '../storage/storage.ts'
import type { Examined } from './blobs.ts'
import { openDatabaseReader, openFileReader } from './reader.ts'

/** What a server keeps, to be looked at. */
export function examinedIn(folder: DataFolder, places: StoragePlaces): Examined {
  const { database, bucket } = places
  return {
    read: () => (database ? openDatabaseReader(database) : openFileReader(folder.database)),
    blobs: async () => (bucket || existsSync(folder.blobs) ? openBlobs(folder, places) : null),
  }
}
