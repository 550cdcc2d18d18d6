import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request that has ended. */
export interface EndedRequest {
  readonly method: string
  /** The pattern of its route, never the path: that would create a series for every item. */
  readonly route: string
  /** `2xx`…; `aborted` if the caller disconnected before the response was sent. */
  readonly status: string
  readonly seconds: number
}

/** Counts the requests of each route and their durations. */
export interface RequestTimings {
  observe(request: EndedRequest): void
  /** A histogram in the text format of Prometheus, with cumulative buckets. */
  text(): string
}

/**
 * Bucket bounds in seconds. A read takes less than the first. Most callers have given up after the
 * last.
 */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const name = 'quire_http_request_duration_seconds'
const head = [
  `# HELP ${name} Seconds from the request headers to the end of the response.`,
  `# TYPE ${name} histogram`,
]

interface Tally {
  readonly labels: string
  readonly counts: number[]
  count: number
  sum: number
}

/**
 * An empty histogram. It is counted here and not by prom-client, which builds the labels anew for
 * each request: 1.3 µs, 3 % of a read, against 0.2 µs for three map lookups.
 */
export function createTimings(): RequestTimings {
  const tallies = new Map<string, Map<string, Map<string, Tally>>>()
  const tallyOf = ({ method, route, status }: EndedRequest) => {
    const ofRoute = getOrCreate(tallies, route, () => new Map<string, Map<string, Tally>>())
    const ofMethod = getOrCreate(ofRoute, method, () => new Map<string, Tally>())
    return getOrCreate(ofMethod, status, () =>
      emptyTally(`method="${method}",route="${route}",status="${status}"`),
    )
  }
  return {
    observe(request) {
      const { seconds } = request
      const tally = tallyOf(request)
      const location = bounds.findIndex((bound) => seconds <= bound)
      if (location >= 0) tally.counts[location] = (tally.counts[location] ?? 0) + 1
      tally.count += 1
      tally.sum += seconds
    },
    text() {
      const all = [...tallies.values()].flatMap((ofRoute) => [...ofRoute.values()])
      return [...head, ...all.flatMap((ofMethod) => [...ofMethod.values()].flatMap(rowsOf))].join('\n')
    },
  }
}

/** Measures the requests of an app. Call it before the app is ready. */
export function timeRequests(app: FastifyInstance, { observe }: Pick<RequestTimings, 'observe'>): void {
  app.addHook('onRequest', (request, { raw }, proceed) => {
    const start = performance.now()
    raw.on('close', () => {
      const status = raw.writableFinished ? classOf(raw.statusCode) : 'aborted'
      const seconds = (performance.now() - start) / 1000
      observe({ method: request.method, route: routeOf(request), status, seconds })
    })
    proceed()
  })
}

function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none'
}

const classes = ['', '1xx', '2xx', '3xx', '4xx', '5xx']

function classOf(status: number): string {
  return classes[Math.floor(status / 100)] ?? ''
}

function getOrCreate<V>(map: Map<string, V>, key: string, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}

function emptyTally(labels: string): Tally {
  return { labels, counts: bounds.map(() => 0), count: 0, sum: 0 }
}

function rowsOf({ labels, counts, count, sum }: Tally): string[] {
  let upTo = 0
  const buckets = counts.map((inBucket, index) => {
    upTo += inBucket
    return `${name}_bucket{${labels},le="${bounds[index]}"} ${upTo}`
  })
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ]
}
