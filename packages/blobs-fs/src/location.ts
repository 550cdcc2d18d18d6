import { resolve } from 'node:path'
import { type Locks, type Room, createLocks, defaultFloor } from '@quire/core/ports'
import { createDurability, type Durability } from './durability.ts'
import { createKnown, type Known } from './known.ts'
import { type Paths, pathsOf } from './paths.ts'
import { createBlobRoom } from './room.ts'
import { createTemps, type Temps } from './temps.ts'

/** How to open a folder of binaries. */
export interface FileBlobsOptions {
  /**
   * Created when it does not exist. Use a local disk: durability is only as good as its `fsync`.
   */
  readonly folder: string
  /**
   * Free bytes to leave on its disk, or 5 % of the disk if that is less. Writes that would go below
   * are refused as `full`. With 0, only an upload larger than the free space is refused. Default:
   * 1 GiB.
   */
  readonly minFreeBytes?: number
}

/** State that all operations on one open folder share. */
export interface Location {
  readonly paths: Paths
  readonly durability: Durability
  readonly room: Room
  readonly temps: Temps
  readonly known: Known
  /** Locks by hash: naming and removing a blob exclude each other. */
  readonly naming: Locks
}

/** Creates the shared state for a folder, which need not exist yet. */
export function locationOf({ folder, minFreeBytes = defaultFloor }: FileBlobsOptions): Location {
  const paths = pathsOf(resolve(folder))
  return {
    paths,
    durability: createDurability(),
    room: createBlobRoom(paths.root, minFreeBytes),
    temps: createTemps(paths.temp),
    known: createKnown(),
    naming: createLocks(),
  }
}
