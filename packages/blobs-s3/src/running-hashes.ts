import { createHash, type Hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Manifest } from './manifest.ts'

/**
 * The hashes of partial blobs that come in one after the other, so that the end needs no second read. Node cannot write a hash down
 * half way: another process reads the pieces again.
 */
export interface RunningHashes {
  /** The hash of the bytes before an offset, to go on with; null when it is not known. */
  resume(id: string, manifest: Manifest, offset: number): Hash | null
  retain(id: string, manifest: Manifest, digest: Hash): void
  /** The hash of the first bytes, as hexadecimal digits; null when it is not known. */
  find(id: string, manifest: Manifest, size: number): string | null
  forget(id: string): void
}

interface Running {
  readonly digest: Hash
  /** What it is the hash of: another process that wrote since makes it worthless. */
  readonly version: string
  readonly size: number
}

/** Uploads whose hash is kept, some 1 KB each. */
const most = 1_000

/** Knows no hash yet. */
export function createRunningHashes(): RunningHashes {
  const running = new LRUCache<string, Running>({ max: most })
  const find = (id: string, { version }: Manifest, size: number) => {
    const known = running.get(id)
    return known?.version === version && known.size === size ? known.digest.copy() : null
  }
  return {
    resume: (id, manifest, offset) => (offset === 0 ? createHash('sha256') : find(id, manifest, offset)),
    retain: (id, { version, size }, digest) => void running.set(id, { digest: digest.copy(), version, size }),
    find: (id, manifest, size) => find(id, manifest, size)?.digest('hex') ?? null,
    forget: (id) => void running.delete(id),
  }
}
