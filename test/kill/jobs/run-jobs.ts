import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '../../server/api-access.ts'
import { serveReady, type Served } from '../cycle.ts'
import { checkJobs, type JobFigures } from './check-jobs.ts'

/** How often to kill a service while it does jobs. */
export interface JobRun {
  readonly kills: number
  /** Ms after which a job is taken from a service that is gone. Default: 500. */
  readonly leaseMs?: number
  /** Ms from what is asked for to the kill. Default: up to 2 500, most of them below 700. */
  readonly killAfter?: () => number
  /** Ms that the end may take: promised are the lease and 30 s for each begin (TRUST F05). Default: 60 000. */
  readonly patienceMs?: number
  /** Told after each kill. */
  readonly told?: (kills: number) => void
}

/** What came of it. */
export interface JobReport extends JobFigures {
  readonly kills: number
}

const repository = 'killed'
const hourMs = 60 * 60 * 1000
const fileCount = 40
const deletedCount = 60
// The clock of the service goes on by so much between two kills, so that what comes every hour is due, and what was deleted is purged in the end.
const cycleMs = 2 * hourMs

/** Kills a service with SIGKILL while it does jobs of every kind, starts it again, and at the end compares jobs with what they have done. */
export async function runJobs({
  kills,
  leaseMs = 500,
  killAfter = () => Math.random() ** 2 * 2500,
  patienceMs = 60_000,
  told,
}: JobRun): Promise<JobReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-jobs-'))
  const data = join(folder, 'data')
  const serve = (ahead: number, reads: 'read' | 'refuse') =>
    serveReady([
      '--conditions=quire-source',
      'test/kill/jobs/slow-server.ts',
      data,
      String(ahead),
      reads,
      String(leaseMs),
    ])
  let served = await serve(0, 'refuse')
  try {
    await prepare(served)
    await served.server.kill()
    let ahead = 0
    for (let kill = 0; kill < kills; kill++) {
      ahead += cycleMs
      served = await serve(ahead, 'read')
      await ask(served, { cycle: kill, now: Date.now() + ahead })
      await wait(killAfter())
      await served.server.kill()
      told?.(kill + 1)
    }
    // Past the day for which deleted things are kept.
    ahead += 26 * hourMs
    served = await serve(ahead, 'read')
    await untilEnded(served, { ahead, patienceMs })
    // The one before may have been killed as often as it may be begun: then it has failed.
    await callApi(served, 'POST', { path: `/api/admin/process/${repository}`, body: { syncDocs: true } })
    await untilEnded(served, { ahead, patienceMs })
    await served.server.kill()
    const figures = checkJobs(join(data, 'quire.db'), { now: Date.now() + ahead, deleted: deletedCount })
    return { kills, ...figures }
  } finally {
    await served.server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Made {
  readonly id: string
}

async function prepare(call: Served): Promise<void> {
  const types = '/api/content/management/types'
  await callApi(call, 'POST', { path: '/api/admin/repositories', body: { name: repository } })
  await callApi(call, 'POST', { path: types, body: { name: 'note' } })
  await callApi(call, 'POST', { path: types, body: { name: 'file', settings: { isAsset: true } } })
  await callApi(call, 'PATCH', { path: '/api/admin/settings', body: { deletedItemsKeptDays: 1 } })
  for (let count = 0; count < fileCount; count++) await upload(call, `text of file${count}`)
  for (let count = 0; count < deletedCount; count++) {
    const { id } = await note(call, `Deleted ${count}`)
    await callApi(call, 'DELETE', { path: `/api/items/${repository}/${id}` })
  }
}

function note(call: Served, name: string, packageName?: string): Promise<Made> {
  const body = { repositoryId: repository, type: 'note', name, ...(packageName && { packageName }) }
  return callApi<Made>(call, 'POST', { path: '/api/items', body })
}

async function upload({ url, token }: Served, text: string): Promise<void> {
  const form = new FormData()
  form.append('file', new File([text], 'a.txt'))
  const response = await fetch(`${url}/api/assets/${repository}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!response.ok) throw new Error(`an upload: ${response.status} ${await response.text()}`)
}

/** Asks for jobs of every kind that is asked for: syncs, what is put off for a moment, and a second start of what runs. */
async function ask(call: Served, { cycle, now }: { cycle: number; now: number }): Promise<void> {
  const process = { path: `/api/admin/process/${repository}` }
  const body = { syncAssets: true, syncDocs: true, reloadGraph: true }
  await callApi(call, 'POST', { ...process, body })
  const at = () => now + Math.floor(Math.random() * 2000)
  for (let count = 0; count < 3; count++) {
    const { id } = await note(call, `Note ${cycle} ${count}`)
    await callApi(call, 'POST', { path: `/api/items/${repository}/${id}/publish`, body: { at: at() } })
  }
  const packages = `/api/content/management/packages/${repository}`
  const name = `package-${cycle}`
  await callApi(call, 'POST', { path: packages, body: { name } })
  for (let count = 0; count < 3; count++) await note(call, `Note ${cycle} of a package ${count}`, name)
  await callApi(call, 'POST', { path: `${packages}/${name}/merge`, body: { mergeAt: now + 1000 } })
  await callApi(call, 'POST', { ...process, body })
}

interface Stats {
  readonly jobs: readonly { readonly state: string; readonly oldest: number }[]
}

/** Until nothing runs and nothing is due; what is late is found by the check. */
async function untilEnded(
  call: Served,
  { ahead, patienceMs }: { ahead: number; patienceMs: number },
): Promise<void> {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const { jobs } = await callApi<Stats>(call, 'GET', { path: '/api/queue/stats' })
    const now = Date.now() + ahead
    const left = jobs.filter(
      ({ state, oldest }) => state === 'running' || (state === 'queued' && oldest <= now + 60_000),
    )
    if (left.length === 0) return
    await wait(250)
  }
}

/** `20 kills, 230 jobs ended: …` */
export function jobSummary({
  kills,
  ended,
  succeeded,
  failed,
  repeated,
  purged,
  findings,
}: JobReport): string {
  return (
    `${kills} kills, ${ended} jobs ended: ${succeeded} succeeded, ${failed} failed, ${repeated} begun again; ` +
    `${purged} purged; ${findings.length} findings`
  )
}
