/**
 * Disk space used by renditions, in bytes, as far as one process knows: from the last listing and
 * what it has stored since.
 */
export interface PictureRoom {
  /** Null before the first listing. */
  used(): number | null
  /** Unix ms of the last listing. */
  readonly listedDate: number
  /**
   * Reserves room for a rendition about to be stored; call the returned function with whether it
   * was.
   */
  take(size: number): (isStored: boolean) => void
  /**
   * Begins a listing; call the returned function with its total. Renditions stored meanwhile count
   * additionally, whether or not the listing includes them.
   */
  list(now: number): (listed: number) => void
}

/** Disk space of a rendition: whole blocks of 4 KiB, plus one for its name and folder. */
export function roomOf(size: number): number {
  return (Math.ceil(size / block) + 1) * block
}

const block = 4096

/** Creates the counter, before any listing. */
export function createPictureRoom(): PictureRoom {
  let last: { readonly found: number; readonly before: number } | null = null
  let listedDate = Number.NEGATIVE_INFINITY
  // Stored since the process started; `underWay` is the part that is not finished.
  let inUse = 0
  let underWay = 0
  return {
    used: () => (last === null ? null : last.found + inUse - last.before),
    get listedDate() {
      return listedDate
    },
    take(size) {
      const room = roomOf(size)
      inUse += room
      underWay += room
      return (isStored) => {
        underWay -= room
        if (!isStored) inUse -= room
      }
    },
    list(now) {
      listedDate = now
      const before = inUse - underWay
      return (found) => {
        last = { found, before }
      }
    },
  }
}
