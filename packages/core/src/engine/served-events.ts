import type { StreamedEvent } from '@quire/contract/codec'

/** Where the events of a stream come from. */
export interface EventsSource<T> {
  /** Takes what a reader holds while it reads; the answer gives it back. Errors: QuireError. */
  take(): () => void
  /** The events, until they end or `left` says that nobody reads them any more. */
  follow(left: AbortSignal): AsyncIterable<StreamedEvent<T>>
}

/** How a stream is watched over. */
interface Watch {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
  /** What the reader is told of what is thrown. */
  readonly report?: (error: unknown) => Error
}

/** Events as an operation answers them: a caller in process reads their data, a door sends them whole. Each reading follows anew. */
export class ServedEvents<T> implements AsyncIterable<T> {
  readonly #source: EventsSource<T>
  readonly #watch: Watch

  constructor(source: EventsSource<T>, watch: Watch = {}) {
    this.#source = source
    this.#watch = watch
  }

  /** The same events, ended by the signal, and with what they fail at told by `report`. */
  watched(watch: Watch): ServedEvents<T> {
    return new ServedEvents(this.#source, watch)
  }

  /** The events with what a door says of them. Errors: QuireError, when it is called and while they come; the signal's reason. */
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

/** No generator: one that waits for its next event could not be left before that has come. */
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
