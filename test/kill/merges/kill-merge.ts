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

/** When the kill comes: at a point, or so many milliseconds after the request went out. */
export type Moment = { readonly point: Point } | { readonly after: number }

/** A defect to be found: the merge also commits at a point, or is answered before it is committed. */
export type Defect = { readonly split: Point } | 'early'

/** One merge that is killed. */
export interface KillOrder {
  readonly seed: Seed
  /** A folder that is not there yet, and is not there afterwards. */
  readonly folder: string
  readonly moment: Moment
  readonly defect?: Defect | undefined
}

/** What came of it. */
export interface Killed {
  readonly size: number
  readonly moment: Moment
  /** The answer of success was read before the kill. */
  readonly isAcknowledged: boolean
  /** What of the merge was there after the restart. */
  readonly effect: Effect
  /** What the file holds at the end, when the merge was sent again. */
  readonly last: FileContents
  readonly findings: readonly Finding[]
  /** Milliseconds from the start after the kill to the first 200 of /readyz. */
  readonly unready: number
}

/** Kills one merge on a copy of a seeded folder, starts the service on what is left, and looks at everything. */
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

/** Milliseconds from sending a merge to a server that has just started to its answer. */
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
    // What a second merge makes of a part says nothing.
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

/** What is killed before COMMIT did nothing; after it, everything. */
function misplaced(moment: Moment, effect: Effect): Finding[] {
  if (!('point' in moment) || effect === 'part') return []
  const wanted = moment.point === 'committed' ? 'all' : 'none'
  return effect === wanted ? [] : [{ harm: 'torn', location: `of the merge took effect: ${effect}` }]
}
