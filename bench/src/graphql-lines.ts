import { interleaved, median, ratioLine, type Figure } from './compare.ts'
import { bareList, type Effort } from './http-lines.ts'
import type { Load, Measured } from './load.ts'
import { refusedLine } from './refused-line.ts'
import { schemaLines } from './schema-lines.ts'
import { graphRequest, request, startBare, startQuire, stopServer, type Running } from './servers.ts'

/** What a graph costs: lists over it, documents that ask too much, and its schema. */
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

/** Four fields of 25 items, by one document over and over. */
export const listDocument = '{ articles(limit: 25) { items { id name slug title } } }'

/** The same items with the same members. */
async function besideRest(quire: Running, effort: Effort): Promise<Figure> {
  const pairs = await interleaved(
    effort.rounds,
    () => loadOf(quire, [request(quire, selected)], effort),
    () => loadOf(quire, [graphRequest(quire, listDocument)], effort),
  )
  return ratioLine('list of 25 over GraphQL, 4 fields, of REST with `select`', ratios(pairs), {
    target: 0.5,
    bound: 'atLeast',
    detail: rates(pairs),
  })
}

// Directus 12.4.0, as docs/performance.md has it: what it lists a second where the bare server lists so many.
const directus = { rate: 270, bareRate: 8200 }

/** The same list beside the bare one. What it is when it is filtered, sorted and counted, as the bare one is, stands in the detail. */
async function besideBare(quire: Running, bare: Running, effort: Effort): Promise<Figure> {
  const beside = (requests: readonly string[]) =>
    interleaved(
      effort.rounds,
      () => bareList(bare, effort),
      () => loadOf(quire, requests, effort),
    )
  const plain = await beside([graphRequest(quire, listDocument)])
  const categories = Array.from({ length: 20 }, (_, index) => `category-${index}`)
  const asked = await beside(categories.map((category) => graphRequest(quire, documentOf(category))))
  const alike = `${median(ratios(asked)).toFixed(2)} × when it is filtered, sorted and counted, as the bare one is`
  return ratioLine('list of 25 over GraphQL, 4 fields, of the bare list', ratios(plain), {
    target: (10 * directus.rate) / directus.bareRate,
    bound: 'atLeast',
    detail: `${rates(plain)}; ${alike}; the target is 10 × Directus, ${directus.rate}/s where the bare server lists ${directus.bareRate}/s`,
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
