import { refused } from './refusal.ts'

/** Limits of a turnstile. */
export interface TurnstileLimits {
  readonly parallel: number
  readonly queue: number
  readonly seconds: number
}

/** A task, and how to load its input. */
export interface QueuedTask<S, T> {
  readonly load: () => Promise<S>
  readonly run: (loaded: S) => Promise<T>
}

/** Runs a limited number of tasks at a time. */
export interface Turnstile {
  /**
   * Runs a task and returns its result. A waiting task has loaded nothing. A slow task holds its
   * slot until it has really ended, because libvips cannot be stopped in the middle of an encoder.
   * Errors: those of loading, whose time does not count; MediaRefused `busy` when the queue is
   * full, `slow` when the task takes too long.
   */
  pass<S, T>(work: QueuedTask<S, T>): Promise<T>
}

/** Creates an empty turnstile. */
export function createTurnstile({ parallel, queue, seconds }: TurnstileLimits): Turnstile {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async () => {
    if (running < parallel) {
      running += 1
      return
    }
    if (waiting.length >= queue) throw refused('busy')
    // A finished task hands its slot to the next waiting one, so that a later one cannot take it.
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
