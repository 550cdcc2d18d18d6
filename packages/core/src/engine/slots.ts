/** What derived pictures take, as far as one process knows: what was listed last, and what it kept since. Bytes of a disk. */
export interface PictureRoom {
  /** Null: nothing was listed yet. */
  used(): number | null
  /** Unix ms at which it was listed last. */
  readonly listedDate: number
  /** Takes room for a picture that is about to be kept; the answer is told whether it was. */
  take(size: number): (isStored: boolean) => void
  /** Begins a listing; the answer is told what it came to. What is kept meanwhile may be in it or not, and counts. */
  list(now: number): (listed: number) => void
}

/** Bytes that a picture takes of a disk: whole blocks of 4 KiB, and one for its name and its folder. */
export function roomOf(size: number): number {
  return (Math.ceil(size / block) + 1) * block
}

const block = 4096

/** Knows nothing yet. */
export function createPictureRoom(): PictureRoom {
  let last: { readonly found: number; readonly before: number } | null = null
  let listedDate = Number.NEGATIVE_INFINITY
  // Since the process began, and of that what is under way.
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
