import { NewAccessConfiguration, parseAs, QuireError, type UpstreamAuth } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { authHeaders, withoutSlash } from '../../engine/upstream.ts'
import { openMembers } from './configurations.ts'
import { type AccessConfigurationRecord } from './record.ts'
import type { JsonObject } from '../../ports/index.ts'

/** What one caller may use of an upstream in a period. */
type Budget = Readonly<NonNullable<KnownMembers['budget']>>

type KnownMembers = ReturnType<typeof knownMembers>

/** An upstream with its credentials. Callers who use it see none of it. */
export interface Upstream extends Pick<AccessConfigurationRecord, 'id' | 'name' | 'type'> {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The headers that authenticate this service. */
  readonly credentials: readonly (readonly [name: string, value: string])[]
  readonly allowedMethods: readonly string[]
  readonly allowedPaths: readonly string[]
  /** The default language model; null if there is none. */
  readonly model: string | null
  /**
   * The time limit for a whole answer, in milliseconds; undefined: the default of the operation.
   */
  readonly timeoutMs: number | undefined
  /** The size limit of a body, in bytes; undefined: the default of the operation. */
  readonly maxBytes: number | undefined
  readonly budget: Budget | undefined
}

/**
 * The upstream of an access configuration. Errors: `not_found`, also for a configuration without a
 * base URL.
 */
export async function findUpstream({ store, environment }: Call, id: string): Promise<Upstream> {
  const found = await store.records.get('accessConfiguration', id)
  const members = found && knownMembers(found, await openMembers(environment, found))
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

/**
 * The error for an upstream that does not exist, or that the caller cannot use for this purpose.
 */
export function unknownUpstream(id: string): QuireError {
  return new QuireError('not_found', `There is no upstream "${id}" that can be used here.`)
}

/**
 * Parses the members of a configuration that the service knows. Errors: throws for invalid members,
 * which are never stored.
 */
export function knownMembers(
  { name, type }: Pick<AccessConfigurationRecord, 'name' | 'type'>,
  members: JsonObject,
) {
  const parsed = parseAs(NewAccessConfiguration, { ...members, name, type })
  if ('issues' in parsed) throw new Error(`The stored access configuration "${name}" is invalid.`)
  return parsed.value
}

function authOf({ apiKey, auth }: Pick<KnownMembers, 'apiKey' | 'auth'>): UpstreamAuth {
  return auth ?? (apiKey === undefined ? { kind: 'none' } : { kind: 'bearer', token: apiKey })
}

type BudgetCall = Pick<Call, 'identity' | 'now' | 'store' | 'write'>

/**
 * Counts a request of the caller to an upstream, even if it fails later. Errors:
 * `too_many_requests` with the seconds until the next period if the budget of requests or of tokens
 * is used up.
 */
export async function spendRequest(call: BudgetCall, upstream: Upstream): Promise<void> {
  const { budget } = upstream
  if (!budget) return
  const period = periodOf(budget, call.now)
  const used = Number((await call.store.ephemera.get(keyOf(call, upstream, 'tokens'), call.now)) ?? 0)
  if (budget.tokens !== undefined && used >= budget.tokens) throw usedUp(call, period)
  if (budget.requests === undefined) return
  const key = keyOf(call, upstream, 'requests')
  const count = await call.write(({ store }) => store.ephemera.increment(key, call.now, period.end))
  if (count > budget.requests) throw usedUp(call, period)
}

/** Counts tokens that the caller used. They count in the period in which the request arrived. */
export async function spendTokens(call: BudgetCall, upstream: Upstream, tokens: number): Promise<void> {
  const { budget } = upstream
  if (budget?.tokens === undefined || tokens <= 0) return
  const key = keyOf(call, upstream, 'tokens')
  await call.write(async ({ store }) => {
    const used = Number((await store.ephemera.get(key, call.now)) ?? 0)
    await store.ephemera.put(key, String(used + tokens), periodOf(budget, call.now).end)
  })
}

/** A calendar period in UTC, in Unix ms. `end` is exclusive. */
interface Period {
  readonly start: number
  readonly end: number
}

/** The period of a budget that contains a time in Unix ms. */
export function periodOf({ per }: Pick<Budget, 'per'>, now: number): Period {
  if (per === 'month') {
    const at = new Date(now)
    const month = (more: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more)
    return { start: month(0), end: month(1) }
  }
  const length = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }[per]
  const start = now - (now % length)
  return { start, end: start + length }
}

function keyOf({ identity, now }: BudgetCall, { id, budget }: Upstream, what: 'requests' | 'tokens'): string {
  const start = budget ? periodOf(budget, now).start : 0
  return `budget:${id}:${identity.owner}:${what}:${budget?.per}:${start}`
}

function usedUp({ now }: BudgetCall, { end }: Period): QuireError {
  return new QuireError('too_many_requests', 'Your budget for this upstream is used up: see Retry-After.', {
    details: { retryAfter: Math.ceil((end - now) / 1000) },
  })
}
