import type { Socket } from 'node:net'
import {
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundRequest,
  type OutboundStreamRequest,
  outboundRequestProblem,
} from '@quire/core/ports'
import { allowanceOf } from './allowance.ts'
import { exchange } from './exchange.ts'
import { aborted } from './failures.ts'
import { createGate, type Gate } from './gate.ts'
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts'
import { type Lookup, sharedLookup, systemLookup } from './lookup.ts'
import { openSocket } from './socket.ts'
import { openOver } from './stream.ts'
import { type Target, targetOf } from './target.ts'
import { beginTrip, type Trip, unlessAborted } from './trip.ts'
import { createSlots } from './slots.ts'

/**
 * Most connections to one origin at a time: as many as webhooks send at once in all (TRUST 4.2). At
 * twice, our bursts would be an attack on a small server; at half, sixteen people who wait for a
 * slow model block the seventeenth.
 */
const MOST_CONNECTIONS = 32

/** Options for outbound requests. */
export interface UndiciOutboundOptions {
  /**
   * Non-public hosts and ranges that may be connected to: entries of `parseEgressAllow`. Default:
   * none.
   */
  readonly allow?: readonly string[]
  /** How names are resolved. Default: as on this machine. */
  readonly lookup?: Lookup
}

/**
 * Sends outbound requests with undici: HTTP/1.1, with and without TLS. A name is resolved for each
 * connection, all of its addresses must be public or allowed, and only those are connected to. Idle
 * connections stay open for 4 s and do not keep the process alive. Nothing is loaded before the
 * first request.
 * Errors: TypeError for an invalid entry of `allow`.
 */
export function undiciOutbound({ allow = [], lookup = systemLookup }: UndiciOutboundOptions = {}): Outbound {
  const gate = createGate(allowanceOf(allow), sharedLookup(lookup))
  const pool = createConnectionPool((target, trip) => trip.connecting(connect(gate, target, trip.signal)))
  const slots = createSlots(MOST_CONNECTIONS)
  const trips = new Set<Trip>()
  let isClosed = false
  /** Waits for a slot at the origin; `leave` releases it. */
  const setOut = async (request: OutboundRequest | OutboundStreamRequest) => {
    const target = requireTarget(gate, request)
    if (isClosed) throw closed()
    const trip = beginTrip(request)
    trips.add(trip)
    const end = () => {
      trip.end()
      trips.delete(trip)
    }
    try {
      const release = await slots.enter(target.origin, trip.signal)
      return { target, trip, leave: () => (release(), end()) }
    } catch (error) {
      end()
      throw error
    }
  }
  return {
    async send(request) {
      const { target, trip, leave } = await setOut(request)
      return carry(request, target, { pool, trip }).finally(leave)
    },
    async open(request) {
      const { target, ...passage } = await setOut(request)
      return openOver(request, target, { pool, ...passage })
    },
    problemOf: (url) => gate.problemOf(url),
    async close() {
      isClosed = true
      for (const trip of trips) trip.fail(closed())
      await pool.close()
    },
  }
}

/** The target of a request, if its text is allowed. Errors: OutboundFailure `refused`. */
function requireTarget(gate: Gate, request: OutboundRequest | OutboundStreamRequest): Target {
  const problem = outboundRequestProblem(request) ?? gate.problemOf(request.url)
  if (problem !== null) throw new OutboundFailure('refused', problem)
  return targetOf(request.url)
}

async function connect(gate: Gate, target: Target, signal: AbortSignal): Promise<Socket> {
  const addresses = await gate.addressesOf(target)
  signal.throwIfAborted()
  return openSocket(target, addresses, signal)
}

async function carry(
  request: OutboundRequest,
  target: Target,
  { pool, trip }: { readonly pool: ConnectionPool; readonly trip: Trip },
): Promise<OutboundAnswer> {
  const { signal } = trip
  signal.throwIfAborted()
  const connection = await pool.take(target, trip)
  try {
    const { path } = target
    const answer = await unlessAborted(signal, exchange(request, { client: connection.client, path, signal }))
    if (answer.isCut || signal.aborted) pool.drop(connection)
    else pool.release(connection)
    return answer
  } catch (error) {
    pool.drop(connection)
    throw error
  }
}

function closed(): OutboundFailure {
  return aborted('Outbound requests are closed.')
}
