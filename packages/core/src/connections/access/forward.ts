import { limits, QuireError, type BytesIn } from '@quire/contract'
import { proxiedHeadersOf } from '@quire/contract/codec'
import type { Call } from '../../engine/call.ts'
import type { ProxiedSource } from '../../engine/served-proxied.ts'
import type { Upstream } from './upstream.ts'
import { OutboundFailure, type OutboundStream } from '../../ports/index.ts'

/** What goes to an upstream. */
export interface Forwarded {
  readonly method: string
  /** Below the upstream's address, decoded, without a slash at its front. */
  readonly path: string
  /** Percent-encoded, without its question mark. */
  readonly query?: string | undefined
  /** Names in lower case; what the upstream is opened with is put to them. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: BytesIn | string | undefined
  /** Ms for a whole answer and bytes of a body, where the upstream has none of its own. */
  readonly totalMs: number
  readonly maxBytes: number
}

type ForwardCall = Pick<Call, 'environment' | 'signal'>

/**
 * What an upstream answers, as it comes: the head is there, the body follows. The signal of the call ends it.
 * Errors: `too_large` for a body beyond the bytes that may be sent, `upstream_failed`, `upstream_timeout`; those of the bytes are the same.
 */
export async function forward(
  call: ForwardCall,
  upstream: Upstream,
  message: Forwarded,
): Promise<ProxiedSource> {
  const maxBytes = upstream.maxBytes ?? message.maxBytes
  const body = bodyOf(message, maxBytes)
  const answer = await call.environment.outbound
    .open({
      url: upstreamUrl(upstream, message),
      method: message.method,
      headers: headersOf(upstream, message),
      body: body.bytes,
      connectMs: limits.proxiedConnect,
      totalMs: upstream.timeoutMs ?? message.totalMs,
      idleMs: limits.proxiedIdle,
      maxAnswerBytes: maxBytes,
      ...(call.signal && { signal: call.signal }),
    })
    .catch((error: unknown) => {
      throw body.refusal() ?? failureOf(call, error)
    })
  requirePassable(answer, message, maxBytes)
  const headers = forwardedHeaders(answer)
  const isEmpty = message.method === 'HEAD' || [204, 205, 304].includes(answer.status)
  if (isEmpty) await drained(answer)
  const bytes = isEmpty ? null : { [Symbol.asyncIterator]: () => reporting(call, answer) }
  return { status: answer.status, headers, body: bytes }
}

/** A body within bounds, and what was thrown where it went beyond them. */
function bodyOf({ body = '' }: Forwarded, most: number) {
  const size = typeof body === 'string' ? new TextEncoder().encode(body).length : (body.size ?? 0)
  if (size > most) throw tooLarge(most)
  if (typeof body === 'string') return { bytes: body === '' ? null : body, refusal: () => null }
  let refusal: QuireError | null = null
  const refuse = () => {
    refusal = tooLarge(most)
    return refusal
  }
  return { bytes: bytesUpTo(body, most, refuse), refusal: () => refusal }
}

function tooLarge(most: number): QuireError {
  return new QuireError('too_large', `At most ${most} bytes are passed on to this upstream.`)
}

// Credentials come last and replace: nobody who passes a request on speaks in their place.
function headersOf({ credentials }: Upstream, { headers }: Forwarded): (readonly [string, string])[] {
  const own = new Set(credentials.map(([name]) => name.toLowerCase()))
  const given = Object.entries({ accept: '*/*', ...headers }).flatMap(([name, value]) =>
    value === undefined || own.has(name) ? [] : [[name, value] as const],
  )
  return [...given, ...credentials]
}

