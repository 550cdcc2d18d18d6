import type { StreamedEvent } from '@quire/contract/codec'

/** The source of the events of a stream. */
export interface EventsSource<T> {
  /**
   * Acquires what a reader needs while it reads; returns a function that releases it. Errors:
   * QuireError.
   */
  take(): () => void
  /** The events, until they end or `left` signals that nobody reads them any more. */
  follow(left: AbortSignal): AsyncIterable<StreamedEvent<T>>
}

/** How a stream is supervised. */
interface Watch {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
  /** Translates an error for the reader. */
  readonly report?: (error: unknown) => Error
}

/**
 * A stream of events as an answer: callers in process read the data, a transport sends the whole
 * events. Each iteration follows the source anew.
 */
export class ServedEvents<T> implements AsyncIterable<T> {
  readonly #source: EventsSource<T>
  readonly #watch: Watch

  constructor(source: EventsSource<T>, watch: Watch = {}) {
    this.#source = source
    this.#watch = watch
  }

  /** The same events, ended by the signal and with errors translated by `report`. */
  watched(watch: Watch): ServedEvents<T> {
    return new ServedEvents(this.#source, watch)
  }

  /**
   * The events with their ids and names. Errors: QuireError, immediately or while reading; the
   * signal's reason.
   */
  messages(): AsyncIterator<StreamedEvent<T>> {
    return reading(this.#source, this.#watch)
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    const messages = this.messages()
    return {
      async next() {
        const { done, value } = await messages.next()
        return done ? { done, value: undefined } : { done: false, value: value.data }
      },
      async return() {
        await messages.return?.()
        return { done: true, value: undefined }
      },
    }
  }
}

/** Not a generator, because a generator cannot be left while it waits for the next event. */
function reading<T>(
  source: EventsSource<T>,
  { signal, report = asThrown }: Watch,
): AsyncIterator<StreamedEvent<T>> {
  signal?.throwIfAborted()
  const release = source.take()
  const left = new AbortController()
  const events = source.follow(left.signal)[Symbol.asyncIterator]()
  const leave = () => {
    if (left.signal.aborted) return
    left.abort()
    release()
    signal?.removeEventListener('abort', leave)
  }
  signal?.addEventListener('abort', leave)
  const nextOf = async () => {
    try {
      return await events.next()
    } catch (error) {
      leave()
      throw report(error)
    }
  }
  return {
    async next() {
      const step = left.signal.aborted ? null : await nextOf()
      if (step && !step.done && !left.signal.aborted) return step
      leave()
      signal?.throwIfAborted()
      return { done: true, value: undefined }
    },
    async return() {
      leave()
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
}

function asThrown(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
