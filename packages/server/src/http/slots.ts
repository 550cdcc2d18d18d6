/**
 * Bytes a second that all large bodies and answers together may move while others ask: a line of a gigabit. Each 64 MB of them makes the
 * runtime look for what can be freed, for some ms in which nobody is answered: at twice, that is more than one answer in fifty.
 */
const bytesPerSecond = 125e6

/** Others are about when one was answered in so many ms. */
const aboutMs = 100

/** Debts shorter than a timer can wait for are paid together. */
const shortestWaitMs = 2

/**
 * Who moves many bytes lets those who ask for few go first: in each turn of the event loop one body or answer moves a piece, so that a
 * request waits for one and not for all. Bodies of files take turns, and answers that are put together as they go; a file that is sent
 * as it is kept takes none, on purpose: it costs little.
 */
export interface Slots {
  /** Resolves in a turn of the event loop that is the caller's alone, to move so many bytes in. */
  take(bytes: number): Promise<void>
  /** Somebody asked for little and was answered. Not to be told of the answers to those who take turns: they would wait for themselves. */
  answered(): void
}

interface Waiting {
  readonly bytes: number
  readonly go: () => void
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Shared by all that an app serves. */
    readonly slots: Slots
  }
}

/** Turns that nobody waits for yet. */
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
