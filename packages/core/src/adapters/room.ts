/** The size of a volume and its free space, in blocks of `bsize` bytes. */
export interface Volume {
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
}

/**
 * Bytes: 1 GiB, as required by TRUST F10. Logs, which are often on the same disk, and operations
 * that free space continue to work when nothing may be added any more.
 */
export const defaultFloor = 1024 ** 3

/** The fraction of a small volume that must stay free instead. */
const floorPart = 0.05

/** Bytes of a volume that must stay free. */
export function floorOf({ blocks, bsize }: Volume, minFreeBytes: number): number {
  return Math.min(minFreeBytes, blocks * bsize * floorPart)
}

/**
 * How long a look at the volume is valid, in ms: if other processes write 1 GB/s, it is wrong by
 * about 1 GiB, the default floor, at the end.
 */
const lookLasts = 1_000

/** The space that may still be written. Accepted bytes count as written at once. */
export interface Room {
  /**
   * Errors: the error that `refuse` makes, when writing this many bytes would leave less than the
   * floor.
   */
  require(bytes: number): Promise<void>
}

/** The result of a look at the volume, in bytes. */
export interface SeenRoom {
  readonly freeBytes: number
  readonly floorBytes: number
}

/** How to look at the volume, and which error refuses a write. */
export interface RoomParts {
  readonly look: () => Promise<Volume>
  readonly minFreeBytes: number
  readonly refuse: (bytes: number, seen: SeenRoom) => Error
}

/** Room on a volume. A refusal is always based on a new look, so freed space counts at once. */
export function createRoom({ look, minFreeBytes, refuse }: RoomParts): Room {
  let last = { until: 0, room: 0 }
  const take = (bytes: number) => {
    if (bytes > last.room) return false
    last.room -= bytes
    return true
  }
  return {
    async require(bytes) {
      if (performance.now() < last.until && take(bytes)) return
      const volume = await look()
      const freeBytes = volume.bavail * volume.bsize
      const floorBytes = Math.round(floorOf(volume, minFreeBytes))
      last = { until: performance.now() + lookLasts, room: freeBytes - floorBytes }
      if (!take(bytes)) throw refuse(bytes, { freeBytes, floorBytes })
    },
  }
}
