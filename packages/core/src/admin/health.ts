import type { Health, HealthCheck, HealthStatus } from '@quire/contract'
import { type Call } from '../engine/call.ts'
import { StoreUnavailable, type VitalSigns } from '../ports/index.ts'

/**
 * The time limit of a probe, in milliseconds. A component that needs longer will not answer normal
 * calls in time either.
 */
const probeMs = 2000

/**
 * Milliseconds that a due job may wait. A healthy queue takes a second. At half, a single long job
 * that occupies its slot would be reported.
 */
const longestWaitMs = 60_000

/**
 * The event loop delay in milliseconds from which the service rejects requests by default
 * (TRUST 4.2).
 */
const longestDelayMs = 250

/** The running jobs that are counted, at most. */
const mostCounted = 1000

type ProbeResult = Partial<Pick<HealthCheck, 'status' | 'message' | 'details'>>

/** Checks one component. If `run` throws, the component is unavailable. */
interface Probe {
  readonly name: HealthCheck['name']
  readonly run: () => Promise<ProbeResult>
  /** Details that are reported even if the component does not answer. */
  readonly details?: ProbeResult['details']
}

/** The components without which the service does not work. */
const needed: ReadonlySet<HealthCheck['name']> = new Set(['store', 'blobs', 'queue'])

/** Checks all components at the same time. Each check takes at most 2 s. Errors: `forbidden`. */
export async function getHealth(call: Call): Promise<Health> {
  const signs = await vitalSigns(call)
  const checks = await Promise.all(createProbes(call, signs).map((probe) => runProbe(call, probe)))
  return {
    status: worstOf(checks),
    time: call.now,
    version: signs?.version ?? null,
    uptimeSeconds: signs?.uptimeSeconds ?? null,
    checks,
  }
}

/** Unavailable if a needed component is; degraded by any other problem. */
function worstOf(checks: readonly HealthCheck[]): HealthStatus {
  if (checks.some(({ name, status }) => status === 'unavailable' && needed.has(name))) return 'unavailable'
  return checks.some(({ status }) => status !== 'ok') ? 'degraded' : 'ok'
}

/** Null if the process has no vital signs, or does not report them in time. */
async function vitalSigns({ environment: { vitals, log } }: Call): Promise<VitalSigns | null> {
  try {
    return vitals ? await inTime(vitals.read()) : null
  } catch (error) {
    log.write('error', 'health.failed', { check: 'vitals', message: String(error) })
    return null
  }
}

function createProbes(call: Call, signs: VitalSigns | null): readonly Probe[] {
  const { store, blobs } = call.environment
  const disk = signs?.disk
  return [
    { name: 'store', run: () => checkAnswer(store.ping()), ...(signs && { details: signs.store }) },
    { name: 'blobs', run: () => checkAnswer(blobs.ping()) },
    { name: 'queue', run: () => checkQueue(call) },
    { name: 'search', run: () => checkSearch(call) },
    ...(signs ? [{ name: 'process' as const, run: async () => checkProcess(signs) }] : []),
    ...(disk ? [{ name: 'disk' as const, run: async () => checkDisk(disk) }] : []),
  ]
}

async function runProbe(
  { environment: { log } }: Call,
  { name, run, details = {} }: Probe,
): Promise<HealthCheck> {
  const start = performance.now()
  const result = await inTime(run()).catch((error: unknown): ProbeResult => {
    log.write('error', 'health.failed', { check: name, message: String(error) })
    return { status: 'unavailable', message: messageOf(error) }
  })
  const ms = Math.round((performance.now() - start) * 10) / 10
  return { name, status: 'ok', message: '', details, ...result, ms }
}

function messageOf(error: unknown): string {
  if (error instanceof TooLate) return error.message
  const reported = error instanceof StoreUnavailable ? error.publicMessage : undefined
  if (reported !== undefined) return reported
  return 'It does not answer. The log shows the cause, as health.failed.'
}

class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** Errors: TooLate, and those of the probe. */
async function inTime<T>(probe: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new TooLate(`It did not answer within ${probeMs / 1000} s.`)),
    probeMs,
  )
  try {
    return await Promise.race([probe, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function checkAnswer(answer: Promise<void>): Promise<ProbeResult> {
  await answer
  return {}
}

async function checkQueue({ environment: { store }, shared, now }: Call): Promise<ProbeResult> {
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

/**
 * Counts one repository after the other, because each count walks an index and queues with other
 * long reads.
 */
async function checkSearch({ environment: { store } }: Call): Promise<ProbeResult> {
  const end = performance.now() + probeMs
  const repositories = await store.records.list('repository')
  let entities = 0
  for (const { id } of repositories) {
    // The probe has already been reported as too late.
    if (performance.now() > end) break
    entities += await store.indexes.size(id)
  }
  return { details: { repositories: repositories.length, entities } }
}

function checkProcess({ loopDelayMs, rssBytes, heapBytes }: VitalSigns): ProbeResult {
  const details = { loopDelayMs, rssBytes, heapBytes }
  if (loopDelayMs <= longestDelayMs) return { details }
  const message = `The event loop is ${Math.round(loopDelayMs)} ms late: the process has more work than it can handle.`
  return { status: 'degraded', message, details }
}

function checkDisk({ freeBytes, neededBytes }: NonNullable<VitalSigns['disk']>): ProbeResult {
  const details = { freeBytes, neededBytes }
  if (freeBytes >= neededBytes) return { details }
  return {
    status: 'degraded',
    message: 'The disk is almost full, and requests that add content are rejected. Free some space.',
    details,
  }
}
