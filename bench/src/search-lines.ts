import { setTimeout as wait } from 'node:timers/promises'
import type { Contract, OutputOf } from '@quire/contract'
import { median, interleaved, ratioLine, sendSound, type Figure } from './compare.ts'
import { questions } from './corpus.ts'
import { fillCorpus, structureOf } from './fill-corpus.ts'
import { openLoad, type Load } from './load.ts'
import { request, startQuire, stopServer, type Running } from './servers.ts'

type SearchIndex = OutputOf<Contract['admin']['index']>

/** The sizes of the corpora, and the measuring time. */
export interface SearchEffort {
  readonly rounds: number
  readonly durationMs: number
  readonly few: number
  readonly some: number
  readonly many: number
}

/**
 * How search, filters, lists by folder and category, facets and an index rebuild grow from a small
 * corpus to a million items.
 */
export async function searchLines(folder: string, effort: SearchEffort): Promise<Figure[]> {
  const corpora = {
    few: await fillCorpus(folder, effort.few),
    some: await fillCorpus(folder, effort.some),
    many: await fillCorpus(folder, effort.many),
  }
  const structure = await structureOf(corpora.many)
  const small = await structureOf(corpora.few)
  const few = await startQuire(corpora.few, developer)
  const some = await startQuire(corpora.some, developer)
  const many = await startQuire(corpora.many, developer)
  try {
    const servers = { few, some, many }
    return [
      ...(await wordLines(servers, effort)),
      await growth('filter and sort by a custom field', servers, { effort, paths: () => byPrice(effort) }),
      await growth('list by category', servers, {
        effort,
        paths: (server) => byCategory((server === few ? small : structure).categories),
      }),
      await growth('list by folder', servers, {
        effort,
        paths: (server) => byFolder((server === few ? small : structure).folders),
      }),
      await facetLine(many, effort),
      ...(await rebuildLines(some, effort)),
    ]
  } finally {
    await Promise.all([few, some, many].map(stopServer))
  }
}

// This account may also rebuild an index.
const developer = ['bundle.developer']

interface Servers {
  readonly few: Running
  readonly some: Running
  readonly many: Running
}

const queriesPath = '/api/queries/corpus'

/** Searches as people type them, one at a time: the best 25 hits with highlights and a count. */
function searching(server: Running, durationMs: number): Load {
  const requests = questions(700).map((text) =>
    request(server, `POST ${queriesPath}`, JSON.stringify({ text, limit: 25, highlight: true })),
  )
  return { port: server.port, requests, connections: 1, durationMs }
}

async function wordLines(
  { few, some, many }: Servers,
  { rounds, durationMs, ...sizes }: SearchEffort,
): Promise<Figure[]> {
  const pairs = await interleaved(
    rounds,
    () => searching(few, durationMs),
    () => searching(many, durationMs),
  )
  const between = await sendSound(searching(some, durationMs))
  const p50 = (side: 0 | 1) => median(pairs.map((pair) => pair[side].p50))
  const ms = `p50 ${p50(0).toFixed(2)} → ${between.p50.toFixed(2)} → ${p50(1).toFixed(2)} ms at ${sizes.few}, ${sizes.some}, ${sizes.many}`
  const slowest = pairs.map(([, large]) => large.p99)
  return [
    {
      what: `search p99 at ${sizes.many} items`,
      value: median(slowest),
      min: Math.min(...slowest),
      max: Math.max(...slowest),
      unit: 'ms',
      target: 200,
      bound: 'atMost',
      detail: 'words of every frequency, beginnings, phrases; the best 25, counted to 1 000',
    },
    ratioLine(
      `search p50 at ${sizes.many} items, relative to ${sizes.few} items`,
      pairs.map(([small, large]) => large.p50 / small.p50),
      { target: 5, bound: 'atMost', detail: ms },
    ),
  ]
}

interface Growth {
  readonly effort: SearchEffort
  readonly paths: (server: Running) => readonly string[]
}

/** The p50 of a page of 25 on the large corpus, relative to the small one. */
async function growth(what: string, { few, many }: Servers, { effort, paths }: Growth): Promise<Figure> {
  const { rounds, durationMs } = effort
  const load = (server: Running) => (): Load => ({
    port: server.port,
    requests: paths(server).map((path) => request(server, `GET ${path}`)),
    connections: 1,
    durationMs,
  })
  const pairs = await interleaved(rounds, load(few), load(many))
  const p50 = (side: 0 | 1) => median(pairs.map((pair) => pair[side].p50)).toFixed(2)
  return ratioLine(
    `${what}, p50 at ${effort.many} items, relative to ${effort.few} items`,
    pairs.map(([small, large]) => large.p50 / small.p50),
    { target: 2, bound: 'atMost', detail: `${p50(0)} → ${p50(1)} ms` },
  )
}

const listed = '/api/items/corpus?limit=25'

