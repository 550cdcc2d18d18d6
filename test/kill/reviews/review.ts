import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { act, type Act, type Acted } from '../../workflow/act.ts'
import { signed, notifyText, textOf, type CallbackSent } from '../../workflow/call-back.ts'
import type { EngineStandIn } from '../../workflow/engine.ts'
import { repository } from '../../workflow/world.ts'
import { callApi } from '../../server/api-access.ts'
import type { Ledger, Reviewed } from './ledger.ts'
import type { Aim } from './moments.ts'
import type { Location } from './location.ts'

/** The participants of a review. */
export interface Reviewing {
  readonly location: Location
  readonly engine: EngineStandIn
  readonly aim: Aim
  readonly ledger: Ledger
  /** Ms that one step may take, counted from the last kill. */
  readonly patienceMs: number
}

/** `tell`: a callback that does not change the step; `end`: a callback that reports completion. */
type Step = Omit<Act, 'packageName' | 'key'> | 'tell' | 'end'

const start: Step = { event: 'start' }
const approve: Step = { event: 'approve', comment: 'Fine' }
const reject: Step = { event: 'reject', comment: 'Not yet' }
const route: Step = { event: 'route', targetStep: 'legal' }

/** The scripts of reviews. Each review completes. */
const scripts: readonly (readonly Step[])[] = [
  [start, approve, 'tell', approve],
  [start, 'tell', reject, approve, approve],
  [start, route, 'tell', 'end'],
  [start, 'tell', approve, 'tell', reject, route, approve],
  [start, 'end'],
]

/** Ms between two checks. */
const betweenMs = 100
/**
 * Ms for which a patient reviewer waits for the service to find out. The service retries 1 s after
 * the timeout of an answer.
 */
const leftMs = 4000

/** Takes a package with a new item through a review, despite all kills. */
export async function review(reviewing: Reviewing, packageName: string): Promise<void> {
  const { location, ledger } = reviewing
  const reviewed: Reviewed = { packageName, wanted: [], stuck: null }
  ledger.reviews.push(reviewed)
  const script = scripts[ledger.reviews.length % scripts.length] ?? []
  try {
    await prepare(location, packageName)
    for (const step of script) {
      if (step === 'tell') await notificationOf(reviewing, { packageName, status: 'active' })
      else if (step === 'end') await notificationOf(reviewing, { packageName, status: 'completed' })
      else await actUntilDone(reviewing, reviewed, step)
    }
  } catch (error) {
    reviewed.stuck = error instanceof Error ? error.message : String(error)
  }
}

async function prepare(location: Location, packageName: string): Promise<void> {
  const idempotent = { path: `/api/content/management/packages/${repository}`, body: { name: packageName } }
  await untilUp(location, idempotent, /name_taken/)
  const item = { repositoryId: repository, packageName, type: 'note', name: `Note of ${packageName}` }
  // If the answer to the first request was lost, there are two items. The package then contains
  // both.
  await untilUp(location, { path: '/api/items', body: item }, /never/)
}

async function untilUp(
  location: Location,
  asked: { path: string; body: object },
  isDone: RegExp,
): Promise<void> {
  for (;;) {
    const kills = location.kills()
    try {
      await callApi(await location.up(), 'POST', asked)
      return
    } catch (error) {
      if (isDone.test(String(error))) return
      if (kills === location.kills()) throw error
      await wait(betweenMs)
    }
  }
}

async function actUntilDone(
  { location, patienceMs }: Reviewing,
  { packageName, wanted }: Reviewed,
  step: Exclude<Step, string>,
): Promise<void> {
  wanted.push(step.event)
  const key = randomUUID()
  const isPatient = Math.random() < 0.3
  const isTooLate = patience(location, patienceMs)
  for (;;) {
    const served = await location.up()
    const acted = await act(served, { ...step, packageName, key }).catch(() => null)
    if (acted?.status === 200) return
    if (isTooLate() || (acted && !isPassing(acted)))
      throw new Error(`${step.event} was answered with ${acted?.status}: ${acted?.body.message}`)
    if (isPatient && (await isInTime(location, packageName, wanted.length))) return
    await wait(betweenMs)
  }
}