/** Errors: `upstream_failed` for an answer that has no place in one of ours; it is closed. */
function requirePassable(answer: OutboundStream, { method }: Forwarded, most: number): void {
  const header = (name: string) => answer.headers.find(([one]) => one === name)?.[1]
  const encoding = header('content-encoding') ?? 'identity'
  const length = method === 'HEAD' ? 0 : Number(header('content-length') ?? 0)
  const problem =
    (answer.status < 200 || answer.status > 599 ? `with the status ${answer.status}` : null) ??
    // Nothing was asked for: who reads it in process and who reads it by HTTP would get other bytes.
    (encoding.toLowerCase() === 'identity' ? null : 'with packed bytes, which were not asked for') ??
    (length > most ? `with more than ${most} bytes` : null)
  if (problem === null) return
  answer.close()
  throw new QuireError('upstream_failed', `The upstream answered ${problem}.`)
}

function forwardedHeaders({ status, headers }: OutboundStream): Record<string, string> {
  const came = new Map(headers)
  const proxied = proxiedHeadersOf((name) => came.get(name))
  const isBare = proxied['content-type'] !== undefined || [204, 205, 304].includes(status)
  return isBare ? proxied : { ...proxied, 'content-type': 'application/octet-stream' }
}

async function drained({ body }: OutboundStream): Promise<void> {
  for await (const _ of body);
}

/** The bytes of an answer, whose failures are the caller's to know. No generator: one that waits could not be left. */
function reporting(call: ForwardCall, { body }: OutboundStream): AsyncIterator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return {
    next: () =>
      pieces.next().catch((error: unknown) => {
        throw failureOf(call, error)
      }),
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** What a failure of the way out is to the caller. It names no address: who uses an upstream need not know where it is. */
function failureOf({ signal }: ForwardCall, error: unknown): unknown {
  if (signal?.aborted) return signal.reason
  if (!(error instanceof OutboundFailure)) return error
  const { problem } = error
  if (problem === 'timeout') return new QuireError('upstream_timeout', undefined, { cause: error })
  return new QuireError('upstream_failed', words[problem], { cause: error })
}

const words = {
  refused: 'The request may not go to where the upstream is.',
  unreachable: 'The upstream cannot be reached.',
  broken: 'The upstream broke off its answer, or it is too long.',
  aborted: 'The request to the upstream was called off.',
} as const

/** A place below an upstream. */
interface ResolvedUrl {
  readonly path: string
  readonly query?: string | undefined
}

/**
 * The address of a path below an upstream's own, each part of it encoded; checked once more as it is parsed (TRUST S28).
 * Errors: `invalid` for one that leads elsewhere.
 */
export function upstreamUrl(
  { baseUrl }: Pick<Upstream, 'baseUrl'>,
  { path, query = '' }: ResolvedUrl,
): string {
  const base = new URL(baseUrl)
  const pathname = `${base.pathname.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`
  const url = new URL(`${base.origin}${pathname}${query === '' ? '' : `?${query}`}`)
  if (
    url.origin !== base.origin ||
    url.pathname !== pathname ||
    url.hash !== '' ||
    path.split('/').some(climbs)
  )
    throw new QuireError('invalid', 'path: leads out of the upstream', {
      issues: [{ path: 'path', message: 'leads out of the upstream' }],
    })
  return url.href
}

/**
 * Whether some server reads a part of a path as `..` or `.`: those that cut parameters off first (`..;x`, Tomcat), that take a backslash
 * for a slash (IIS), or that decode twice.
 */
function climbs(part: string): boolean {
  const decoded = part
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%5c|%2f/gi, '\\')
    .replaceAll(/%3b/gi, ';')
  return decoded.split('\\').some((piece) => /^\.\.?(?:;|$)/.test(piece))
}

/** The bytes of a body up to so many: `refuse` makes what is thrown in place of the piece that goes beyond. */
async function* bytesUpTo(body: BytesIn, most: number, refuse: () => Error): AsyncGenerator<Uint8Array> {
  let length = 0
  // Node and every browser that streams uploads iterate streams.
  for await (const piece of body.stream() as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > most) throw refuse()
    yield piece
  }
}
