import { article, scatteredSlugs } from './articles.ts'
import { componentsOf } from './components.ts'
import { sendSound } from './compare.ts'
import { listDocument } from './graphql-lines.ts'
import { listPath, type Effort } from './http-lines.ts'
import type { Load } from './load.ts'
import { profileDuring } from './profiler.ts'
import { graphRequest, request, startInspected, stopServer, type Running } from './servers.ts'

/** Where the time of one kind of request is spent. */
export interface RequestProfile {
  readonly what: string
  /** Number of requests answered during the profile. */
  readonly requests: number
  /** Microseconds of the server's thread per request, by component. */
  readonly components: ReadonlyMap<string, number>
}

/**
 * Profiles a read by slug, a list, a list over GraphQL and a create over HTTP, each on a warm
 * server.
 */
export async function profileRequests(data: string, effort: Effort): Promise<RequestProfile[]> {
  const server = await startInspected(data)
  try {
    const profiles: RequestProfile[] = []
    for (const [what, load] of loads(server, effort)) {
      // Warm up: code that runs for the first time is compiled, which is not part of a request's
      // cost.
      await sendSound(load(0))
      let requests = 0
      const profile = await profileDuring(server.inspector, async () => {
        const { rate } = await sendSound(load(1))
        requests = (rate * effort.durationMs) / 1000
      })
      profiles.push({ what, requests, components: perRequest(componentsOf(profile), requests) })
    }
    return profiles
  } finally {
    await stopServer(server)
  }
}

function perRequest(totals: ReadonlyMap<string, number>, requests: number): Map<string, number> {
  return new Map([...totals].map(([name, total]) => [name, total / requests]))
}

type NamedLoad = readonly [what: string, load: (run: number) => Load]

function loads(server: Running, { items, durationMs }: Effort): NamedLoad[] {
  const common = { port: server.port, durationMs }
  const reads = scatteredSlugs(items, 5000).map((slug) =>
    request(server, `GET /api/items/bench/slug/${slug}`),
  )
  const lists = Array.from({ length: 20 }, (_, index) =>
    request(server, `GET ${listPath(`category-${index}`)}`),
  )
  const graphs = [graphRequest(server, listDocument)]
  return [
    ['read by slug', () => ({ ...common, requests: reads, connections: 32 })],
    ['list of 25, filtered, sorted, counted', () => ({ ...common, requests: lists, connections: 32 })],
    ['list of 25 over GraphQL, 4 fields', () => ({ ...common, requests: graphs, connections: 32 })],
    ['create', (run) => ({ ...common, requests: creates(server, run, durationMs), connections: 8 })],
  ]
}

function creates(server: Running, run: number, durationMs: number): string[] {
  return Array.from({ length: Math.ceil((durationMs / 1000) * 8000) }, (_, index) =>
    request(
      server,
      'POST /api/items',
      JSON.stringify({ ...article(index), slug: `profile-${run}-${index}` }),
    ),
  )
}

/** Formats the profiles as tables, with components sorted by time. */
export function profileText(profiles: readonly RequestProfile[]): string {
  return profiles.map(tableOf).join('\n\n')
}

function tableOf({ what, requests, components }: RequestProfile): string {
  const sum = [...components.values()].reduce((total, one) => total + one, 0)
  const rows = [...components]
    .toSorted(([, a], [, b]) => b - a)
    .map(
      ([name, µs]) =>
        `${µs.toFixed(1).padStart(8)} µs ${((µs / sum) * 100).toFixed(0).padStart(3)} %  ${name}`,
    )
  return [`${what}: ${sum.toFixed(0)} µs a request, of ${Math.round(requests)}`, ...rows].join('\n')
}