function byPrice({ few }: SearchEffort): string[] {
  // Prices are spread up to a million in each corpus.
  return Array.from(
    { length: 200 },
    (_, index) =>
      `${listed}&filter[fields.price][gte]=${(index * 4999) % Math.min(few * 100, 1_000_000)}&sort=fields.price&skipCount=true`,
  )
}

function byCategory(categories: readonly string[]): string[] {
  return categories.map((id) => `${listed}&filter[categories]=${id}`)
}

function byFolder(folders: readonly string[]): string[] {
  return folders.map((id) => `${listed}&folderId=${id}`)
}

const facets = ['type', 'status', 'categories', 'folderId'] as const

/**
 * A facet over all items, the slowest of four, while others read. The reads show whether it delays
 * anyone.
 */
async function facetLine(many: Running, { rounds, many: items }: SearchEffort): Promise<Figure> {
  const reads = openLoad({ ...reading(many, items), connections: 4, durationMs: 600_000, pauseMs: 5 })
  const each = new Map<string, number[]>()
  for (const facet of facets) each.set(facet, await timesOf(many, [facet], rounds * 4))
  const together = await timesOf(many, facets, rounds * 4)
  const { p99, max } = await reads.stop()
  const [slowest, times] = [...each].toSorted(([, x], [, y]) => median(y) - median(x))[0] ?? ['none', []]
  return {
    what: `slowest facet over ${items} items`,
    value: median(times),
    min: Math.min(...times),
    max: Math.max(...times),
    unit: 'ms',
    target: 500,
    bound: 'atMost',
    detail: `${slowest}; ${facets.join(', ')} in one query: ${Math.round(median(together))} ms; other reads meanwhile: p99 ${p99.toFixed(1)} ms, slowest ${max.toFixed(1)} ms`,
  }
}

/** Runs a query for some facets `count` times. Returns the ms of each. */
async function timesOf(server: Running, wanted: readonly string[], count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round++) {
    const started = performance.now()
    await ask(server, ['POST', queriesPath], { facets: wanted, facetLimit: 100, limit: 1, skipCount: true })
    times.push(performance.now() - started)
  }
  return times
}

function reading(server: Running, items: number): Omit<Load, 'connections' | 'durationMs'> {
  const requests = Array.from({ length: 5000 }, (_, index) =>
    request(server, `GET /api/items/corpus/slug/note-${(index * 7919) % items}`),
  )
  return { port: server.port, requests }
}

/**
 * Rebuilds the index without other requests, and then with reads; their rate is compared with the
 * rate just before.
 */
async function rebuildLines(server: Running, { rounds, durationMs, some }: SearchEffort): Promise<Figure[]> {
  const load = { ...reading(server, some), connections: 8, durationMs }
  const quiet: number[] = []
  const beside: {
    readonly reads: number
    readonly ratio: number
    readonly rebuilt: number
    readonly p99: number
  }[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(some / (await rebuild(server)))
    const alone = await sendSound(load)
    const running = rebuild(server)
    const { rate: reads, p99 } = await sendSound(load)
    const rebuilt = ((await indexOf(server)).rebuild?.progress.done ?? 0) / (durationMs / 1000)
    await running
    beside.push({ reads, ratio: reads / alone.rate, rebuilt, p99 })
  }
  const middle = (of: 'reads' | 'rebuilt' | 'p99') => median(beside.map((round) => round[of]))
  return [
    {
      what: 'rebuild of the search index',
      value: Math.round(median(quiet)),
      min: Math.round(Math.min(...quiet)),
      max: Math.round(Math.max(...quiet)),
      unit: 'items/s',
      target: 20_000,
      bound: 'atLeast',
      detail: `${some} items of about fifty words; ${Math.round(middle('rebuilt'))}/s while others read`,
    },
    ratioLine(
      'reads during a rebuild, relative to before',
      beside.map(({ ratio }) => ratio),
      {
        target: 0.7,
        bound: 'atLeast',
        detail: `${Math.round(middle('reads'))}/s, p99 ${middle('p99').toFixed(1)} ms`,
      },
    ),
  ]
}

const indexPath = '/api/admin/indexes/corpus'

function indexOf(server: Running): Promise<SearchIndex> {
  return ask<SearchIndex>(server, ['GET', indexPath])
}

/** Rebuilds the index. Returns the duration in seconds. */
async function rebuild(server: Running): Promise<number> {
  const started = performance.now()
  await ask(server, ['POST', `${indexPath}/rebuild`])
  for (;;) {
    const { rebuild: last } = await indexOf(server)
    if (last?.state === 'succeeded') return (performance.now() - started) / 1000
    if (last?.state !== 'running') throw new Error(`the rebuild stopped: ${JSON.stringify(last)}`)
    await wait(200)
  }
}

async function ask<T>(server: Running, [method, path]: readonly [string, string], body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
