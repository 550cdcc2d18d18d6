/** A volume's size and what of it is free to us, in blocks of `bsize` bytes. */
export interface Volume {
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
}

/** 1 GiB, as TRUST F10 has it: logs, which are often on the same disk, and what gives room back go on when nothing is added any more. */
export const defaultFloor = 1024 ** 3

/** The part of a volume that is floor enough for a small one. */
const floorPart = 0.05

/** Bytes of a volume that must stay free. */
export function floorOf({ blocks, bsize }: Volume, minFreeBytes: number): number {
  return Math.min(minFreeBytes, blocks * bsize * floorPart)
}

/** How long a look at the volume is good for, in ms: what others write at 1 GB/s makes it wrong by 1 GiB, the floor, at the end of it. */
const lookLasts = 1_000

/** How much more may be written. What was let in counts as written at once. */
export interface Room {
  /** Errors: what `refuse` makes, when so many bytes more would leave less than the floor. */
  require(bytes: number): Promise<void>
}

/** What a look saw, in bytes. */
export interface SeenRoom {
  readonly freeBytes: number
  readonly floorBytes: number
}

/** How a volume is looked at, and what who would write too much is told. */
export interface RoomParts {
  readonly look: () => Promise<Volume>
  readonly minFreeBytes: number
  readonly refuse: (bytes: number, seen: SeenRoom) => Error
}

/** Room on a volume. A look that refuses is never an old one: what was freed counts at once. */
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
