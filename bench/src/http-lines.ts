import { categories, scatteredSlugs } from './articles.ts'
import { interleaved, median, ratioLine, sendSound, type Figure } from './compare.ts'
import type { Load } from './load.ts'
import { request, startQuire, stopServer, type Running } from './servers.ts'

/** Durations, rounds and numbers of items. */
export interface Effort {
  readonly rounds: number
  readonly durationMs: number
  readonly items: number
  /** The number of items in the large repository. */
  readonly many: number
}

/** Reads by slug, spread over the whole repository. */
export function readLoad(server: Running, path: string, { items, durationMs }: Effort): Load {
  const requests = scatteredSlugs(items, 5000).map((slug) => request(server, `GET ${path}/${slug}`))
  return { port: server.port, requests, connections: 32, durationMs }
}

/** The bare server's list: 25 items of a category, sorted, with a total count. */
export function bareList(server: Running, { durationMs }: Effort): Load {
  const requests = categories.map((category) => request(server, `GET /items?category=${category}`))
  return { port: server.port, requests, connections: 32, durationMs }
}

/** A list of 25 items filtered by a custom field, sorted, with a total count. */
export function listPath(category: string): string {
  return `/api/items/bench?type=article&filter[fields.category]=${category}&sort=-updatedDate&limit=25`
}

/** Lists of one category. */
export function listLoad(server: Running, { durationMs }: Effort): Load {
  const requests = [request(server, `GET ${listPath('category-7')}`)]
  return { port: server.port, requests, connections: 32, durationMs }
}

/** How the cost of a read and of a page grows with the repository, on one connection. */
export async function growthLines(files: { few: string; many: string }, effort: Effort): Promise<Figure[]> {
  const few = await startQuire(files.few)
  const many = await startQuire(files.many)
  try {
    const single = { connections: 1, durationMs: effort.durationMs }
    const reads = await interleaved(
      effort.rounds,
      () => ({ ...readLoad(few, '/api/items/bench/slug', { ...effort, items: 1000 }), ...single }),
      () => ({ ...readLoad(many, '/api/items/bench/slug', { ...effort, items: effort.many }), ...single }),
    )
    const deep = await cursorOfPage(many, Math.min(1000, Math.floor(effort.many / 25) - 1))
    const page = (cursor: string): Load => ({
      port: many.port,
      requests: [request(many, `GET ${pagePath}${cursor}`)],
      ...single,
    })
    await sendSound(page(''))
    const pages = await interleaved(
      effort.rounds,
      () => page(''),
      () => page(`&cursor=${deep}`),
    )
    const ms = (pairs: typeof reads) =>
      `p50 ${median(pairs.map(([a]) => a.p50)).toFixed(3)} → ${median(pairs.map(([, b]) => b.p50)).toFixed(3)} ms`
    const ratio = (pairs: typeof reads) => pairs.map(([a, b]) => b.p50 / a.p50)
    return [
      ratioLine(`p50 of a read at ${effort.many} items, relative to 1 000 items`, ratio(reads), {
        target: 1.2,
        bound: 'atMost',
        detail: ms(reads),
      }),
      ratioLine('page 1 000 by cursor, relative to page 1', ratio(pages), {
        target: 1.5,
        bound: 'atMost',
        detail: ms(pages),
      }),
    ]
  } finally {
    await Promise.all([stopServer(few), stopServer(many)])
  }
}

const pagePath = '/api/items/bench?limit=25&skipCount=true&sort=-updatedDate'

async function cursorOfPage(server: Running, pages: number): Promise<string> {
  let cursor = ''
  for (let page = 0; page < pages; page++) {
    const next = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await fetch(`http://127.0.0.1:${server.port}${pagePath}&select=id${next}`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const { nextCursor } = (await response.json()) as { nextCursor: string }
    cursor = nextCursor
  }
  return cursor
}
