import type { Socket } from 'node:net'
import type { buildConnector, Client } from 'undici'
import { broken } from './failures.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

/**
 * Ms that a connection is kept without use: undici's own figure. At twice, more servers have ended theirs at the moment when a request goes
 * out, which is then lost; at half, an origin that gets one request in three seconds is connected to for each.
 */
const IDLE_MS = 4_000

/** A connection to an origin, which carries one request at a time, and comes about anew where the old one ended meanwhile. */
interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /** Whom it may connect for. Null once it has: undici would connect again and again for a request that it cannot begin. */
  trip: Trip | null
}

/** The lines that are there. */
export interface ConnectionPool {
  /** One that was kept, the last first, or a new one, which connects when a request goes over it. */
  take(target: Target, trip: Trip): Promise<PooledConnection>
  /** Keeps a line whose answer was read to its end. */
  release(connection: PooledConnection): void
  /** Ends a line, whatever goes over it. */
  drop(connection: PooledConnection): void
  /** Ends those that are kept. */
  close(): Promise<void>
}

/** How a connection comes about. Errors: OutboundFailure. */
export type Connect = (target: Target, trip: Trip) => Promise<Socket>

/** No lines yet. The library is loaded with the first. */
export function createConnectionPool(connect: Connect): ConnectionPool {
  const idle = new Map<string, PooledConnection[]>()
  const drop = (connection: PooledConnection) => {
    forget(idle, connection)
    void connection.client.destroy()
  }
  return {
    drop,
    async take(target, trip) {
      const connection = idle.get(target.origin)?.at(-1)
      if (!connection)
        return openConnection({
          target,
          trip,
          connect,
          onEnd: (ended) => isStored(idle, ended) && drop(ended),
        })
      forget(idle, connection)
      connection.trip = trip
      return connection
    },
    release(connection) {
      connection.trip = null
      idle.set(connection.origin, [...(idle.get(connection.origin) ?? []), connection])
    },
    async close() {
      const pool = [...idle.values()].flat()
      idle.clear()
      await Promise.all(pool.map(({ client }) => client.destroy()))
    },
  }
}

function isStored(
  idle: ReadonlyMap<string, readonly PooledConnection[]>,
  connection: PooledConnection,
): boolean {
  return idle.get(connection.origin)?.includes(connection) ?? false
}

function forget(idle: Map<string, PooledConnection[]>, connection: PooledConnection): void {
  const others = idle.get(connection.origin)?.filter((other) => other !== connection) ?? []
  if (others.length > 0) idle.set(connection.origin, others)
  else idle.delete(connection.origin)
}

interface Opening {
  readonly target: Target
  readonly trip: Trip
  readonly connect: Connect
  readonly onEnd: (connection: PooledConnection) => void
}

async function openConnection({ target, trip, connect, onEnd }: Opening): Promise<PooledConnection> {
  const { Client } = await import('undici')
  const client = new Client(target.origin, {
    connect: (_, callback) => void connectOnce(connection, (owner) => connect(target, owner), callback),
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    // Whatever the server says: what it lets live long need not live here.
    keepAliveMaxTimeout: IDLE_MS,
    // The trip has its own time, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const connection: PooledConnection = { origin: target.origin, client, trip }
  client.on('disconnect', () => onEnd(connection))
  return connection
}

async function connectOnce(
  connection: PooledConnection,
  connect: (trip: Trip) => Promise<Socket>,
  callback: buildConnector.Callback,
): Promise<void> {
  const { trip } = connection
  connection.trip = null
  try {
    if (!trip) throw broken()
    callback(null, await connect(trip))
  } catch (error) {
    callback(error instanceof Error ? error : broken(error), null)
  }
}
