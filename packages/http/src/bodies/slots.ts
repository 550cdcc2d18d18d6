/**
 * Bytes per second that all large bodies and responses together may transfer while other callers
 * are active: the speed of a gigabit connection. Each 64 MB of them triggers a garbage collection
 * of a few milliseconds, in which nobody is answered. At twice, that delays more than one response
 * in fifty.
 */
const bytesPerSecond = 125e6

/** Other callers are considered active for this many milliseconds after a response. */
const aboutMs = 100

/** Waits that are shorter than a timer can measure are added up. */
const shortestWaitMs = 2

/**
 * Lets small requests go before large transfers: in each tick of the event loop only one body or
 * response moves a piece, so that a request waits for one and not for all. Request bodies with
 * files need slots, and so do responses that are computed while they are sent. A file on disk is
 * sent without slots on purpose: it costs little.
 */
export interface Slots {
  /**
   * Resolves in a tick of the event loop that belongs to the caller, for moving this many bytes.
   */
  take(bytes: number): Promise<void>
  /**
   * Reports that a small request was answered. Must not be called for the responses of callers that
   * take slots: they would wait for themselves.
   */
  answered(): void
}

interface Waiting {
  readonly bytes: number
  readonly go: () => void
}

/** Creates an empty queue of slots. */
export function createSlots(): Slots {
  const waiting: Waiting[] = []
  let answeredAt = Number.NEGATIVE_INFINITY
  let freeAt = 0
  const schedule = () => {
    const wait = freeAt - performance.now()
    if (wait > shortestWaitMs) setTimeout(next, wait)
    else setImmediate(next)
  }
  const next = () => {
    const slot = waiting.shift()
    const now = performance.now()
    const areOthers = now - answeredAt < aboutMs
    freeAt = areOthers ? Math.max(freeAt, now) + ((slot?.bytes ?? 0) / bytesPerSecond) * 1000 : 0
    slot?.go()
    if (waiting.length > 0) schedule()
  }
  return {
    take: (bytes) =>
      new Promise((go) => {
        waiting.push({ bytes, go })
        if (waiting.length === 1) schedule()
      }),
    answered() {
      answeredAt = performance.now()
    },
  }
}

/** The same bytes, with a wait for a slot after each piece. */
export async function* interleaved(
  bytes: AsyncIterable<Uint8Array>,
  slots: Pick<Slots, 'take'>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk
    await slots.take(chunk.length)
  }
}
