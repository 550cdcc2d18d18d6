import { categories } from './articles.ts'
import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { bareList, type Effort } from './http-lines.ts'
import type { Load, Measured } from './load.ts'
import { refusedLine } from './refused-line.ts'
import { schemaLines } from './schema-lines.ts'
import { graphRequest, request, startBare, startQuire, stopServer, type Running } from './servers.ts'

/** The cost of GraphQL: lists, documents that are too complex, and the schema. */
export async function graphqlLines(
  files: { quire: string; bare: string },
  effort: Effort,
): Promise<Figure[]> {
  const quire = await startQuire(files.quire)
  const bare = await startBare(files.bare)
  try {
    return [
      await besideRest(quire, effort),
      await besideBare(quire, bare, effort),
      await refusedLine(quire, effort),
      ...(await schemaLines(effort)),
    ]
  } finally {
    await Promise.all([stopServer(quire), stopServer(bare)])
  }
}

const selected = 'GET /api/items/bench?type=article&limit=25&skipCount=true&select=id,name,slug,fields.title'

/** Four fields of 25 items, with the same document every time. */
export const listDocument = '{ articles(limit: 25) { items { id name slug title } } }'

/** Compared with REST: the same items with the same fields. */
async function besideRest(quire: Running, effort: Effort): Promise<Figure> {
  const pairs = await interleaved(
    effort.rounds,
    () => loadOf(quire, [request(quire, selected)], effort),
    () => loadOf(quire, [graphRequest(quire, listDocument)], effort),
  )
  return ratioLine('list of 25 over GraphQL, 4 fields, relative to REST with `select`', ratios(pairs), {
    target: 0.5,
    bound: 'atLeast',
    detail: rates(pairs),
  })
}

// Directus 12.4.0, as measured in docs/performance.md: lists per second, and the bare server's
// lists per second in the same run.
const directus = { rate: 270, bareRate: 8200 }

/**
 * Compared with the bare server's list. The detail also gives the ratio when the GraphQL list is
 * filtered, sorted and counted like the bare one.
 */
async function besideBare(quire: Running, bare: Running, effort: Effort): Promise<Figure> {
  const beside = (requests: readonly string[]) =>
    interleaved(
      effort.rounds,
      () => bareList(bare, effort),
      () => loadOf(quire, requests, effort),
    )
  const plain = await beside([graphRequest(quire, listDocument)])
  const asked = await beside(categories.map((category) => graphRequest(quire, documentOf(category))))
  const alike = `${median(ratios(asked)).toFixed(2)} × when filtered, sorted and counted like the bare list`
  return ratioLine('list of 25 over GraphQL, 4 fields, relative to the bare list', ratios(plain), {
    target: (10 * directus.rate) / directus.bareRate,
    bound: 'atLeast',
    detail: `${rates(plain)}; ${alike}; the target is 10 × Directus, ${directus.rate}/s against ${directus.bareRate}/s of the bare server`,
  })
}

function documentOf(category: string): string {
  const asked = `filter: { category: { eq: "${category}" } }, sort: [updatedDate_DESC], limit: 25`
  return `{ articles(${asked}) { count items { id name slug title } } }`
}

function loadOf(server: Running, requests: readonly string[], { durationMs }: Effort): Load {
  return { port: server.port, requests, connections: 32, durationMs }
}

function ratios(pairs: readonly [Measured, Measured][]): number[] {
  return pairs.map(([limit, ours]) => ours.rate / limit.rate)
}

function rates(pairs: readonly [Measured, Measured][]): string {
  const rate = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side].rate)))
  return `${rate(1)}/s of ${rate(0)}/s`
}
