import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveArgs } from '../../server/server-process.ts'
import { serveReady, type Served } from '../cycle.ts'
import { checkApi } from './check-api.ts'
import { checkRepeat } from './check-repeat.ts'
import type { Finding } from './finding.ts'
import { effectOf, judge, type Effect } from './judge.ts'
import { sendAndKill, sendMerge, sendUnread, sendUntil, type Sent } from './merge-call.ts'
import { isInnerPoint, type Point } from './points.ts'
import { readFile, type FileContents } from './read-file.ts'
import { copySeed, type Seed } from './seed-folder.ts'

const pointServer = fileURLToPath(new URL('./point-server.ts', import.meta.url))

/** When to kill: at a point, or a number of milliseconds after the request was sent. */
export type Moment = { readonly point: Point } | { readonly after: number }

/**
 * A defect that must be detected: the merge also commits at a point, or is answered before it is
 * committed.
 */
export type Defect = { readonly split: Point } | 'early'

/** One merge to kill. */
export interface KillOrder {
  readonly seed: Seed
  /** A folder for the run. It must not exist before, and is removed afterwards. */
  readonly folder: string
  readonly moment: Moment
  readonly defect?: Defect | undefined
}

/** The result of a kill. */
export interface Killed {
  readonly size: number
  readonly moment: Moment
  /** Whether a successful answer was read before the kill. */
  readonly isAcknowledged: boolean
  /** How much of the merge was present after the restart. */
  readonly effect: Effect
  /** The content of the file at the end, after the merge was sent again. */
  readonly last: FileContents
  readonly findings: readonly Finding[]
  /** Milliseconds from the restart to the first 200 of /readyz. */
  readonly unready: number
}

/**
 * Kills one merge on a copy of a seeded folder, restarts the service on it, and checks everything.
 */
export async function killMerge(order: KillOrder): Promise<Killed> {
  const seed = copySeed(order.seed, order.folder)
  try {
    const { answer } = await sendAndDie(seed, order)
    if (answer !== null && answer.status !== 200)
      throw new Error(`the merge answered ${answer.status}: ${answer.body.toString()}`)
    return await lookAt(seed, order.moment, answer !== null)
  } finally {
    rmSync(order.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Milliseconds from sending a merge to its answer, on a server that has just started. */
export async function measureMerge(original: Seed, folder: string): Promise<number> {
  const served = await serve(copySeed(original, folder))
  try {
    const { took } = await sendMerge(served)
    return took
  } finally {
    await served.server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sendAndDie(seed: Seed, { moment, defect }: KillOrder): Promise<Sent> {
  const isInside = 'point' in moment && isInnerPoint(moment.point)
  const served = await (isInside ? serveReady(pointArgs(seed, moment.point, defect)) : serve(seed))
  if ('after' in moment) return sendAndKill(served, moment.after)
  return isInside ? sendUntil(served, moment.point) : sendUnread(served)
}

function serve({ folder }: Seed): Promise<Served> {
  return serveReady([...serveArgs(folder), '--log', 'error'])
}

function pointArgs({ folder, size }: Seed, point: Point, defect: Defect | undefined): string[] {
  const args = [pointServer, folder, `--size=${size}`, `--kill=${point}`]
  const more = defect === undefined ? [] : [defect === 'early' ? '--early' : `--split=${defect.split}`]
  return ['--conditions=quire-source', ...args, ...more]
}

async function lookAt(seed: Seed, moment: Moment, isAcknowledged: boolean): Promise<Killed> {
  const served = await serve(seed)
  try {
    const { size, items } = seed
    const found = readFile(seed)
    const effect = effectOf(found)
    const findings = [
      ...judge(found, { size, isAcknowledged }),
      ...misplaced(moment, effect),
      ...(await checkApi(served, { items, effect })),
    ]
    const killed = { size, moment, isAcknowledged, effect, unready: served.unready }
    // After a partial merge, the result of a second one is meaningless.
    if (effect === 'part') return { ...killed, last: found, findings }
    findings.push(...(await checkRepeat(served, { size, effect })))
    const last = readFile(seed)
    findings.push(...judge(last, { size, isAcknowledged: true }))
    if (effect === 'none') findings.push(...(await checkApi(served, { items, effect: 'all' })))
    return { ...killed, last, findings }
  } finally {
    await served.server.kill()
  }
}

/** A merge that is killed before COMMIT must have no effect; after it, all of it. */
function misplaced(moment: Moment, effect: Effect): Finding[] {
  if (!('point' in moment) || effect === 'part') return []
  const wanted = moment.point === 'committed' ? 'all' : 'none'
  return effect === wanted
    ? []
    : [{ harm: 'torn', location: `effect of the merge: ${effect} instead of ${wanted}` }]
}
