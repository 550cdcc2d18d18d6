import { article, categories, scatteredSlugs } from './articles.ts'
import { inRounds, median, rateOf, ratioLine, sendSound, singleFigure, type Figure } from './compare.ts'
import { publishedCopy } from './databases.ts'
import { listDocument } from './graphql-lines.ts'
import { bareList, listPath, readLoad, type Effort } from './http-lines.ts'
import type { Measured } from './load.ts'
import { graphRequest, request, rssMb, startBare, startQuire, stopServer, type Running } from './servers.ts'
import { countMark } from './wrk.ts'

/** One kind of request, as each side gets it, and the least ratios of the rates. */
interface Comparison {
  readonly what: string
  readonly quire: (server: Running) => readonly string[]
  readonly bare: (server: Running) => readonly string[]
  /** Default: 32. */
  readonly connections?: number
  /** Compared with the bare server that logs. Absent: only reported. */
  readonly target?: number
  /** Compared with the bare server without a log; undefined: not compared. */
  readonly bareTarget?: number
  /** Whether the 99th percentile of the times is compared, too. */
  readonly tail?: boolean
  /** The first ratios that wrk measured, in the order of the lines: to bare, to bare that logs, p99. */
  readonly before?: readonly number[]
  /** Whether Quire is the server on the published copy. */
  readonly published?: boolean
}

/** The servers of the comparisons. */
interface Sides {
  readonly quire: Running
  readonly published: Running
  readonly logs: Running
  readonly bare: Running
}

/** An article that no request before has created. */
export const newArticle = JSON.stringify({
  ...article(0),
  name: `New ${countMark}`,
  slug: `new-${countMark}`,
})

const select = 'select=id,name,slug,fields.title'

/** Items that the published copy publishes. */
const publishedItems = 2000

