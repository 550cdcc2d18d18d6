import { QuireError } from '@quire/contract'
import type { Meter } from '@quire/core'
import { LRUCache } from 'lru-cache'

/**
 * What each caller takes of the one thread that serves all. Only what holds it for long counts: others wait that long for an answer,
 * and a thousand short requests are the rates' to bound.
 */
export interface ThreadTime {
  /** Charges to a caller what is done from its `begin` to its `end`, to the next `begin` of anybody, or to the end of the turn. */
  meterOf(caller: string): Meter
  /** `too_many_requests` for whoever kept the thread busy for more than so many ms, less what was paid since, while others asked. */
  refusal(caller: string, allowedMs?: number): QuireError | undefined
  /** Whether anybody is refused. */
  refusesAny(): boolean
}

/** Shorter stretches are free: nobody notices them. At twice, four callers at once could keep the others waiting for 80 ms unseen. */
const longMs = 10

/** So much of the thread's time one caller may take in long stretches while others ask, and so many ms of it at once. */
const share = 0.25
const burstMs = 250

/** Others ask when one of them was served in so many ms: who is alone may take all. */
const aboutMs = 1000

const mostCallers = 10_000

/** What time is told by. */
export interface Clocks {
  /** Milliseconds. */
  readonly now: () => number
  /** Milliseconds that this thread was at work. */
  readonly worked: () => number
}

const clocks: Clocks = {
  now: () => performance.now(),
  worked() {
    // Before Node 23.9 all that the machine did meanwhile counts.
    if (typeof process.threadCpuUsage !== 'function') return performance.now()
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}

/** Who was served last, and when. */
interface LastCaller {
  readonly caller: string
  readonly at: number
}

/** Nobody owes anything yet. */
export function createThreadTime({ now, worked }: Clocks = clocks): ThreadTime {
  // Debts as in `rate.ts`: the time at which a caller has paid.
  const paidAt = new LRUCache<string, number>({ max: mostCallers })
  let allPaidAt = 0
  let working: string | null = null
  let since = 0
  let willEnd = false
  let last: LastCaller = { caller: '', at: Number.NEGATIVE_INFINITY }
  let lastOther = last

  const aheadOf = (caller: string) => Math.max((paidAt.get(caller) ?? 0) - now(), 0)
  const endSlice = () => {
    if (working === null) return
    const took = worked() - since
    if (took > longMs) {
      const paid = now() + aheadOf(working) + took / share
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
    last = { caller, at: now() }
    working = caller
    since = worked()
    if (willEnd) return
    willEnd = true
    setImmediate(afterSlice)
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
      const message = 'What you send keeps others waiting: wait, then send smaller requests.'
      return new QuireError('too_many_requests', message, {
        details: { retryAfter: Math.max(1, Math.ceil(ahead / 1000)) },
      })
    },
    refusesAny: () => allPaidAt - burstMs / share > now(),
  }
}
