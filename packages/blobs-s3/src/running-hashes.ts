import { createHash, type Hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Manifest } from './manifest.ts'

/**
 * Hashes of partial blobs that arrive in order, so that finishing one needs no second read. Node
 * cannot save the state of a hash, so another process has to read the pieces again.
 */
export interface RunningHashes {
  /** The hash of the bytes before an offset, to continue with; null when it is not known. */
  resume(id: string, manifest: Manifest, offset: number): Hash | null
  retain(id: string, manifest: Manifest, digest: Hash): void
  /** The hash of the first bytes, as hexadecimal digits; null when it is not known. */
  find(id: string, manifest: Manifest, size: number): string | null
  forget(id: string): void
}

interface RunningHash {
  readonly digest: Hash
  /**
   * The manifest that the hash belongs to. If another process writes a new one, the hash is no
   * longer valid.
   */
  readonly version: string
  readonly size: number
}

/** Most uploads whose hash is cached, with about 1 KB each. */
const most = 1_000

/** Creates an empty cache of hashes. */
export function createRunningHashes(): RunningHashes {
  const running = new LRUCache<string, RunningHash>({ max: most })
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
