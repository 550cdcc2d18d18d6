import { refused } from './refusal.ts'

/** How much may be under way. */
export interface TurnstileLimits {
  readonly parallel: number
  readonly queue: number
  readonly seconds: number
}

/** Work on what is loaded for it. */
export interface QueuedTask<S, T> {
  readonly load: () => Promise<S>
  readonly run: (loaded: S) => Promise<T>
}

/** Lets so many works run at a time. */
export interface Turnstile {
  /**
   * What the work gives. What waits has loaded nothing. Errors: those of loading, whose time does not count; MediaRefused `busy` when
   * the queue is full, `slow` when the work takes longer than it may; it holds its place until it has really ended, since libvips
   * cannot be stopped in the middle of an encoder.
   */
  pass<S, T>(work: QueuedTask<S, T>): Promise<T>
}

/** Opens a turnstile that is empty. */
export function createTurnstile({ parallel, queue, seconds }: TurnstileLimits): Turnstile {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async () => {
    if (running < parallel) {
      running += 1
      return
    }
    if (waiting.length >= queue) throw refused('busy')
    // Whoever leaves hands the place on, so that nobody who comes later gets it in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return {
    async pass({ load, run }) {
      await enter()
      const loaded = await load().catch((error: unknown) => {
        leave()
        throw error
      })
      return within(seconds, run(loaded).finally(leave))
    },
  }
}

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refused('slow')), seconds * 1_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
