import { limits, QuireError, type BytesIn } from '@quire/contract'
import { proxiedHeadersOf } from '@quire/contract/codec'
import type { Call } from '../../engine/call.ts'
import { errorOfRequest, openRequest } from '../../engine/send.ts'
import type { ProxiedSource } from '../../engine/served-proxied.ts'
import type { Upstream } from './upstream.ts'
import type { OutboundStream } from '../../ports/index.ts'

/** A request to an upstream. */
export interface UpstreamRequest {
  readonly method: string
  /** Below the upstream's base URL, decoded, without a leading slash. */
  readonly path: string
  /** Percent-encoded, without its question mark. */
  readonly query?: string | undefined
  /** Names in lower case. The credentials of the upstream are added to them. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: BytesIn | string | undefined
  /** The time limit for a whole answer, in milliseconds, if the upstream has none of its own. */
  readonly totalMs: number
  /** The size limit of each body, in bytes, if the upstream has none of its own. */
  readonly maxBytes: number
}

type ForwardCall = Pick<Call, 'environment' | 'signal' | 'trace'>

/**
 * Sends a request to an upstream. Resolves with the status and headers; the body is streamed. The
 * signal of the call aborts it. Errors: `too_large` for a request body over the size limit,
 * `upstream_failed`, `upstream_timeout`. Reading the body can fail with the same errors.
 */
export async function forward(
  call: ForwardCall,
  upstream: Upstream,
  message: UpstreamRequest,
): Promise<ProxiedSource> {
  const maxBytes = upstream.maxBytes ?? message.maxBytes
  const body = bodyOf(message, maxBytes)
  const answer = await openRequest(call, {
    url: upstreamUrl(upstream, message),
    method: message.method,
    headers: headersOf(upstream, message),
    body: body.bytes,
    connectMs: limits.proxiedConnect,
    totalMs: upstream.timeoutMs ?? message.totalMs,
    idleMs: limits.proxiedIdle,
    maxAnswerBytes: maxBytes,
    ...(call.signal && { signal: call.signal }),
  }).catch((error: unknown) => {
    throw body.refusal() ?? toQuireError(call, error)
  })
  requireForwardable(answer, message, maxBytes)
  const headers = forwardedHeaders(answer)
  const isEmpty = message.method === 'HEAD' || [204, 205, 304].includes(answer.status)
  if (isEmpty) await drained(answer)
  const bytes = isEmpty ? null : { [Symbol.asyncIterator]: () => translateErrors(call, answer) }
  return { status: answer.status, headers, body: bytes }
}

/**
 * The request body, limited to `most` bytes. `refusal` returns the error if a streamed body
 * exceeded the limit.
 */
function bodyOf({ body = '' }: UpstreamRequest, most: number) {
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
  return new QuireError('too_large', `At most ${most} bytes can be sent to this upstream.`)
}

// Credentials replace headers of the same name, so that callers cannot send other ones.
function headersOf({ credentials }: Upstream, { headers }: UpstreamRequest): (readonly [string, string])[] {
  const own = new Set(credentials.map(([name]) => name.toLowerCase()))
  const given = Object.entries({ accept: '*/*', ...headers }).flatMap(([name, value]) =>
    value === undefined || own.has(name) ? [] : [[name, value] as const],
  )
  return [...given, ...credentials]
}

/** Closes an answer that cannot be passed on. Errors: `upstream_failed`. */
function requireForwardable(answer: OutboundStream, { method }: UpstreamRequest, most: number): void {
  const header = (name: string) => answer.headers.find(([one]) => one === name)?.[1]
  const encoding = header('content-encoding') ?? 'identity'
  const length = method === 'HEAD' ? 0 : Number(header('content-length') ?? 0)
  const problem =
    (answer.status < 200 || answer.status > 599 ? `with the status ${answer.status}` : null) ??
    // No encoding was requested. Callers in process and over HTTP would get different bytes.
    (encoding.toLowerCase() === 'identity' ? null : 'with compressed bytes, which were not requested') ??
    (length > most ? `with more than ${most} bytes` : null)
  if (problem === null) return
  answer.close()
  throw new QuireError('upstream_failed', `The upstream answered ${problem}.`)
}

function forwardedHeaders({ status, headers }: OutboundStream): Record<string, string> {
  const received = new Map(headers)
  const proxied = proxiedHeadersOf((name) => received.get(name))
  const isBare = proxied['content-type'] !== undefined || [204, 205, 304].includes(status)
  return isBare ? proxied : { ...proxied, 'content-type': 'application/octet-stream' }
}

async function drained({ body }: OutboundStream): Promise<void> {
  for await (const _ of body);
}

/**
 * The bytes of an answer, with errors translated. Not a generator, because a waiting generator
 * cannot be stopped.
 */
function translateErrors(call: ForwardCall, { body }: OutboundStream): AsyncIterator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return {
    next: () =>
      pieces.next().catch((error: unknown) => {
        throw toQuireError(call, error)
      }),
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
  }
}

/**
 * The error that a caller sees. It contains no URL, because callers need not know where an upstream
 * is.
 */
function toQuireError(call: ForwardCall, error: unknown): unknown {
  return errorOfRequest(call, error, ({ problem }) => messages[problem])
}

const messages = {
  timeout: undefined,
  refused: 'The egress policy does not allow requests to the upstream.',
  unreachable: 'The upstream cannot be reached.',
  broken: 'The answer of the upstream was cut off, or is too long.',
  aborted: 'The request to the upstream was aborted.',
} as const

interface UpstreamPath {
  readonly path: string
  readonly query?: string | undefined
}

/**
 * The URL of a path below an upstream's base URL. Each segment is encoded, and the parsed URL is
 * checked again (TRUST S28). Errors: `invalid` for a path that leads elsewhere.
 */
export function upstreamUrl(
  { baseUrl }: Pick<Upstream, 'baseUrl'>,
  { path, query = '' }: UpstreamPath,
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
    throw new QuireError('invalid', 'path: leads outside the upstream', {
      issues: [{ path: 'path', message: 'leads outside the upstream' }],
    })
  return url.href
}

/**
 * Whether some server reads a path segment as `..` or `.`: one that removes parameters first
 * (`..;x`, Tomcat), that treats a backslash as a slash (IIS), or that decodes twice.
 */
function climbs(part: string): boolean {
  const decoded = part
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%5c|%2f/gi, '\\')
    .replaceAll(/%3b/gi, ';')
  return decoded.split('\\').some((piece) => /^\.\.?(?:;|$)/.test(piece))
}

/** The bytes of a body. Throws the error of `refuse` when the body exceeds `most` bytes. */
async function* bytesUpTo(body: BytesIn, most: number, refuse: () => Error): AsyncGenerator<Uint8Array> {
  let length = 0
  // Streams are iterable in Node and in every browser that can stream uploads.
  for await (const piece of body.stream() as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > most) throw refuse()
    yield piece
  }
}
