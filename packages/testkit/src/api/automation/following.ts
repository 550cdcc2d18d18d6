import type { Streamed } from '@quire/contract'

/** Reads `count` values of a stream and leaves it. Errors: when the stream ends earlier. */
export async function firstOf<T>(stream: Streamed<T>, count: number): Promise<T[]> {
  const read: T[] = []
  for await (const one of stream) {
    read.push(one)
    if (read.length === count) return read
  }
  throw new Error(`the stream ended after ${read.length} of ${count}`)
}

/** Reads a stream to its end. */
export async function allOf<T>(stream: Streamed<T>): Promise<T[]> {
  const read: T[] = []
  for await (const one of stream) read.push(one)
  return read
}

/**
 * Reads a stream in the background. Returns the first value, and a function that leaves the stream.
 */
export function reading<T>(stream: Streamed<T>) {
  const iterator = stream[Symbol.asyncIterator]()
  const first = iterator.next()
  return { first, leave: async () => void (await iterator.return?.()) }
}
