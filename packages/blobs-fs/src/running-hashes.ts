import { createHash, type Hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The hash of a partial blob so far. */
interface RunningHash {
  readonly digest: Hash
  /** The number of hashed bytes. */
  readonly end: number
  /**
   * The state of the file after the last hashed byte was written. If another process writes to the
   * file, the hash is no longer valid.
   */
  readonly identity: string
}

/** Hashes of partial blobs that arrive in order, so that finishing one needs no second read. */
export interface RunningHashes {
  /** The hash of the bytes before an offset, to continue with; null when it is not known. */
  resume(id: string, at: FileState): Hash | null
  retain(id: string, digest: Hash, at: FileState): void
  /** The hash of the bytes before an offset, as hexadecimal digits; null when it is not known. */
  find(id: string, at: FileState): string | null
  forget(id: string): void
}

/** The number of bytes of a file that count, and the state of the file. */
export interface FileState {
  readonly end: number
  readonly identity: string
}

/**
 * Most uploads whose hash is cached, with about 1 KB each. The file of any other is read again when
 * it is finished.
 */
const most = 1_000

/** Creates an empty cache of hashes. */
export function createRunningHashes(): RunningHashes {
  const running = new LRUCache<string, RunningHash>({ max: most })
  const find = (id: string, { end, identity }: FileState) => {
    const known = running.get(id)
    return known?.end === end && known.identity === identity ? known.digest.copy() : null
  }
  return {
    resume: (id, at) => (at.end === 0 ? createHash('sha256') : find(id, at)),
    retain: (id, digest, at) => void running.set(id, { digest, ...at }),
    find: (id, at) => find(id, at)?.digest('hex') ?? null,
    forget: (id) => void running.delete(id),
  }
}
