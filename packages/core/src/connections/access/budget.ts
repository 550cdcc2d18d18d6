import { QuireError } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import type { Budget, Upstream } from './upstream.ts'

type Counting = Pick<Call, 'identity' | 'now' | 'store' | 'write'>

/**
 * Counts a request of the caller to an upstream, whatever becomes of it. Errors: `too_many_requests` with the seconds until its budget is new,
 * also where its tokens are used up.
 */
export async function spendRequest(call: Counting, upstream: Upstream): Promise<void> {
  const { budget } = upstream
  if (!budget) return
  const span = spanOf(budget, call.now)
  const used = Number((await call.store.ephemera.get(keyOf(call, upstream, 'tokens'), call.now)) ?? 0)
  if (budget.tokens !== undefined && used >= budget.tokens) throw usedUp(call, span)
  if (budget.requests === undefined) return
  const key = keyOf(call, upstream, 'requests')
  const count = await call.write(({ store }) => store.ephemera.increment(key, call.now, span.end))
  if (count > budget.requests) throw usedUp(call, span)
}

/** Counts tokens that the caller used. They count in the time in which its request came. */
export async function spendTokens(call: Counting, upstream: Upstream, tokens: number): Promise<void> {
  const { budget } = upstream
  if (budget?.tokens === undefined || tokens <= 0) return
  const key = keyOf(call, upstream, 'tokens')
  await call.write(async ({ store }) => {
    const used = Number((await store.ephemera.get(key, call.now)) ?? 0)
    await store.ephemera.put(key, String(used + tokens), spanOf(budget, call.now).end)
  })
}

/** The time that a budget is for: as the calendar has it, in UTC. */
interface Span {
  readonly start: number
  readonly end: number
}

/** The time of a budget that a moment (Unix ms) is in. */
export function spanOf({ per }: Pick<Budget, 'per'>, now: number): Span {
  if (per === 'month') {
    const at = new Date(now)
    const month = (more: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more)
    return { start: month(0), end: month(1) }
  }
  const length = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }[per]
  const start = now - (now % length)
  return { start, end: start + length }
}

function keyOf({ identity, now }: Counting, { id, budget }: Upstream, what: 'requests' | 'tokens'): string {
  const start = budget ? spanOf(budget, now).start : 0
  return `budget:${id}:${identity.owner}:${what}:${budget?.per}:${start}`
}

function usedUp({ now }: Counting, { end }: Span): QuireError {
  return new QuireError('too_many_requests', 'Your budget at this upstream is used up: see Retry-After.', {
    details: { retryAfter: Math.ceil((end - now) / 1000) },
  })
}
