import { setTimeout as wait } from 'node:timers/promises'
import { administrator, administratorEnv, administratorToken, callApi } from '../server/api-access.ts'
import { startServer, type ServerProcess } from '../server/server-process.ts'
import { contentOf, hashOf } from './content.ts'
import type { Ledger } from './ledger.ts'
import { acknowledgedItem, repository, write, type Writing } from './writer.ts'
import { openWire } from './wire.ts'

/** A running server, with an administrator token. */
export interface Served {
  readonly server: ServerProcess
  readonly url: string
  readonly token: string
  /** Milliseconds from the start to the first 200 of /readyz. */
  readonly unready: number
}

/**
 * When the server is killed: at a random time, with requests in flight, or right after an answer
 * was read.
 */
export type KillMoment = 'any' | 'sent' | 'acknowledged'

const writers = 8
// Cycles with fewer acknowledged writes do not count (TRUST 3.1).
const leastAcknowledged = 20
// Milliseconds that a cycle may take to reach that number.
const longestCycle = 20_000

// A generous start timeout for a busy machine, in ms. The promised start time is measured
// separately.
const longestStart = 60_000

/**
 * Starts the server under test and waits until it is ready. `url`: where it listens, if it serves
 * under another address.
 */
export async function serveReady(
  args: readonly string[],
  env: Readonly<Record<string, string>> = administratorEnv,
  url?: string,
): Promise<Served> {
  const start = performance.now()
  const server = await startServer({ args, env, timeout: longestStart, ...(url !== undefined && { url }) })
  try {
    const until = start + longestStart
    while ((await fetch(`${server.url}/readyz`)).status !== 200) {
      if (performance.now() > until) throw new Error('the server did not become ready')
      await wait(10)
    }
    const unready = performance.now() - start
    return { server, url: server.url, token: await tokenBy(server.url, until), unready }
  } catch (error) {
    await server.kill()
    throw error
  }
}

/**
 * Requests a token for the administrator or for another account. Retries while a busy machine
 * rejects it. Errors: still rejected after the timeout.
 */
export async function tokenBy(
  url: string,
  until: number,
  account: Parameters<typeof administratorToken>[1] = administrator,
): Promise<string> {
  for (;;) {
    try {
      return await administratorToken(url, account)
    } catch (error) {
      if (performance.now() > until) throw error
      await wait(100)
    }
  }
}

/** What the writers of all cycles share. */
export type Prepared = Pick<Writing, 'shared' | 'categories'>

/**
 * Creates the repository to write to, with an item that all writers share and categories to assign.
 */
export async function prepare(
  { url, token }: Pick<Served, 'url' | 'token'>,
  ledger: Ledger,
): Promise<Prepared> {
  const call = { url, token }
  await callApi(call, 'POST', { path: '/api/admin/repositories', body: { name: repository } })
  const fields = [
    { name: 'key', kind: 'text' },
    { name: 'body', kind: 'text' },
    { name: 'size', kind: 'integer' },
  ]
  await callApi(call, 'POST', { path: '/api/content/management/types', body: { name: 'note', fields } })
  const key = 'shared'
  const content = contentOf(key)
  const body = JSON.stringify({ repositoryId: repository, type: 'note', ...content })
  const sent = { key, method: 'POST', path: '/api/items', body, hash: hashOf(content) } as const
  await ledger.noteSent(sent)
  const wire = openWire(url, token)
  const { id, latestVersion } = acknowledgedItem(sent, await wire.write(sent))
  wire.close()
  await ledger.noteAcknowledged({ key, id, version: latestVersion })
  return { shared: id, categories: await prepareCategories(call) }
}

async function prepareCategories(call: { url: string; token: string }): Promise<string[]> {
  const path = `/api/content/management/taxonomies/${repository}`
  const taxonomy = await callApi<{ id: string }>(call, 'POST', { path, body: { name: 'Inks' } })
  const ids: string[] = []
  for (const name of ['Iron', 'Carbon', 'Bistre']) {
    const made = { path: `${path}/${taxonomy.id}/categories`, body: { name } }
    ids.push((await callApi<{ id: string }>(call, 'POST', made)).id)
  }
  return ids
}

/** The result of a cycle. */
export interface Killed {
  readonly acknowledged: number
  /** Whether enough was acknowledged for the kill to count. */
  readonly counts: boolean
}

/** Runs eight writers, and kills the server at the given moment. */
export async function writeUntilKilled(
  { server, url, token }: Served,
  { moment, ...of }: Pick<Writing, 'ledger' | 'cycle'> & Prepared & { moment: KillMoment },
): Promise<Killed> {
  let acknowledged = 0
  let isOver = false
  const wanted = leastAcknowledged + Math.floor(Math.random() ** 2 * 250)
  const kill = () => {
    if (isOver) return
    isOver = true
    process.kill(server.pid, 'SIGKILL')
  }
  const late = setTimeout(kill, longestCycle)
  const note = (what: 'sent' | 'acknowledged') => {
    if (what === 'acknowledged') acknowledged += 1
    if (acknowledged < wanted) return
    if (moment === 'any') setTimeout(kill, Math.random() * 15)
    else if (what === moment) kill()
  }
  const writing: Writing = { ...of, url, token, moment: note, isOver: () => isOver }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writing, writer)))
  clearTimeout(late)
  await server.end
  return { acknowledged, counts: acknowledged >= leastAcknowledged }
}
