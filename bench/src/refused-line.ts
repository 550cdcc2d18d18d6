import { callApi } from '../../test/server/api-access.ts'
import { median, sendSound, type Figure } from './compare.ts'
import type { Effort } from './http-lines.ts'
import type { Measured } from './load.ts'
import { graphRequest, type Running } from './servers.ts'

type Documents = (index: number) => string

/** Documents with nearly as many tokens as are read, each of which asks too much in one way; `index` makes each another. */
const tooMuch: Readonly<Record<string, Documents>> = {
  levels: (index) => `{ a${index} ${'{ b '.repeat(650)} ${'}'.repeat(651)}`,
  aliases: (index) => `{ ${repeated(640, (field) => `a${index}x${field}: __typename`)} }`,
  cost: (index) =>
    `{ articles(limit: 1000, cursor: "${index}") { items { ${'id name slug title '.repeat(490)} } } }`,
  // Each spreads the next twice, and the last one spreads none that there is.
  fragments: (index) =>
    `{ ...F0 } ${repeated(170, (name) => `fragment F${name} on Query { ...F${name + 1} ...F${name + 1} }`)} # ${index}`,
}

function repeated(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ')
}

/** How long a refusal takes, of the kind that takes longest: one after the other, no document twice. */
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
    what: 'GraphQL document that asks too much, to its refusal',
    value: p50Of(rounds),
    min: Math.min(...rounds.map(({ p50 }) => p50)),
    max: Math.max(...kinds.flatMap(([, measured]) => measured.map(({ max }) => max))),
    unit: 'ms',
    target: 20,
    bound: 'atMost',
    detail: `p50 of the slowest kind, ${slowest}; the longest of all kinds is the maximum; p50 in ms: ${all.join(', ')}`,
  }
}

/** Errors: an answer that is none of a document that asks too much. */
async function requireRefused({ port, token }: Running, query: string): Promise<void> {
  const call = { url: `http://127.0.0.1:${port}`, token }
  const answer = await callApi<object>(call, 'POST', { path: '/api/graphql/bench', body: { query } })
  const text = JSON.stringify(answer)
  if (!text.includes('"code":"too_complex"')) throw new Error(`the document was not refused: ${text}`)
}

// More than can be refused in a millisecond: none is sent twice.
const mostAMillisecond = 4

async function refusals(
  quire: Running,
  documents: Documents,
  { rounds, durationMs }: Effort,
): Promise<Measured[]> {
  const measured: Measured[] = []
  // A second of each kind is some thousand refusals.
  const load = { port: quire.port, connections: 1, durationMs: durationMs / 4 }
  const count = load.durationMs * mostAMillisecond
  for (let round = 0; round <= rounds; round++) {
    const requests = Array.from({ length: count }, (_, index) =>
      graphRequest(quire, documents(round * count + index)),
    )
    measured.push(await sendSound({ ...load, requests }))
  }
  // The first round compiles what the others run.
  return measured.slice(1)
}
