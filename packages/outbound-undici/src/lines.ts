import type { Socket } from 'node:net'
import type { buildConnector, Client } from 'undici'
import { broken } from './failures.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

/**
 * Ms that a connection is kept without use: undici's own figure. At twice, more servers have ended theirs at the moment when a request goes
 * out, which is then lost; at half, an origin that gets one request in three seconds is connected to for each.
 */
const KEPT_MS = 4_000

/** A connection to an origin, which carries one request at a time, and comes about anew where the old one ended meanwhile. */
interface Line {
  readonly origin: string
  readonly client: Client
  /** Whom it may connect for. Null once it has: undici would connect again and again for a request that it cannot begin. */
  trip: Trip | null
}

/** The lines that are there. */
export interface Lines {
  /** One that was kept, the last first, or a new one, which connects when a request goes over it. */
  take(target: Target, trip: Trip): Promise<Line>
  /** Keeps a line whose answer was read to its end. */
  keep(line: Line): void
  /** Ends a line, whatever goes over it. */
  drop(line: Line): void
  /** Ends those that are kept. */
  close(): Promise<void>
}

/** How a connection comes about. Errors: OutboundFailure. */
export type Connect = (target: Target, trip: Trip) => Promise<Socket>

/** No lines yet. The library is loaded with the first. */
export function createLines(connect: Connect): Lines {
  const kept = new Map<string, Line[]>()
  const drop = (line: Line) => {
    forget(kept, line)
    void line.client.destroy()
  }
  return {
    drop,
    async take(target, trip) {
      const line = kept.get(target.origin)?.at(-1)
      if (!line)
        return openLine({ target, trip, connect, onEnd: (ended) => isKept(kept, ended) && drop(ended) })
      forget(kept, line)
      line.trip = trip
      return line
    },
    keep(line) {
      line.trip = null
      kept.set(line.origin, [...(kept.get(line.origin) ?? []), line])
    },
    async close() {
      const lines = [...kept.values()].flat()
      kept.clear()
      await Promise.all(lines.map(({ client }) => client.destroy()))
    },
  }
}

function isKept(kept: ReadonlyMap<string, readonly Line[]>, line: Line): boolean {
  return kept.get(line.origin)?.includes(line) ?? false
}

function forget(kept: Map<string, Line[]>, line: Line): void {
  const others = kept.get(line.origin)?.filter((other) => other !== line) ?? []
  if (others.length > 0) kept.set(line.origin, others)
  else kept.delete(line.origin)
}

interface Opening {
  readonly target: Target
  readonly trip: Trip
  readonly connect: Connect
  readonly onEnd: (line: Line) => void
}

async function openLine({ target, trip, connect, onEnd }: Opening): Promise<Line> {
  const { Client } = await import('undici')
  const client = new Client(target.origin, {
    connect: (_, callback) => void connectOnce(line, (owner) => connect(target, owner), callback),
    allowH2: false,
    keepAliveTimeout: KEPT_MS,
    // Whatever the server says: what it lets live long need not live here.
    keepAliveMaxTimeout: KEPT_MS,
    // The trip has its own time, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const line: Line = { origin: target.origin, client, trip }
  client.on('disconnect', () => onEnd(line))
  return line
}

async function connectOnce(
  line: Line,
  connect: (trip: Trip) => Promise<Socket>,
  callback: buildConnector.Callback,
): Promise<void> {
  const { trip } = line
  line.trip = null
  try {
    if (!trip) throw broken()
    callback(null, await connect(trip))
  } catch (error) {
    callback(error instanceof Error ? error : broken(error), null)
  }
}
