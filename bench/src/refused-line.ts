import { callApi } from '../../test/server/api-access.ts'
import { median, sendSound, type Figure } from './compare.ts'
import type { Effort } from './http-lines.ts'
import type { Measured } from './load.ts'
import { graphRequest, type Running } from './servers.ts'

type Documents = (index: number) => string

/**
 * Documents with nearly the maximum number of tokens, each too complex in one way. `index` makes
 * each one unique.
 */
const tooMuch: Readonly<Record<string, Documents>> = {
  levels: (index) => `{ a${index} ${'{ b '.repeat(650)} ${'}'.repeat(651)}`,
  aliases: (index) => `{ ${repeated(640, (field) => `a${index}x${field}: __typename`)} }`,
  cost: (index) =>
    `{ articles(limit: 1000, cursor: "${index}") { items { ${'id name slug title '.repeat(490)} } } }`,
  // Each fragment spreads the next one twice. The last one spreads a missing fragment.
  fragments: (index) =>
    `{ ...F0 } ${repeated(170, (name) => `fragment F${name} on Query { ...F${name + 1} ...F${name + 1} }`)} # ${index}`,
}

function repeated(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ')
}

/**
 * The time to reject a document, for the slowest kind. One at a time, and no document is sent
 * twice.
 */
export async function refusedLine(quire: Running, effort: Effort): Promise<Figure> {
  const kinds: (readonly [string, readonly Measured[]])[] = []
  for (const [kind, documents] of Object.entries(tooMuch)) {
    await requireRefused(quire, documents(0))
    kinds.push([kind, await refusals(quire, documents, effort)])
  }
  const p50Of = (rounds: readonly Measured[]) => median(rounds.map(({ p50 }) => p50))
  const [[slowest, rounds] = ['none', []]] = kinds.toSorted(([, a], [, b]) => p50Of(b) - p50Of(a))
  const all = kinds.map(([kind, measured]) => `${kind} ${p50Of(measured).toFixed(2)}`)
  return {
    what: 'rejection of a GraphQL document that is too complex',
    value: p50Of(rounds),
    min: Math.min(...rounds.map(({ p50 }) => p50)),
    max: Math.max(...kinds.flatMap(([, measured]) => measured.map(({ max }) => max))),
    unit: 'ms',
    target: 20,
    bound: 'atMost',
    detail: `p50 of the slowest kind, ${slowest}; the maximum is over all kinds; p50 in ms: ${all.join(', ')}`,
  }
}

/** Errors: any answer other than `too_complex`. */
async function requireRefused({ port, token }: Running, query: string): Promise<void> {
  const call = { url: `http://127.0.0.1:${port}`, token }
  const answer = await callApi<object>(call, 'POST', { path: '/api/graphql/bench', body: { query } })
  const text = JSON.stringify(answer)
  if (!text.includes('"code":"too_complex"')) throw new Error(`the document was not refused: ${text}`)
}

// More than can be rejected in a millisecond: no document is sent twice.
const mostAMillisecond = 4

async function refusals(
  quire: Running,
  documents: Documents,
  { rounds, durationMs }: Effort,
): Promise<Measured[]> {
  const measured: Measured[] = []
  // One second per kind is about a thousand rejections.
  const load = { port: quire.port, connections: 1, durationMs: Math.max(1000, durationMs / 4) }
  const count = load.durationMs * mostAMillisecond
  for (let round = 0; round <= rounds; round++) {
    const requests = Array.from({ length: count }, (_, index) =>
      graphRequest(quire, documents(round * count + index)),
    )
    measured.push(await sendSound({ ...load, requests }))
  }
  // The first round is the warm-up.
  return measured.slice(1)
}
