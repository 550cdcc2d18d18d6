import { NewAccessConfiguration, parseAs, QuireError, type UpstreamAuth } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { authHeaders, withoutSlash } from '../../engine/upstream.ts'
import { openedMembers } from './configurations.ts'
import { type AccessConfigurationRecord } from './record.ts'
import type { JsonObject } from '../../ports/index.ts'

/** What one caller may use of an upstream, and in which time. */
type Budget = Readonly<NonNullable<Known['budget']>>

type Known = ReturnType<typeof knownMembers>

/** An upstream with what opens it. Nothing of it is shown to whoever uses it. */
export interface Upstream extends Pick<AccessConfigurationRecord, 'id' | 'name' | 'type'> {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** What says there who we are. */
  readonly credentials: readonly (readonly [name: string, value: string])[]
  readonly allowedMethods: readonly string[]
  readonly allowedPaths: readonly string[]
  /** The language model that is asked where nothing names one. */
  readonly model: string | null
  /** Ms for a whole answer, and bytes of a body; undefined: as is usual for what is asked. */
  readonly timeoutMs: number | undefined
  readonly maxBytes: number | undefined
  readonly budget: Budget | undefined
}

/** The upstream of an access configuration. Errors: `not_found`, also for one that has no address. */
export async function findUpstream({ store, environment }: Call, id: string): Promise<Upstream> {
  const found = await store.records.get('accessConfiguration', id)
  const members = found && knownMembers(found, await openedMembers(environment, found))
  if (!found || members?.baseUrl === undefined) throw unknownUpstream(id)
  const { allowedMethods = [], allowedPaths = [], timeoutMs, maxBytes, budget } = members
  return {
    id,
    name: found.name,
    type: found.type,
    baseUrl: withoutSlash(members.baseUrl),
    credentials: authHeaders(authOf(members)),
    allowedMethods,
    allowedPaths,
    model: members.model ?? null,
    timeoutMs,
    maxBytes,
    budget,
  }
}

/** The error for an upstream that is not there for whoever asks. */
export function unknownUpstream(id: string): QuireError {
  return new QuireError('not_found', `There is no upstream "${id}" here.`)
}

/** What we know of the members that a provider has. Errors: throws for members that were never let in. */
export function knownMembers(
  { name, type }: Pick<AccessConfigurationRecord, 'name' | 'type'>,
  members: JsonObject,
) {
  const parsed = parseAs(NewAccessConfiguration, { ...members, name, type })
  if ('issues' in parsed) throw new Error(`An access configuration is stored that is none: ${name}`)
  return parsed.value
}

function authOf({ apiKey, auth }: Pick<Known, 'apiKey' | 'auth'>): UpstreamAuth {
  return auth ?? (apiKey === undefined ? { kind: 'none' } : { kind: 'bearer', token: apiKey })
}

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
