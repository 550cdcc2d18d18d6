import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { AnswerLate, Connection, ConnectionLost, type HttpAnswer } from '../server/connection.ts'
import type { ServerProcess } from '../server/server-process.ts'
import { fault } from './judge.ts'
import { forget, learn } from './learn.ts'
import type { Pool } from './pool.ts'
import { requestOf, type FuzzRequest } from './requests.ts'

export interface FuzzOptions {
  readonly server: ServerProcess
  readonly pool: Pool
  readonly token: string
  readonly seed: number
  readonly requests: number
  /** Milliseconds after which no more requests are sent. */
  readonly deadline: number
}

/** The result of a run. */
export interface FuzzReport {
  readonly sent: number
  readonly answered: number
  /** Answers with 503: the server was overloaded, which is not a fault. */
  readonly shed: number
  readonly byStatus: ReadonlyMap<number, number>
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
  /** The slowest answer, in milliseconds, and its operation. */
  readonly slowest: { readonly ms: number; readonly operation: string }
  /** One line for each request that was answered incorrectly, too late or not at all. */
  readonly failures: readonly string[]
}

// The same fault of an operation is reported this often, and a run ends after this many failures.
const mostOfAKind = 3
const mostFailures = 60
const concurrency = 16
// Bytes. The lowest body limit is 1 MiB.
const surelyRead = 1_000_000
const lateMs = 5000

/**
 * Sends requests over sixteen keep-alive connections and checks every answer. Ends early if the
 * server does.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const report = {
    sent: 0,
    answered: 0,
    shed: 0,
    slowest: { ms: 0, operation: '' },
    byStatus: new Map<number, number>(),
    succeeded: new Set<string>(),
    failures: [] as string[],
  }
  const kinds = new Map<string, number>()
  const fail = (failure: Failure) => {
    const kind = `${failure.fault} ${failure.request.wire.operation}`
    const count = (kinds.get(kind) ?? 0) + 1
    kinds.set(kind, count)
    if (count <= mostOfAKind) report.failures.push(describe(options, failure))
  }
  const end = performance.now() + options.deadline
  const goesOn = () =>
    report.sent < options.requests &&
    report.failures.length < mostFailures &&
    options.server.ended() === null &&
    performance.now() < end
  const worker = async () => {
    const connection = new Connection(options.server.url)
    while (goesOn()) {
      const request = requestOf(options, report.sent++)
      const start = performance.now()
      const outcome = await exchange(connection, request)
      const ms = performance.now() - start
      if (ms > report.slowest.ms) report.slowest = { ms, operation: request.wire.operation }
      if (typeof outcome === 'string') fail({ request, fault: outcome })
      else if (outcome) note(options, report, { request, answer: outcome, fail })
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  if (options.server.ended() !== null) report.failures.push(`the server ended: ${options.server.ended()}`)
  return report
}

/** The answer; an error text if an expected answer is missing; undefined if none was expected. */
async function exchange(
  connection: Connection,
  { wire }: FuzzRequest,
): Promise<HttpAnswer | string | undefined> {
  try {
    if (!wire.isAnswered) {
      await connection.abandon(wire.bytes)
      return undefined
    }
    const answer = await connection.send({
      bytes: wire.bytes,
      isHead: wire.method === 'HEAD',
      timeout: lateMs,
    })
    if (wire.isLast) connection.close()
    return answer
  } catch (error) {
    if (error instanceof AnswerLate) return `no answer in ${lateMs} ms`
    if (!(error instanceof ConnectionLost)) throw error
    // A server may disconnect on malformed HTTP and on oversized bodies, and its answer can be lost
    // while we are still sending.
    return wire.isMalformed || wire.bytes.length > surelyRead ? undefined : error.message
  }
}

type Noted = { -readonly [K in keyof FuzzReport]: FuzzReport[K] } & {
  byStatus: Map<number, number>
  succeeded: Set<string>
  failures: string[]
}

function note(
  options: FuzzOptions,
  report: Noted,
  { request, answer, fail }: { request: FuzzRequest; answer: HttpAnswer; fail: (failure: Failure) => void },
): void {
  const { operation, wire } = request
  report.answered += 1
  report.byStatus.set(answer.status, (report.byStatus.get(answer.status) ?? 0) + 1)
  if (answer.status === 503) report.shed += 1
  if (operation) forget(options.pool, operation, { named: request.named, status: answer.status })
  const wrong = fault({ operation, method: wire.method, answer })
  if (wrong !== undefined) return fail({ request, fault: wrong, answer })
  if (!operation || operation.method !== wire.method || answer.status >= 300) return
  report.succeeded.add(operation.id)
  learn(options.pool, operation, answer)
}

interface Failure {
  readonly request: FuzzRequest
  readonly fault: string
  readonly answer?: HttpAnswer
}

/** One line with the fault, the request, the server's log, and the bytes for `--replay`. */
function describe({ server, seed, token }: FuzzOptions, { request, fault, answer }: Failure): string {
  const { index, wire } = request
  const text = wire.bytes.toString('latin1').replaceAll(token, tokenLocation)
  const [head, body] = splitOnce(text, '\r\n\r\n')
  const cause = answer ? causeOf(server, answer) : ''
  return [
    `${fault} · seed ${seed} request ${index} ${wire.operation} · ${shortened(head.replaceAll('\r\n', ' ⏎ '))}`,
    shortened(body),
    answer ? shortened(answer.body.toString()) : '',
    cause,
    `--replay ${deflateRawSync(Buffer.from(text, 'latin1')).toString('base64')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

const tokenLocation = '{token}'

/** Decodes a `--replay` text. */
export function replayBytes(replay: string, token: string): Buffer {
  const text = inflateRawSync(Buffer.from(replay, 'base64')).toString('latin1')
  return Buffer.from(text.replaceAll(tokenLocation, token), 'latin1')
}

function splitOnce(text: string, separator: string): [string, string] {
  const end = text.indexOf(separator)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + separator.length)]
}

function causeOf({ lines }: ServerProcess, { headers }: HttpAnswer): string {
  const requestId = headers['x-request-id'] ?? 'unknown'
  return lines.filter((line) => line.includes(requestId)).join(' ')
}

function shortened(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 300)}… (${text.length} characters)`
}
