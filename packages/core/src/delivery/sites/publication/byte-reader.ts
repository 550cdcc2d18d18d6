import type { Bytes } from '../../../ports/index.ts'

/** Reads bytes by count, from the first on. */
export interface ByteReader {
  /** Passes over so many bytes, or all that are left. */
  skip(count: number): Promise<void>
  /** The next so many bytes, copied; null when there are fewer. */
  take(count: number): Promise<Uint8Array<ArrayBuffer> | null>
  /** Releases what is read. */
  close(): Promise<void>
}

/** Reads a source by count. Memory: one chunk of it and what is taken. */
export function readingBytes(source: Bytes): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array()
  /** Hands on up to `count` bytes; resolves with how many there were. */
  const pass = async (count: number, put: (bytes: Uint8Array, at: number) => void) => {
    let proxied = 0
    while (proxied < count) {
      if (chunk.length === 0) {
        const { done, value } = await chunks.next()
        if (done === true) break
        chunk = value
      }
      const some = chunk.subarray(0, count - proxied)
      put(some, proxied)
      proxied += some.length
      chunk = chunk.subarray(some.length)
    }
    return proxied
  }
  return {
    async skip(count) {
      await pass(count, () => {})
    },
    async take(count) {
      const filled = new Uint8Array(count)
      const size = await pass(count, (bytes, at) => filled.set(bytes, at))
      return size === count ? filled : null
    },
    async close() {
      await chunks.return?.()
    },
  }
}
