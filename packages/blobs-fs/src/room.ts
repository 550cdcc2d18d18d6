import { statfs } from 'node:fs/promises'
import { BlobsUnavailable } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'

/** How much more may be written. What was let in counts as written at once. */
export interface Room {
  /** Errors: BlobsUnavailable `full` when so many bytes more would leave less than the floor. */
  require(bytes: number): Promise<void>
}

/** A volume's size and what of it is free to us, in blocks of `bsize` bytes. */
export interface Volume {
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
}

/** 1 GiB, as TRUST F10 has it: databases and logs, which are often on the same disk, go on when uploads no longer do. */
export const defaultFloor = 1024 ** 3

/** The part of a volume that is floor enough for a small one. */
const floorPart = 0.05

/** Bytes of a volume that must stay free. */
export function floorOf({ blocks, bsize }: Volume, minFreeBytes: number): number {
  return Math.min(minFreeBytes, blocks * bsize * floorPart)
}

/** How long a look at the volume is good for, in ms: what others write at 1 GB/s makes it wrong by 1 GiB, the floor, at the end of it. */
const lookLasts = 1_000

/** Room on the volume of a folder. A look that refuses is never an old one: what was freed counts at once. */
export function createRoom(folder: string, minFreeBytes: number): Room {
  let last = { until: 0, room: 0 }
  const look = async () => {
    const volume = await onDisk(statfs(folder))
    const room = volume.bavail * volume.bsize - floorOf(volume, minFreeBytes)
    last = { until: performance.now() + lookLasts, room }
  }
  const take = (bytes: number) => {
    if (bytes > last.room) return false
    last.room -= bytes
    return true
  }
  return {
    async require(bytes) {
      if (performance.now() < last.until && take(bytes)) return
      await look()
      if (take(bytes)) return
      throw new BlobsUnavailable(
        'full',
        `No room is left for ${bytes} bytes more: free space on the disk of ${folder}.`,
      )
    },
  }
}
