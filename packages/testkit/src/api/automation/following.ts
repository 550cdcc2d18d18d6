import type { Streamed } from '@quire/contract'

/** Reads so many of what comes and leaves. Errors: when it ends before. */
export async function firstOf<T>(stream: Streamed<T>, count: number): Promise<T[]> {
  const read: T[] = []
  for await (const one of stream) {
    read.push(one)
    if (read.length === count) return read
  }
  throw new Error(`the stream ended after ${read.length} of ${count}`)
}

/** Reads all that comes, to its end. */
export async function allOf<T>(stream: Streamed<T>): Promise<T[]> {
  const read: T[] = []
  for await (const one of stream) read.push(one)
  return read
}

/** Begins to read and does not stop: the first of what comes, and what leaves it. */
export function reading<T>(stream: Streamed<T>) {
  const iterator = stream[Symbol.asyncIterator]()
  const first = iterator.next()
  return { first, leave: async () => void (await iterator.return?.()) }
}
