import { QuireError } from '@quire/contract'
import type { Meter } from '@quire/core'
import { LRUCache } from 'lru-cache'

/**
 * Measures how much time of the only JavaScript thread each caller uses. Only long uses count,
 * because others wait that long for a response. A thousand short requests are limited by the rates.
 */
export interface ThreadTime {
  /**
   * Charges a caller for the time from `begin` to `end`, to the next `begin` of any caller, or to
   * the end of the tick.
   */
  meterOf(caller: string): Meter
  /**
   * `too_many_requests` for a caller who kept the thread busy for more than `allowedMs`, minus what
   * was paid off since, while others were active.
   */
  refusal(caller: string, allowedMs?: number): QuireError | undefined
  /** Whether any caller is refused. */
  refusesAny(): boolean
}

/**
 * Milliseconds up to which a use of the thread is free, because nobody notices it. At twice, four
 * callers at once could delay the others by 80 ms unnoticed.
 */
const longMs = 10

/**
 * The share of the thread's time that one caller may take in long uses while others are active, and
 * the milliseconds of it at once.
 */
const share = 0.25
const burstMs = 250

/**
 * Another caller is active for this many milliseconds after it was served. A caller who is alone
 * may take all the time.
 */
const aboutMs = 1000

const mostCallers = 10_000

/** Clocks to measure with. */
export interface Clocks {
  /** Milliseconds. */
  readonly now: () => number
  /** CPU time of this thread in milliseconds. */
  readonly worked: () => number
}

const clocks: Clocks = {
  now: () => performance.now(),
  worked() {
    // Before Node 23.9 there is no such clock: elapsed time is used, which includes other work of
    // the machine.
    if (typeof process.threadCpuUsage !== 'function') return performance.now()
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}

/** CPU time that was read at a time. Both in milliseconds. */
interface CpuTime {
  readonly at: number
  readonly worked: number
}

/**
 * Milliseconds for which a reading is used again: to read the CPU time takes two system calls. At
 * twice, a long use could be charged with 10 ms of what others did before it.
 */
const readingMs = 5

/** The caller that was served last, and when. */
interface LastCaller {
  readonly caller: string
  readonly at: number
}

/** Creates a measurement in which no caller owes time. */
export function createThreadTime({ now, worked }: Clocks = clocks): ThreadTime {
  // Debts as in `rate.ts`: the time at which a caller's debt is paid off.
  const paidAt = new LRUCache<string, number>({ max: mostCallers })
  let allPaidAt = 0
  let working: string | null = null
  let since = 0
  let reading: CpuTime = { at: Number.NEGATIVE_INFINITY, worked: 0 }
  let willEnd = false
  let last: LastCaller = { caller: '', at: Number.NEGATIVE_INFINITY }
  let lastOther = last

  const aheadOf = (caller: string) => Math.max((paidAt.get(caller) ?? 0) - now(), 0)
  const endSlice = () => {
    if (working === null) return
    const end = now()
    const elapsed = end - since
    // A short slice needs no look at the CPU time, which is never more than what elapsed.
    const took = elapsed > longMs ? Math.min(elapsed, worked() - reading.worked) : 0
    if (took > longMs) {
      const paid = end + aheadOf(working) + took / share
      paidAt.set(working, paid)
      allPaidAt = Math.max(allPaidAt, paid)
    }
    working = null
  }
  const afterSlice = () => {
    willEnd = false
    endSlice()
  }
  const begin = (caller: string) => {
    endSlice()
    if (caller !== last.caller) lastOther = last
    const at = now()
    last = { caller, at }
    working = caller
    since = at
    if (at - reading.at > readingMs) reading = { at, worked: worked() }
    if (willEnd) return
    willEnd = true
    // Runs when the promises of this tick are settled. With `setImmediate`, the slice would include
    // the work of others that yielded to the loop, which goes on there.
    queueMicrotask(() => process.nextTick(afterSlice))
  }
  return {
    meterOf: (caller) => ({
      begin: () => begin(caller),
      end: () => {
        if (working === caller) endSlice()
      },
    }),
    refusal(caller, allowedMs = burstMs) {
      const other = caller === last.caller ? lastOther : last
      const isAlone = now() - other.at > aboutMs
      const ahead = aheadOf(caller) - allowedMs / share
      if (isAlone || ahead <= 0) return undefined
      const message = 'Your requests delay other callers: wait, then send smaller requests.'
      return new QuireError('too_many_requests', message, {
        details: { retryAfter: Math.max(1, Math.ceil(ahead / 1000)) },
      })
    },
    refusesAny: () => allPaidAt - burstMs / share > now(),
  }
}
