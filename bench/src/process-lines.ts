import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { administratorToken } from '../../test/server/api-access.ts'
import { spread, type Figure } from './compare.ts'
import type { Effort } from './http-lines.ts'
import { freePort, rssMb, spawnQuire, startCommand, stopServer } from './servers.ts'

interface Started {
  readonly ms: number
  readonly rssMb: number
}

// Milliseconds that a server idles before its memory is read. The peers were measured the same way.
const idleMs = 10_000

// Milliseconds after the start on an empty folder when the memory is read.
const settledMs = 3000

/**
 * The service as shipped: the time from spawn to the first authenticated answer, and the memory
 * when idle.
 */
export async function startLines(data: string, { rounds }: Effort): Promise<Figure[]> {
  // The same port for all rounds, because a token names the address of its issuer.
  const port = await freePort()
  const token = await firstToken(data, port)
  const starts: Started[] = []
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(data, port, token))
  const empty: Started[] = []
  for (let round = 0; round < rounds; round++) empty.push(await startEmpty(`${data}-empty-${round}`))
  const ms = starts.map((start) => start.ms)
  const rss = starts.map((start) => start.rssMb)
  return [
    {
      ...spread(empty.map((start) => start.ms)),
      what: 'ready on an empty folder',
      unit: 'ms',
      target: 350,
      bound: 'atMost',
      detail: 'from process start to the line that says so',
    },
    {
      ...spread(empty.map((start) => start.rssMb)),
      what: 'memory after the start on an empty folder',
      unit: 'MB',
      target: 105,
      bound: 'atMost',
      detail: `RSS ${settledMs / 1000} s after it is ready`,
    },
    {
      ...spread(ms),
      what: 'cold start to the first answer',
      unit: 'ms',
      target: 500,
      bound: 'atMost',
      detail: 'from process start to an authenticated 200',
    },
    {
      ...spread(rss),
      what: 'memory when idle',
      unit: 'MB',
      target: 115,
      bound: 'atMost',
      detail: `RSS ${idleMs / 1000} s after the first answer`,
    },
  ]
}

/**
 * Starts the service once to get an account and a token. This also fills the code cache for later
 * starts.
 */
async function firstToken(data: string, port: number): Promise<string> {
  const server = await spawnQuire(data, port)
  try {
    return await administratorToken(`http://127.0.0.1:${port}`)
  } finally {
    await stopServer(server)
  }
}

async function startOnce(data: string, port: number, token: string): Promise<Started> {
  const started = performance.now()
  const child = startCommand(data, { port, log: 'ignore' })
  try {
    await firstAnswer(port, token)
    const ms = performance.now() - started
    await wait(idleMs)
    return { ms, rssMb: rssMb({ process: child }) }
  } finally {
    await stopServer({ process: child })
  }
}

async function startEmpty(data: string): Promise<Started> {
  const started = performance.now()
  const server = await spawnQuire(data, 0)
  try {
    const ms = performance.now() - started
    await wait(settledMs)
    return { ms, rssMb: rssMb(server) }
  } finally {
    await stopServer(server)
  }
}

async function firstAnswer(port: number, token: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/content/management/types`
  const until = performance.now() + 20_000
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } }).catch(
      () => undefined,
    )
    if (response?.status === 200) return
    if (performance.now() > until)
      throw new Error(`the service did not answer with 200: ${response?.status ?? 'no answer'}`)
    await wait(2)
  }
}

/**
 * The in-memory engine, from nothing to its first record, in a process that has already loaded the
 * modules.
 */
export function memoryLine(): Figure {
  const script = fileURLToPath(new URL('./memory-start.ts', import.meta.url))
  const times = Array.from({ length: 5 }, () =>
    Number(execFileSync(process.execPath, ['--conditions=quire-source', script], { encoding: 'utf8' })),
  )
  return {
    ...spread(times),
    what: 'engine in memory, until its first answer',
    unit: 'ms',
    target: 50,
    bound: 'atMost',
    detail: 'createQuire and the first call, after the modules are loaded',
  }
}
