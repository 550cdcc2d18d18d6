import type { BigIntStats } from 'node:fs'
import { LRUCache } from 'lru-cache'

/** What this process knows of blobs: which files it has checked, and the bytes of small ones. */
export interface Known {
  /** Bytes of checked blobs by hash. Never given away: who takes them may write to them or move them to a worker. */
  readonly small: LRUCache<string, Buffer>
  isVerified(identity: string): boolean
  remember(identity: string): void
  forget(identity: string): void
  /** Whether a file is sound: as known, or by `work`, which runs once for all who ask at the same time. */
  check(identity: string, work: () => Promise<boolean>): Promise<boolean>
}

/** Blobs of up to this many bytes are kept in memory: thumbnails and icons, a hundred and more of them. */
export const smallBytes = 256 * 1024

/** Bytes of small blobs in all: 32 MiB. */
const smallTotal = 32 * 1024 * 1024

/** How long a file that was checked is taken to be sound, in ms: damage is given away for so long at most, and a hot blob hashed six times an hour. */
const verifiedFor = 10 * 60 * 1_000

/** Files remembered as sound: some 2 MB of names. */
const verifiedMany = 10_000

/** A file as it is now: whatever writes to it or puts another in its place gives it another identity. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/** Knows nothing yet. */
export function createKnown(): Known {
  const verified = new LRUCache<string, true>({ max: verifiedMany, ttl: verifiedFor })
  const checks = new Map<string, Promise<boolean>>()
  const small = new LRUCache<string, Buffer>({
    maxSize: smallTotal,
    // An empty blob counts as well: the cache knows no entries of size 0.
    sizeCalculation: ({ length }) => length + 1,
  })
  const checked = async (identity: string, work: () => Promise<boolean>) => {
    const sound = await work()
    if (sound) verified.set(identity, true)
    return sound
  }
  return {
    small,
    isVerified: (identity) => verified.has(identity),
    remember: (identity) => void verified.set(identity, true),
    forget: (identity) => void verified.delete(identity),
    async check(identity, work) {
      if (verified.has(identity)) return true
      const running = checks.get(identity)
      if (running) return running
      const started = checked(identity, work)
      checks.set(identity, started)
      try {
        return await started
      } finally {
        checks.delete(identity)
      }
    },
  }
}
