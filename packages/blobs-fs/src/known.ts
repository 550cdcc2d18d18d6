import type { BigIntStats } from 'node:fs'
import { LRUCache } from 'lru-cache'

/**
 * What this process knows about blobs: which files it has verified, and the bytes of small ones.
 */
export interface Known {
  /**
   * Bytes of verified blobs by hash. Never hand these buffers out: a caller may write to them or
   * transfer them to a worker.
   */
  readonly small: LRUCache<string, Buffer>
  isVerified(identity: string): boolean
  remember(identity: string): void
  forget(identity: string): void
  /**
   * Whether a file is sound. If that is not known, `work` finds out; it runs once for concurrent
   * callers.
   */
  check(identity: string, work: () => Promise<boolean>): Promise<boolean>
}

/** Blobs of up to this many bytes are cached in memory: at least 128 thumbnails or icons. */
export const smallBytes = 256 * 1024

/** Total size of the cache of small blobs: 32 MiB. */
const smallTotal = 32 * 1024 * 1024

/**
 * Milliseconds for which a verified file is assumed to be sound. Damage is served for at most this
 * long, and a hot blob is hashed six times an hour.
 */
const verifiedFor = 10 * 60 * 1_000

/** Most files to remember as sound: about 2 MB of names. */
const verifiedMany = 10_000

/** Identifies a file in its current state: writing to it or replacing it changes the identity. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/** Creates an empty cache. */
export function createKnown(): Known {
  // By size, because by number a cache allocates all its entries at once.
  const verified = new LRUCache<string, true>({
    maxSize: verifiedMany,
    sizeCalculation: () => 1,
    ttl: verifiedFor,
  })
  const checks = new Map<string, Promise<boolean>>()
  const small = new LRUCache<string, Buffer>({
    maxSize: smallTotal,
    // An empty blob counts as 1 byte: the cache does not allow entries of size 0.
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
