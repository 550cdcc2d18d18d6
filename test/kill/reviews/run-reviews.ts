import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@quire/client'
import { administrator } from '../../server/api-access.ts'
import { serveArgs } from '../../server/server-process.ts'
import { openEngine, sound, type EngineStandIn } from '../../workflow/engine.ts'
import { prepare } from '../../workflow/world.ts'
import { findingsOf, readReviews, type ReviewRow } from './check-reviews.ts'
import type { Ledger } from './ledger.ts'
import { killingBy, moments, takeAim, type Moment } from './moments.ts'
import { openLocation, type Location } from './location.ts'
import { review, notificationOf, type Reviewing } from './review.ts'

/** Options of a run. */
export interface ReviewRun {
  readonly kills: number
  /** The arguments of `node` that serve a data folder and may send to 127.0.0.1. */
  readonly serve: (folder: string) => readonly string[]
  /** When to kill. Default: at every moment in rotation. */
  readonly at?: readonly Moment[]
  /** Ms that one step of a review may take, and the end of the run. Default: 90 000. */
  readonly patienceMs?: number
  /** Called after each kill. */
  readonly reported?: (kills: number) => void
}

/** The result of a run. */
export interface ReviewReport {
  readonly kills: number
  readonly reviews: number
  /** Steps that the engine took. */
  readonly accepted: number
  /** Requests that the engine received more than once. */
  readonly askedAgain: number
  /** Callbacks that were acknowledged. */
  readonly acknowledged: number
  readonly merges: number
  readonly findings: readonly string[]
}

/** The arguments of `node` that serve a data folder with the real service. */
export function serveReviewed(folder: string): string[] {
  return [...serveArgs(folder), '--log=error', '--egress-allow=127.0.0.1']
}

/** Concurrent reviews, so that each kill finds some of them halfway. */
const lanes = 8
/** Timeout of the engine's answers in ms. */
const timeoutMs = 1000
// The next process takes over a killed service's jobs after their lease of 30 s.
const longestEnd = 90_000

/**
 * Kills a service with SIGKILL while it exchanges requests and callbacks with its engine, restarts
 * it, and compares everything at the end.
 */
export async function runReviews({
  kills,
  serve,
  at = moments,
  patienceMs = longestEnd,
  reported,
}: ReviewRun): Promise<ReviewReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-reviews-'))
  const data = join(folder, 'data')
  const engine = await openEngine()
  const location = await openLocation(serve(data), kills)
  const ledger: Ledger = { reviews: [], reported: [] }
  try {
    await prepareReviews(location, engine)
    const aim = takeAim(location, at)
    const reviewing: Reviewing = { location, engine, aim, ledger, patienceMs }
    engine.reactBy(
      killingBy(aim, async ({ key }) => {
        const packageName = engine.accepted.find((one) => one.key === key)?.packageName ?? ''
        await notificationOf(reviewing, { packageName, status: 'active', isBeside: true }).catch(
          () => undefined,
        )
      }),
    )
    let isBroken = false
    const work = async () => {
      while (!location.isSpent() && !isBroken) {
        await review(reviewing, `Spring ${ledger.reviews.length}`)
        isBroken = ledger.reviews.some(({ stuck }) => stuck !== null)
        reported?.(location.kills())
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
    engine.reactBy(sound)
    const { found, faults } = await untilMerged(location, join(data, 'quire.db'), patienceMs)
    const findings = [...findingsOf({ ledger, accepted: engine.accepted, found }), ...faults]
    return { kills: location.kills(), ...figuresOf(engine, ledger, found), findings }
  } finally {
    await location.end()
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepareReviews(location: Location, engine: EngineStandIn): Promise<void> {
  const { url } = await location.up()
  const { id: clientId, secret: clientSecret } = administrator
  const client = createClient({ baseUrl: url, auth: { clientId, clientSecret } })
  await prepare(client, { engine, callbackBaseUrl: url, timeoutMs })
}

async function untilMerged(location: Location, file: string, patienceMs: number) {
  const until = performance.now() + patienceMs
  for (;;) {
    await location.up()
    const read = readReviews(file)
    const left = read.found.filter(({ state, unended }) => state !== 'merged' || unended > 0)
    if (left.length === 0 || performance.now() > until) return read
    await wait(250)
  }
}

function figuresOf(
  { asked, accepted }: EngineStandIn,
  { reviews, reported }: Ledger,
  found: readonly ReviewRow[],
) {
  return {
    reviews: reviews.length,
    accepted: accepted.length,
    askedAgain: asked.length - new Set(asked.map(({ key }) => key)).size,
    acknowledged: reported.filter(({ isAcknowledged }) => isAcknowledged).length,
    merges: found.reduce((sum, { merges }) => sum + merges, 0),
  }
}

/** `50 kills, 61 reviews: …` */
export function reviewSummary(report: ReviewReport): string {
  const { kills, reviews, accepted, askedAgain, acknowledged, merges, findings } = report
  return `${kills} kills, ${reviews} reviews: ${accepted} steps taken, ${askedAgain} requests repeated, ${acknowledged} callbacks acknowledged, ${merges} merges; ${findings.length} findings`
}
