import { resolve } from 'node:path'
import { type Locks, type Room, createLocks, defaultFloor } from '@quire/core/ports'
import { createDurability, type Durability } from './durability.ts'
import { createKnown, type Known } from './known.ts'
import { type Paths, pathsOf } from './paths.ts'
import { createBlobRoom } from './room.ts'
import { createTemps, type Temps } from './temps.ts'

/** How to open a folder of binaries. */
export interface FileBlobsOptions {
  /** Made when it is not there. On a local disk: what `fsync` promises is what is promised here. */
  readonly folder: string
  /**
   * Bytes that must stay free on its disk, or 5 % of the disk when that is less: what comes beyond is refused as `full`. With 0
   * only an upload larger than the room there is. Default: 1 GiB.
   */
  readonly minFreeBytes?: number
}

/** What all work on one open folder shares. */
export interface Location {
  readonly paths: Paths
  readonly durability: Durability
  readonly room: Room
  readonly temps: Temps
  readonly known: Known
  /** By hash: a blob gets its name or loses it, one at a time. */
  readonly naming: Locks
}

/** The place of a folder, which need not be there yet. */
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
