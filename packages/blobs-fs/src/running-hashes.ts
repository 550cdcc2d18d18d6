import { createHash, type Hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The hash of a partial blob so far. */
interface RunningHash {
  readonly digest: Hash
  /** How many bytes it is of. */
  readonly end: number
  /** The file when its last byte was written: another process that wrote to it since makes the hash worthless. */
  readonly identity: string
}

/** The hashes of partial blobs that come in one after the other, so that the end needs no second read. */
export interface RunningHashes {
  /** The hash of the bytes before an offset, to go on with; null when it is not known. */
  resume(id: string, at: FileState): Hash | null
  retain(id: string, digest: Hash, at: FileState): void
  /** The hash of the bytes before an offset, as hexadecimal digits; null when it is not known. */
  find(id: string, at: FileState): string | null
  forget(id: string): void
}

/** How far a file counts, and which it is. */
export interface FileState {
  readonly end: number
  readonly identity: string
}

/** Uploads whose hash is kept, some 1 KB each. Of one more the file is read again at its end. */
const most = 1_000

/** Knows no hash yet. */
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
