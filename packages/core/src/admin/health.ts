import type { Health, HealthCheck, HealthStatus } from '@quire/contract'
import { type Call } from '../engine/call.ts'
import { StoreUnavailable, type VitalSigns } from '../ports/index.ts'

/** Ms that a look may take: what does not answer within them will not answer the next call in time either. */
const longestLookMs = 2000

/** Ms that a job may wait once it is due. A healthy queue takes a second; at half, one long job that holds its place tells of it. */
const longestWaitMs = 60_000

/** Ms of delay from which on the service refuses requests, unless it was told another limit (TRUST 4.2). */
const longestDelayMs = 250

/** Jobs that are counted. */
const mostCounted = 1000

type Seen = Partial<Pick<HealthCheck, 'status' | 'message' | 'details'>>

/** Something to look at. What it throws counts as no answer. */
interface Look {
  readonly name: HealthCheck['name']
  readonly look: () => Promise<Seen>
  /** What is told of it also where it does not answer. */
  readonly details?: Seen['details']
}

/** What the service cannot do without. */
const needed: ReadonlySet<HealthCheck['name']> = new Set(['store', 'blobs', 'queue'])

/** Looks at everything that the service stands on, at the same time. Errors: `forbidden`. */
export async function getHealth(call: Call): Promise<Health> {
  const signs = await vitalSigns(call)
  const checks = await Promise.all(looksOf(call, signs).map((look) => checked(call, look)))
  return {
    status: worstOf(checks),
    time: call.now,
    version: signs?.version ?? null,
    uptimeSeconds: signs?.uptimeSeconds ?? null,
    checks,
  }
}

/** The worst of what is needed; degraded by any other. */
function worstOf(checks: readonly HealthCheck[]): HealthStatus {
  if (checks.some(({ name, status }) => status === 'unavailable' && needed.has(name))) return 'unavailable'
  return checks.some(({ status }) => status !== 'ok') ? 'degraded' : 'ok'
}

/** Null where the process tells nothing, or not in time. */
async function vitalSigns({ environment: { vitals, log } }: Call): Promise<VitalSigns | null> {
  try {
    return vitals ? await inTime(vitals.read()) : null
  } catch (error) {
    log.write('error', 'health.failed', { check: 'vitals', message: String(error) })
    return null
  }
}

function looksOf(call: Call, signs: VitalSigns | null): readonly Look[] {
  const { store, blobs } = call.environment
  const disk = signs?.disk
  return [
    { name: 'store', look: () => answering(store.ping()), ...(signs && { details: signs.store }) },
    { name: 'blobs', look: () => answering(blobs.ping()) },
    { name: 'queue', look: () => lookAtQueue(call) },
    { name: 'search', look: () => lookAtSearch(call) },
    ...(signs ? [{ name: 'process' as const, look: async () => seenOfProcess(signs) }] : []),
    ...(disk ? [{ name: 'disk' as const, look: async () => seenOfDisk(disk) }] : []),
  ]
}

async function checked(
  { environment: { log } }: Call,
  { name, look, details = {} }: Look,
): Promise<HealthCheck> {
  const start = performance.now()
  const seen = await inTime(look()).catch((error: unknown): Seen => {
    log.write('error', 'health.failed', { check: name, message: String(error) })
    return { status: 'unavailable', message: messageOf(error) }
  })
  const ms = Math.round((performance.now() - start) * 10) / 10
  return { name, status: 'ok', message: '', details, ...seen, ms }
}

function messageOf(error: unknown): string {
  if (error instanceof TooLate) return error.message
  const reported = error instanceof StoreUnavailable ? error.publicMessage : undefined
  if (reported !== undefined) return reported
  return 'It does not answer: the log says why, as health.failed.'
}

class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** Errors: TooLate, and those of the look. */
async function inTime<T>(looking: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new TooLate(`It did not answer within ${longestLookMs / 1000} s.`)),
    longestLookMs,
  )
  try {
    return await Promise.race([looking, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function answering(answer: Promise<void>): Promise<Seen> {
  await answer
  return {}
}

async function lookAtQueue({ environment: { store }, shared, now }: Call): Promise<Seen> {
  const [next, running] = await Promise.all([
    store.jobs.nextDue(shared.jobKinds),
    store.jobs.running(mostCounted),
  ])
  const waitingMs = now - Math.min(now, ...next.values())
  const details = { waitingMs, running: running.length }
  if (waitingMs <= longestWaitMs) return { details }
  const seconds = Math.round(waitingMs / 1000)
  const message = `The oldest job that is due has waited for ${seconds} s: look at GET /api/queue.`
  return { status: 'degraded', message, details }
}

/** One repository after the other: to count is to walk an index, behind other long reads. */
async function lookAtSearch({ environment: { store } }: Call): Promise<Seen> {
  const end = performance.now() + longestLookMs
  const repositories = await store.records.list('repository')
  let entities = 0
  for (const { id } of repositories) {
    // Who asked was told by now that it takes too long.
    if (performance.now() > end) break
    entities += await store.indexes.size(id)
  }
  return { details: { repositories: repositories.length, entities } }
}

function seenOfProcess({ loopDelayMs, rssBytes, heapBytes }: VitalSigns): Seen {
  const details = { loopDelayMs, rssBytes, heapBytes }
  if (loopDelayMs <= longestDelayMs) return { details }
  const message = `The event loop is ${Math.round(loopDelayMs)} ms late: there is more to do than one process can.`
  return { status: 'degraded', message, details }
}

function seenOfDisk({ freeBytes, neededBytes }: NonNullable<VitalSigns['disk']>): Seen {
  const details = { freeBytes, neededBytes }
  if (freeBytes >= neededBytes) return { details }
  return {
    status: 'degraded',
    message: 'What would add content is refused for want of room: free space on the disk.',
    details,
  }
}
