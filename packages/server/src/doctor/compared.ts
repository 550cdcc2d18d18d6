import { existsSync } from 'node:fs'
import type { DataFolder } from '../storage/data-folder.ts'
import type { StoragePlaces } from '../storage/places.ts'
import { openBlobs } from '../storage/storage.ts'
import type { Compared } from './blobs.ts'
import { readDatabase, readFile } from './reader.ts'

/** What a server keeps, to be looked at. */
export function comparedIn(folder: DataFolder, places: StoragePlaces): Compared {
  const { database, bucket } = places
  return {
    read: () => (database ? readDatabase(database) : readFile(folder.database)),
    blobs: async () => (bucket || existsSync(folder.blobs) ? openBlobs(folder, places) : null),
  }
}
