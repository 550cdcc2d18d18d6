import { setTimeout as wait } from 'node:timers/promises'
import {
  AnswerLate,
  Connection,
  ConnectionLost,
  type HttpAnswer,
  type Sending,
} from '../../server/connection.ts'
import type { Fleet } from './fleet.ts'
import type { Tally } from './tally.ts'

/** A request that may be retried. */
interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** JSON. */
  readonly body?: string
  readonly key?: string
  readonly ifMatch?: string
}

/** The final answer to a request, which is not a request to retry. */
export interface ClientReport {
  readonly answer: HttpAnswer
  /** The index of the process that answered. */
  readonly at: number
  /** Whether an earlier attempt may have taken effect. */
  readonly wasUnknown: boolean
}

/**
 * A client that calls any process, and switches to another one when a process does not answer or is
 * unavailable.
 */
export interface Client {
  /** `elsewhere`: the index of a process that is not tried first. Errors: Unresolved. */
  ask(ask: Ask, elsewhere?: number): Promise<ClientReport>
  /** Calls one process once. Null: it did not answer, or is unavailable. */
  askAt(index: number, ask: Ask): Promise<HttpAnswer | null>
  close(): void
}

/** How long clients wait: until the answer, or, for some requests, less than the answer takes. */
export type Patience = 'endless' | 'short'

/** What all clients share. */
export interface Crowd {
  readonly fleet: Fleet
  readonly tally: Tally
  readonly patience: Patience
}

/** Thrown when no process answered within the time limit. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved'
}

// Milliseconds after which a request is given up. TRUST F18 promises a refusal in 5 s; the rest is
// reserve for a busy machine.
const timeout = 20_000
// Milliseconds for which a request is retried.
const patienceMs = 90_000

/**
 * The share of mutations whose client disconnects and at once sends the same request to another
 * process, so that both may be processing it.
 */
const givenUpShare = 0.06
// The longest wait before such a disconnect in milliseconds: as long as most answers take.
const longestWait = 20

/**
 * The outcome of an attempt. `unsent`: no connection could be opened. `lost`: the connection broke
 * after sending.
 */
type Tried = HttpAnswer | 'unsent' | 'lost'

/** Opens a client with a token. */
export function openClient({ fleet, tally, patience }: Crowd, token: string): Client {
  const connections = new Map<number, { readonly url: string; readonly connection: Connection }>()
  const connectionTo = (index: number): Connection => {
    const url = fleet.urlOf(index)
    const known = connections.get(index)
    if (known?.url === url) return known.connection
    known?.connection.close()
    const connection = new Connection(url)
    connections.set(index, { url, connection })
    return connection
  }
  const attempt = async (index: number, ask: Ask) => {
    const start = performance.now()
    const tried = await send(connectionTo(index), {
      bytes: bytesOf(ask, token),
      timeout: waitFor(ask, patience),
    })
    note(tally, { ask, tried, took: performance.now() - start })
    return tried
  }
  return {
    async ask(ask, elsewhere) {
      const until = performance.now() + patienceMs
      let at = another(fleet.size, elsewhere)
      let wasUnknown = false
      for (;;) {
        const tried = await attempt(at, ask)
        if (isAnswer(tried) && tried.status !== 503) return { answer: tried, at, wasUnknown }
        if (isAnswer(tried) || tried === 'lost') {
          if (!wasUnknown && ask.method !== 'GET') tally.unknown += 1
          wasUnknown = true
        }
        if (performance.now() > until) throw unresolved(tally, ask)
        await wait(20 + Math.random() * 80)
        at = another(fleet.size, at)
      }
    },
    async askAt(index, ask) {
      const tried = await attempt(index, ask)
      return isAnswer(tried) && tried.status !== 503 ? tried : null
    },
    close() {
      for (const { connection } of connections.values()) connection.close()
    },
  }
}

function unresolved(tally: Tally, ask: Ask): Unresolved {
  if (ask.method !== 'GET') tally.unresolved += 1
  const problem = new Unresolved(`${ask.method} ${ask.path} was not answered in ${patienceMs} ms`)
  tally.findings.push(problem.message)
  return problem
}

/** Any index except `not`. */
function another(size: number, not = -1): number {
  const others = Array.from({ length: size }, (_, index) => index).filter((index) => index !== not)
  return others[Math.floor(Math.random() * others.length)] ?? 0
}

function isAnswer(tried: Tried): tried is HttpAnswer {
  return typeof tried === 'object'
}

function waitFor({ method }: Ask, patience: Patience): number {
  const isGivenUp = patience === 'short' && method !== 'GET' && Math.random() < givenUpShare
  return isGivenUp ? Math.random() * longestWait : timeout
}

async function send(connection: Connection, sending: Omit<Sending, 'sending'>): Promise<Tried> {
  let isSent = false
  try {
    return await connection.send({ ...sending, sending: () => void (isSent = true) })
  } catch (error) {
    if (error instanceof ConnectionLost) return isSent ? 'lost' : 'unsent'
    if (error instanceof AnswerLate) return 'lost'
    throw error
  }
}

function bytesOf({ method, path, body = '', key, ifMatch }: Ask, token: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    ...(body === '' ? [] : ['content-type: application/json']),
    ...(method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    ...(ifMatch === undefined ? [] : [`if-match: ${ifMatch}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

interface Attempt {
  readonly ask: Ask
  readonly tried: Tried
  /** Milliseconds. */
  readonly took: number
}

function note(tally: Tally, { ask, tried, took }: Attempt): void {
  const { slowest, findings } = tally
  const what = `${ask.method} ${ask.path}`
  if (!isAnswer(tried)) {
    if (took >= timeout) findings.push(`${what} had no answer in ${timeout} ms`)
    return
  }
  const { status, headers, body } = tried
  if (status === 503) {
    slowest.refused = Math.max(slowest.refused, took)
    if (headers['retry-after'] === undefined) findings.push(`${what} answered 503 without Retry-After`)
    return
  }
  tally.answered += 1
  slowest.answered = Math.max(slowest.answered, took)
  if (headers['idempotency-replayed'] === 'true') tally.effective += 1
  if (status >= 500) findings.push(`${what} answered ${status}: ${body.toString()}`)
}
