import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { durableEvery } from '@quire/core/ports'
import { beginAppend, beginUpload, contentPath, finishUpload, freeOffset, progressOf } from './append.ts'
import { ask } from './ask.ts'
import { countItems, faultsIn, hashOf } from './look.ts'
import { Location } from './location.ts'

/**
 * The number of kills, and of servers in parallel: most of a kill's time is spent waiting for the
 * lock of the dead server.
 */
export interface UploadKillRun {
  readonly kills: number
  readonly lanes: number
}

/** The result of a run. */
export interface UploadKillReport {
  readonly kills: number
  readonly uploads: number
  readonly items: number
  /** Violations, one per line. */
  readonly findings: readonly string[]
  /** Maximum per kill: bytes that the server had written but not synced, so that they were lost. */
  readonly mostUnsynced: number
  /** Maximum per kill, and total: bytes that the client had to send twice. */
  readonly mostResent: number
  readonly resent: number
  /** Kills after which the asset already existed, and kills after all bytes had been sent. */
  readonly finished: number
  readonly late: number
  /**
   * The longest time in ms that the lock of the dead server was held after the next one was ready.
   */
  readonly mostWaited: number
}

const uploadBytes = 40 * 1024 * 1024

/**
 * Kills servers with SIGKILL in the middle of uploads and around their last bytes, also between the
 * blob and the row. Resumes each upload on the same folder.
 */
export async function runUploadKills({ kills, lanes }: UploadKillRun): Promise<UploadKillReport> {
  const shares = Array.from({ length: lanes }, (_, lane) => Math.floor((kills + lane) / lanes))
  const running = shares.filter((share) => share > 0).map(killInLane)
  // Each ends its own server, even if another one has failed.
  await Promise.allSettled(running)
  const reports = await Promise.all(running)
  return reports.reduce((one, other) => ({
    kills: one.kills + other.kills,
    uploads: one.uploads + other.uploads,
    items: one.items + other.items,
    findings: [...one.findings, ...other.findings],
    mostUnsynced: Math.max(one.mostUnsynced, other.mostUnsynced),
    mostResent: Math.max(one.mostResent, other.mostResent),
    resent: one.resent + other.resent,
    finished: one.finished + other.finished,
    late: one.late + other.late,
    mostWaited: Math.max(one.mostWaited, other.mostWaited),
  }))
}

const nothing: UploadKillReport = {
  kills: 0,
  uploads: 0,
  items: 0,
  findings: [],
  mostUnsynced: 0,
  mostResent: 0,
  resent: 0,
  finished: 0,
  late: 0,
  mostWaited: 0,
}

async function killInLane(kills: number): Promise<UploadKillReport> {
  const location = await new Location().open()
  let report = nothing
  try {
    while (report.kills < kills) report = await killOneUpload(location, report, kills)
    const items = await countItems(location)
    const same = items === report.uploads ? [] : [`${report.uploads} uploads created ${items} items`]
    await location.server.stop()
    return { ...report, items, findings: [...report.findings, ...same, ...faultsIn(location)] }
  } finally {
    await location.close()
  }
}

/** One upload with a kill in the middle, and one with a kill around its end. */
async function killOneUpload(
  location: Location,
  before: UploadKillReport,
  kills: number,
): Promise<UploadKillReport> {
  const bytes = randomBytes(uploadBytes)
  const path = await beginUpload(location, bytes.length)
  const upload = { location, path, bytes }
  let report = before
  for (const moment of ['middle', 'end'] as const) {
    if (report.kills >= kills) break
    const killed = await killOnce(upload, moment)
    report = addKill(report, killed)
    if (killed.isFinished) break
  }
  const { itemId, waited } = await finishUpload(location, path, bytes)
  const findings = await checkBytes(upload, itemId)
  return {
    ...report,
    uploads: report.uploads + 1,
    findings: [...report.findings, ...findings],
    mostWaited: Math.max(report.mostWaited, waited),
  }
}

interface Killing {
  readonly location: Location
  readonly path: string
  readonly bytes: Buffer
}

/** The result of one kill. */
interface Killed {
  readonly findings: readonly string[]
  readonly unsynced: number
  readonly resent: number
  readonly isFinished: boolean
  readonly isLate: boolean
}

function addKill(report: UploadKillReport, killed: Killed): UploadKillReport {
  return {
    ...report,
    kills: report.kills + 1,
    findings: [...report.findings, ...killed.findings],
    mostUnsynced: Math.max(report.mostUnsynced, killed.unsynced),
    mostResent: Math.max(report.mostResent, killed.resent),
    resent: report.resent + killed.resent,
    finished: report.finished + Number(killed.isFinished),
    late: report.late + Number(killed.isLate),
  }
}

// About the time that the last bytes, their sync, the blob and the row take here.
const endMs = 150

async function killOnce({ location, path, bytes }: Killing, moment: 'middle' | 'end'): Promise<Killed> {
  const offset = await freeOffset(location, path)
  const rest = bytes.subarray(offset)
  const appending = beginAppend(location, path, { offset, bytes: rest })
  await appending.reached(moment === 'middle' ? Math.random() * rest.length : rest.length)
  await wait(Math.random() * (moment === 'middle' ? 10 : endMs))
  const sent = offset + appending.sent()
  await location.kill()
  appending.cut('reset')
  const written = sizeOf(location.partialFile(path))
  await location.start()
  const { offset: stored, itemId } = await progressOf(location, path)
  const isFinished = itemId !== null
  const unsynced = isFinished || written === null ? 0 : written - stored
  const where = `${moment}: sent ${sent}, written ${written}, stored ${stored}, before ${offset}`
  const findings = [
    ...(stored > sent ? [`more is stored than was sent (${where})`] : []),
    ...(stored < offset ? [`less is stored than was acknowledged (${where})`] : []),
    ...(unsynced < 0 ? [`more is stored than was written (${where})`] : []),
    ...(unsynced > durableEvery ? [`more than a step is lost (${where})`] : []),
    ...(isFinished !== (stored === bytes.length) ? [`complete without an item (${where})`] : []),
    ...(written === null && !isFinished ? [`the bytes are gone (${where})`] : []),
  ]
  return { findings, unsynced, resent: sent - stored, isFinished, isLate: sent === bytes.length }
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}

async function checkBytes({ location, bytes }: Killing, itemId: string): Promise<string[]> {
  const { status, body } = await ask(location, { path: contentPath(itemId) })
  const isSame = status === 200 && hashOf(body) === hashOf(bytes)
  return isSame ? [] : [`${itemId} differs from the upload (${status}, ${body.length} bytes)`]
}

/** `10 kills of 5 uploads, 5 items, …` */
export function uploadSummary(report: UploadKillReport): string {
  const { kills, uploads, items, findings, finished, late, mostWaited } = report
  const inMiB = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`
  return (
    `${kills} kills of ${uploads} uploads (${late} after all bytes, ${finished} completed nevertheless), ${items} items, ` +
    `findings ${findings.length}, unsynced at most ${inMiB(report.mostUnsynced)}, sent again ${inMiB(report.resent)} ` +
    `(at most ${inMiB(report.mostResent)}), waited for the lock ${(mostWaited / 1000).toFixed(1)} s`
  )
}
