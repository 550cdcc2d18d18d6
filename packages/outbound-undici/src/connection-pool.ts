import type { Socket } from 'node:net'
import type { buildConnector, Client } from 'undici'
import { broken } from './failures.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

/**
 * Milliseconds for which an idle connection stays open: undici's default. At twice, more servers
 * have closed theirs just when a request is sent, which is then lost; at half, an origin with one
 * request every three seconds needs a new connection each time.
 */
const IDLE_MS = 4_000

/**
 * A connection to an origin for one request at a time. It reconnects when the old connection has
 * ended.
 */
interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /**
   * The request that it may connect for. Null once it has connected: undici would otherwise
   * reconnect again and again for a request that it cannot start.
   */
  trip: Trip | null
}

/** The idle connections. */
export interface ConnectionPool {
  /**
   * Takes the most recently used idle connection, or a new one, which connects when a request is
   * sent.
   */
  take(target: Target, trip: Trip): Promise<PooledConnection>
  /** Returns a connection whose response was read to its end. */
  release(connection: PooledConnection): void
  /** Closes a connection, including a running request. */
  drop(connection: PooledConnection): void
  /** Closes the idle connections. */
  close(): Promise<void>
}

/** Opens a connection. Errors: OutboundFailure. */
export type Connect = (target: Target, trip: Trip) => Promise<Socket>

/** Creates an empty pool. The library is loaded with the first connection. */
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
    // Limits what the server suggests: connections are not held longer than this.
    keepAliveMaxTimeout: IDLE_MS,
    // The trip has its own time limit, exact to the millisecond.
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
