import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '../../server/api-access.ts'
import type { Served } from '../cycle.ts'

/** The URL of a process, and a token for it. */
export type Caller = Pick<Served, 'url' | 'token'>

const repository = 'killed'
const fileCount = 40

/** Entities that are deleted at the start and purged at the end. */
export const deletedCount = 60

/**
 * Ms on the service's clock after which deleted entities are due for purging. They are kept for a
 * day; two hours are reserve.
 */
export const untilPurged = 26 * 60 * 60 * 1000

interface Made {
  readonly id: string
}

/** Creates the content of the jobs, on a service that extracts no text. */
export async function prepare(call: Caller): Promise<void> {
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

function note(call: Caller, name: string, packageName?: string): Promise<Made> {
  const body = { repositoryId: repository, type: 'note', name, ...(packageName && { packageName }) }
  return callApi<Made>(call, 'POST', { path: '/api/items', body })
}

async function upload({ url, token }: Caller, text: string): Promise<void> {
  const form = new FormData()
  form.append('file', new File([text], 'a.txt'))
  const response = await fetch(`${url}/api/assets/${repository}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!response.ok) throw new Error(`an upload: ${response.status} ${await response.text()}`)
}

/** Starts jobs of every kind: syncs, postponed jobs, and a second start of running ones. */
export async function ask(call: Caller, { cycle, now }: { cycle: number; now: number }): Promise<void> {
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

/** Starts another extraction of the texts of files. */
export async function askOnce(call: Caller): Promise<void> {
  await callApi(call, 'POST', { path: `/api/admin/process/${repository}`, body: { syncDocs: true } })
}

interface Stats {
  readonly jobs: readonly { readonly state: string; readonly oldest: number }[]
}

/** Waits until nothing runs and nothing is due. Overdue jobs are found by the check. */
export async function untilEnded(
  call: Caller,
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
