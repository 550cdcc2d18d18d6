import type { Bytes } from '../ports/index.ts'
import { Serialized, type Answer } from './answer.ts'
import { ServedBytes } from './served-bytes.ts'
import { ServedEvents } from './served-events.ts'
import { ServedProxied } from './served-proxied.ts'

/** The bytes of a value as JSON; 0 for a value that is none. */
export function jsonBytes(value: unknown): number {
  try {
    return utf8Bytes(JSON.stringify(value) ?? '')
  } catch {
    return 0
  }
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/**
 * The bytes of an answer as it is now: of a file its size, whether it is read or not. 0 for what only
 * its reading shows (see `countedAnswer`), and for a stream of events.
 */
export function bytesOfAnswer(answer: Answer<unknown>): number {
  if (answer instanceof Serialized) return utf8Bytes(answer.text)
  if (answer instanceof ServedBytes) return answer.size ?? 0
  if (answer instanceof ServedProxied || answer instanceof ServedEvents) return 0
  return jsonBytes(answer)
}

/**
 * The same answer. If only its reading shows how many bytes it has, `end` is called with their number
 * when it was read, or when its reader leaves.
 */
export function countedAnswer(
  answer: Answer<unknown>,
  end: (bytes: number) => Promise<void>,
): Answer<unknown> {
  if (answer instanceof ServedProxied) {
    const { status, headers, body } = answer
    return new ServedProxied({ status, headers, body: body && countedBytes(body, end) })
  }
  if (!(answer instanceof ServedBytes) || answer.size !== null) return answer
  const { source } = answer
  return new ServedBytes({ ...source, open: async (range) => countedBytes(await source.open(range), end) })
}

/** The same bytes; `end` is called once with the number of those that were read. */
function countedBytes(bytes: Bytes, end: (bytes: number) => Promise<void>): Bytes {
  return {
    // Not a generator, because a generator cannot be left while it waits for the next bytes.
    [Symbol.asyncIterator]() {
      const parts = bytes[Symbol.asyncIterator]()
      let count = 0
      let ending: Promise<void> | undefined
      const ended = () => (ending ??= end(count))
      return {
        async next() {
          try {
            const step = await parts.next()
            if (step.done) await ended()
            else count += step.value.length
            return step
          } catch (error) {
            await ended()
            throw error
          }
        },
        async return() {
          await parts.return?.()
          await ended()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
