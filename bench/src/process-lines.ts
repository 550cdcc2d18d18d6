import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { editor, openEngine } from './account.ts'
import { scatteredSlugs } from './articles.ts'
import { median, ratioLine, type Line } from './compare.ts'
import type { Effort } from './http-lines.ts'

const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url))
const port = 40_000 + (process.pid % 20_000)

/** How many times faster a read is in process: the same call with the same rights, answered as it is stored. */
export async function inProcessLine(
  file: string,
  readRate: number,
  { items, durationMs }: Effort,
): Promise<Line> {
  const quire = await openEngine(file)
  const { id } = await editor(quire)
  const slugs = scatteredSlugs(items, 5000)
  const who = { kind: 'service', id } as const
  const read = (slug: string) =>
    quire.run({ group: 'items', operation: 'getBySlug', who, input: { configId: 'bench', slug } })
  const rates: number[] = []
  for (let round = 0; round < 5; round++) rates.push(await rateOf(read, slugs, durationMs / 5))
  await quire.close()
  const detail = `${Math.round(median(rates))}/s in process, ${Math.round(readRate)}/s over HTTP`
  return ratioLine(
    'read in process, of the HTTP rate',
    rates.map((rate) => rate / readRate),
    { target: 5, bound: 'atLeast', detail },
  )
}

async function rateOf(
  read: (slug: string) => Promise<unknown>,
  slugs: readonly string[],
  durationMs: number,
): Promise<number> {
  const started = performance.now()
  let done = 0
  while (performance.now() - started < durationMs) {
    for (const slug of slugs.slice(done % slugs.length, (done % slugs.length) + 100)) await read(slug)
    done += 100
  }
  return (done / (performance.now() - started)) * 1000
}

interface Started {
  readonly ms: number
  readonly rssMb: number
}

/** The service as it is shipped, from spawn to the first answer that needs a token, and what it holds when idle. */
export async function startLines(folder: string, { rounds }: Effort): Promise<Line[]> {
  const first = await startOnce(folder, null)
  const starts: Started[] = []
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(folder, first.token))
  const ms = starts.map((start) => start.ms)
  const rss = starts.map((start) => start.rssMb)
  return [
    {
      what: 'cold start to the first answer',
      value: median(ms),
      unit: 'ms',
      min: Math.min(...ms),
      max: Math.max(...ms),
      target: 500,
      bound: 'atMost',
      detail: 'process start to an authenticated 200',
    },
    {
      what: 'memory when idle',
      value: median(rss),
      unit: 'MB',
      min: Math.min(...rss),
      max: Math.max(...rss),
      target: 115,
      bound: 'atMost',
      detail: 'RSS 10 s after the first answer',
    },
  ]
}

const credentials = {
  QUIRE_ADMIN_CLIENT_ID: 'SVCA_bench',
  QUIRE_ADMIN_CLIENT_SECRET: 'a-secret-of-the-bench-that-is-long-enough',
}

async function startOnce(folder: string, token: string | null): Promise<Started & { token: string }> {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', String(port), '--data', folder, '--log', 'error'],
    {
      env: { ...process.env, QUIRE_DEMO: '0', ...credentials },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  try {
    const known = token ?? (await retry(newToken))
    await retry(() => answer(known))
    const ms = performance.now() - started
    if (token !== null) await new Promise((resolve) => setTimeout(resolve, 10_000))
    return { ms, rssMb: rssOf(child.pid ?? 0), token: known }
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

async function newToken(): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.QUIRE_ADMIN_CLIENT_ID,
    client_secret: credentials.QUIRE_ADMIN_CLIENT_SECRET,
  })
  const response = await fetch(`http://127.0.0.1:${port}/oauth2/token`, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

async function answer(token: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/content/management/types`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`the service answered ${response.status}`)
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + 20_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  }
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** The engine in memory, from nothing to its first item, in a process that has loaded it. */
export function memoryLine(): Line {
  const script = fileURLToPath(new URL('./memory-start.ts', import.meta.url))
  const times = Array.from({ length: 5 }, () =>
    Number(execFileSync(process.execPath, ['--conditions=quire-source', script], { encoding: 'utf8' })),
  )
  return {
    what: 'engine in memory, to its first answer',
    value: median(times),
    unit: 'ms',
    min: Math.min(...times),
    max: Math.max(...times),
    target: 50,
    bound: 'atMost',
    detail: 'createQuire and the first call',
  }
}