/**
 * Returns a function that tells whether a step takes too long. The time restarts with each kill.
 */
function patience(location: Location, ms: number): () => boolean {
  let kills = location.kills()
  let until = performance.now() + ms
  return () => {
    if (kills !== location.kills()) {
      kills = location.kills()
      until = performance.now() + ms
    }
    return performance.now() > until
  }
}

/** Messages of temporary rejections, after which the same request must be retried. */
const passing: readonly RegExp[] = [
  /is already pending/,
  /is unknown whether/,
  /could not be reached/,
  /Other requests are changing this workflow/,
  /was changed in the meantime/,
  // The callback revealed the start; the address arrives only with the answer.
  /named no address/,
]

function isPassing({ status, body }: Acted): boolean {
  return status === 503 || (status === 400 && passing.some((words) => words.test(body.message)))
}

/** Waits for the service to retry by itself. Returns whether it did so in time. */
async function isInTime(location: Location, packageName: string, count: number): Promise<boolean> {
  const until = performance.now() + leftMs
  const path = `/api/workflow/${repository}/${encodeURIComponent(packageName)}`
  while (performance.now() < until) {
    const seen = await location
      .up()
      .then((served) => callApi<Seen>(served, 'GET', { path }))
      .catch(() => null)
    const history = seen?.workflowInfo?.history ?? []
    if (history.filter(({ action }) => action !== 'status_update').length >= count) return true
    await wait(betweenMs)
  }
  return false
}

interface Seen {
  readonly workflowInfo: { readonly history: readonly { readonly action: string }[] } | null
}

/** A callback about a package. */
interface Reporting extends Pick<CallbackSent, 'packageName' | 'status'> {
  /**
   * Sent in parallel with an action, so it is given up at a kill: later, the package is at another
   * step, and its history has no room for it.
   */
  readonly isBeside?: boolean
}

/** Reports the step of a package in the engine until the report is acknowledged. */
export async function notificationOf(
  reviewing: Reviewing,
  { packageName, status, isBeside = false }: Reporting,
): Promise<void> {
  const { location, engine, ledger, patienceMs } = reviewing
  const kills = location.kills()
  const last = engine.accepted.findLast((one) => one.packageName === packageName)
  if (!last) throw new Error('the engine does not know the package')
  const { workflowInstanceId, currentStep } = last.state
  const reported = { packageName, comment: `Told ${ledger.reported.length}`, isAcknowledged: false }
  ledger.reported.push(reported)
  const text = textOf({ packageName, workflowInstanceId, currentStep, status, comment: reported.comment })
  // The same signed message in every attempt, so that it counts once.
  const headers = signed(text)
  const isTooLate = patience(location, patienceMs)
  const isPast = () => isBeside && location.kills() > kills
  for (;;) {
    const received = await notifyOnce(reviewing, text, headers)
    reported.isAcknowledged = received?.status === 200
    if (reported.isAcknowledged || isPast()) return
    if (isTooLate() || (received && received.status !== 503))
      throw new Error(`a callback was answered with ${received?.status}: ${received?.body.message}`)
    await wait(betweenMs)
  }
}

/**
 * Sends a callback once, and kills the service if that moment is next. Null: there was no answer.
 */
async function notifyOnce({ location, aim }: Reviewing, text: string, headers: ReturnType<typeof signed>) {
  const { url } = await location.up()
  const received = notifyText(url, text, headers).catch(() => null)
  const isAimed = aim.next() === 'told'
  // Alternately in flight and right after the answer.
  if (isAimed && location.kills() % 2 === 0) setTimeout(() => aim.strike('told'), Math.random() * 12)
  const answered = await received
  if (isAimed) aim.strike('told')
  return answered
}