function comparisons(effort: Effort, etags: ReadonlyMap<string, string>): readonly Comparison[] {
  const bareReads = (server: Running) => readLoad(server, '/items/slug', effort).requests
  const reads = (server: Running) => readLoad(server, slugPath, effort).requests
  const lists = (server: Running) =>
    categories.map((category) => request(server, `GET ${listPath(category)}`))
  const bareSelects = (server: Running) =>
    categories.map((category) => request(server, `GET /items?category=${category}&select=small`))
  const everyTwentieth = (read: readonly string[], write: string) =>
    read.map((text, index) => (index % 20 === 19 ? write : text))
  return [
    {
      what: 'read by slug',
      quire: reads,
      bare: bareReads,
      target: 0.85,
      bareTarget: 0.7,
      tail: true,
      before: [0.43, 0.51, 4.3],
    },
    {
      what: 'list of 25, filtered, sorted, counted',
      quire: lists,
      bare: (server) => bareList(server, effort).requests,
      target: 0.85,
      bareTarget: 0.8,
      tail: true,
      before: [0.46, 0.54, 3.6],
    },
    {
      what: 'the same list with 4 fields by `select`',
      quire: (server) => categories.map((category) => request(server, `GET ${listPath(category)}&${select}`)),
      bare: bareSelects,
      target: 0.8,
      before: [0.23],
    },
    {
      what: 'the same 4 fields over GraphQL',
      quire: (server) => [graphRequest(server, listDocument)],
      bare: bareSelects,
      target: 0.5,
      before: [0.2],
    },
    {
      what: 'create, durable, 8 connections',
      quire: (server) => [request(server, 'POST /api/items', newArticle)],
      bare: (server) => [request(server, 'POST /items', newArticle)],
      connections: 8,
      target: 0.7,
      bareTarget: 0.4,
      before: [0.44, 0.27],
    },
    {
      what: 'mix of 95 % reads and 5 % creates',
      quire: (server) => everyTwentieth(reads(server), request(server, 'POST /api/items', newArticle)),
      bare: (server) => everyTwentieth(bareReads(server), request(server, 'POST /items', newArticle)),
      target: 0.8,
      before: [0.44],
    },
    {
      what: 'mix of 95 % lists and 5 % creates',
      quire: (server) => everyTwentieth(lists(server), request(server, 'POST /api/items', newArticle)),
      bare: (server) =>
        everyTwentieth(bareList(server, effort).requests, request(server, 'POST /items', newArticle)),
    },
    {
      what: 'published read by slug, without a token',
      quire: () =>
        scatteredSlugs(publishedItems, 5000).map(
          (slug) => `GET /api/published/items/bench/slug/${slug} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
        ),
      bare: bareReads,
      published: true,
      target: 0.9,
      before: [0.38],
    },
    {
      what: 'read that is answered with 304',
      quire: (server) =>
        [...etags].map(([slug, etag]) =>
          request(server, `GET ${slugPath}/${slug}`).replace(
            '\r\n\r\n',
            `\r\nIf-None-Match: ${etag}\r\n\r\n`,
          ),
        ),
      bare: bareReads,
      target: 1,
      before: [0.62],
    },
  ]
}

const slugPath = '/api/items/bench/slug'

/** Every kind of request, compared with the bare server that logs and with the one that does not. */
export async function limitLines(files: { quire: string; bare: string }, effort: Effort): Promise<Figure[]> {
  const copy = await publishedCopy(files.quire, publishedItems)
  const sides: Sides = {
    quire: await startQuire(files.quire),
    published: await startQuire(copy),
    logs: await startBare(files.bare, { logs: true }),
    bare: await startBare(files.bare),
  }
  try {
    const etags = await etagsOf(sides.quire, scatteredSlugs(effort.items, 500))
    const lines: Figure[] = []
    for (const comparison of comparisons(effort, etags))
      lines.push(...(await compared(sides, comparison, effort)))
    return [...lines, ...(await crowdLines(sides.quire, effort)), memoryAfter(sides.quire)]
  } finally {
    await Promise.all(Object.values(sides).map(stopServer))
  }
}

/** How long servers are warmed up where rounds are short: a second of reads is half compiling. */
const warmUpMs = 5000

/** Some kinds of request, compared with the bare server that logs, on servers that are warm. */
export async function loggingLines(
  files: { quire: string; bare: string },
  effort: Effort,
  whats: readonly string[],
): Promise<Figure[]> {
  const quire = await startQuire(files.quire)
  const logs = await startBare(files.bare, { logs: true })
  try {
    const lines: Figure[] = []
    for (const { bareTarget: _bare, tail: _tail, before: _before, ...comparison } of comparisons(
      effort,
      new Map(),
    )) {
      if (!whats.includes(comparison.what)) continue
      const sides = { quire, published: quire, logs, bare: logs }
      await compared(sides, comparison, { ...effort, rounds: 0, durationMs: warmUpMs })
      lines.push(...(await compared(sides, comparison, effort)))
    }
    return lines
  } finally {
    await Promise.all([quire, logs].map(stopServer))
  }
}

async function compared(sides: Sides, comparison: Comparison, effort: Effort): Promise<Figure[]> {
  const {
    what,
    connections = 32,
    target,
    bareTarget,
    tail = false,
    published = false,
    before = [],
  } = comparison
  const quire = published ? sides.published : sides.quire
  const load = (server: Running, requests: readonly string[]) => () =>
    sendSound({ port: server.port, requests, connections, durationMs: effort.durationMs })
  const [ours = [], logs = [], bare = []] = await inRounds<Measured>(effort.rounds, [
    load(quire, comparison.quire(quire)),
    load(sides.logs, comparison.bare(sides.logs)),
    ...(bareTarget === undefined ? [] : [load(sides.bare, comparison.bare(sides.bare))]),
  ])
  const line = (limit: readonly Measured[], of: string, target: number | undefined) =>
    ratioLine(`${what}, relative to the bare server${of}`, ratios(ours, limit, 'rate'), {
      ...(target !== undefined && { target, bound: 'atLeast' }),
      detail: `${rateOf(ours)}/s of ${rateOf(limit)}/s`,
    })
  const lines = [
    ...(bareTarget === undefined ? [] : [line(bare, '', bareTarget)]),
    line(logs, ' that logs', target),
    ...(tail ? [tailLine(what, ours, logs)] : []),
  ]
  return lines.map((one, index) => ({
    ...one,
    ...(before[index] !== undefined && { before: before[index] }),
  }))
}

function tailLine(what: string, ours: readonly Measured[], limit: readonly Measured[]): Figure {
  const p99 = (side: readonly Measured[]) => median(side.map((one) => one.p99)).toFixed(2)
  return ratioLine(`p99 of a ${what}, relative to the bare server that logs`, ratios(ours, limit, 'p99'), {
    target: 1.3,
    bound: 'atMost',
    detail: `${p99(ours)} ms against ${p99(limit)} ms`,
  })
}

function ratios(ours: readonly Measured[], limit: readonly Measured[], of: 'rate' | 'p99'): number[] {
  return ours.map((one, round) => one[of] / (limit[round]?.[of] ?? Number.NaN))
}

/** Reads over 200 connections, compared with 32. */
async function crowdLines(quire: Running, effort: Effort): Promise<Figure[]> {
  const reads = readLoad(quire, slugPath, effort)
  const [few = [], many = []] = await inRounds(effort.rounds, [
    () => sendSound(reads),
    () => sendSound({ ...reads, connections: 200 }),
  ])
  return [
    ratioLine('reads over 200 connections, relative to 32', ratios(many, few, 'rate'), {
      target: 0.95,
      bound: 'atLeast',
      detail: `${rateOf(many)}/s of ${rateOf(few)}/s`,
    }),
    ratioLine(
      'p99 of reads over 200 connections, relative to their mean',
      many.map(({ p99, mean }) => p99 / mean),
      { target: 2, bound: 'atMost', detail: `mean ${median(many.map(({ mean }) => mean)).toFixed(2)} ms` },
    ),
  ]
}

function memoryAfter(quire: Running): Figure {
  return singleFigure({
    what: 'memory after the requests',
    value: rssMb(quire),
    unit: 'MB',
    target: 290,
    bound: 'atMost',
    detail: 'RSS after all of them, without a pause',
  })
}

async function etagsOf(quire: Running, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const etags = new Map<string, string>()
  for (const slug of slugs) {
    const response = await fetch(`http://127.0.0.1:${quire.port}${slugPath}/${slug}`, {
      headers: { authorization: `Bearer ${quire.token}` },
    })
    await response.arrayBuffer()
    etags.set(slug, response.headers.get('etag') ?? '')
  }
  return etags
}
