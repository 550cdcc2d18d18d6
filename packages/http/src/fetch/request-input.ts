import { Readable } from 'node:stream'
import { limits, QuireError } from '@quire/contract'
import {
  bringsBytes,
  createQueryParser,
  decodeBody,
  decodeInput,
  decodeProxiedRequest,
  decodeTusRequest,
  type Query,
} from '@quire/contract/codec'
import { isStreamed, multipart, requireTextType, takesForms } from '../bodies/media-types.ts'
import { readForm } from '../bodies/read-form.ts'
import { readText } from '../bodies/read-text.ts'
import { withBasicCredentials } from '../callers/client-credentials.ts'
import { bodyLimitOf } from '../routing/call-options.ts'
import type { Match, Route } from '../routing/find-route.ts'

/** What an input is read from. */
export interface Arrived extends Match {
  readonly request: Request
  /** The query string with its question mark; empty when there is none. */
  readonly search: string
  readonly isAnonymous: boolean
  /** Milliseconds within which a body that is not a stream must arrive. */
  readonly receiveMs: number
}

/** An input, and the raw text of a signed body. */
export interface RequestInput {
  readonly input: unknown
  readonly signedText?: string
}

/** Reads the input of an endpoint from path, query, headers and body. Errors: as the codec. */
export async function readInput(arrived: Arrived): Promise<RequestInput> {
  const { route, params, request, search } = arrived
  const { endpoint } = route.named
  const header = (name: string) => request.headers.get(name)
  if (endpoint.body === 'tus') {
    const bytes = bringsBytes(endpoint, header) ? bytesOf(request) : {}
    return { input: { ...params, ...decodeTusRequest(endpoint, header), ...bytes } }
  }
  if (endpoint.body === 'message') {
    const body = bringsBody(request) ? bytesOf(request).file : undefined
    const { method } = request
    return { input: decodeProxiedRequest({ params, method, query: search.slice(1), header, body }) }
  }
  const query = search === '' ? noQuery : parserOf(route)(search.slice(1))
  const { body, signedText } = await readBody(arrived)
  const lastEventId = request.headers.get('last-event-id')
  const input = decodeInput(endpoint, { params, query, body, lastEventId, header })
  return { input, ...(signedText !== undefined && { signedText }) }
}

const noQuery: Query = Object.freeze({})
const parsers = new WeakMap<Route, ReturnType<typeof createQueryParser>>()

function parserOf(route: Route): ReturnType<typeof createQueryParser> {
  const known = parsers.get(route)
  if (known) return known
  const parser = createQueryParser(route.named.endpoint)
  parsers.set(route, parser)
  return parser
}

/** Whether a request has a body. Requests that never were on a wire name no length. */
export function bringsBody({ headers, method, body }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = headers.get('content-length')
  return length === null ? body !== null : Number(length) > 0
}

async function readBody(arrived: Arrived): Promise<{ body: unknown; signedText?: string }> {
  const { request, route } = arrived
  const { endpoint } = route.named
  if (!bringsBody(request)) return { body: formOf(arrived, undefined) }
  if (isStreamed(endpoint)) return { body: bytesOf(request) }
  const sent = request.headers.get('content-type') ?? ''
  if (sent.startsWith(multipart) && takesForms(endpoint)) return { body: await partsOf(arrived, sent) }
  const bytes = bodyLimitOf(route.named)
  if (Number(request.headers.get('content-length')) > bytes)
    throw new QuireError('too_large', 'The body is too large.')
  const isText = request.headers.get('content-length') !== null
  if (isText) requireTextType(endpoint, sent)
  const text = await readText(request.body, { bytes, ms: arrived.receiveMs })
  if (text === '') return { body: formOf(arrived, undefined) }
  requireTextType(endpoint, sent)
  if (arrived.isAnonymous && text.length > limits.publicBodyBytes)
    throw new QuireError('too_large', 'Without a token, a body may have at most 256 KiB.')
  const body = formOf(arrived, decodeBody(endpoint, text))
  return endpoint.body === 'signed' ? { body, signedText: text } : { body }
}

/** The members of a form, with the credentials of an HTTP Basic header where an endpoint has them. */
function formOf({ route, request }: Arrived, body: unknown): unknown {
  if (route.named.endpoint.body !== 'form') return body
  return withBasicCredentials(body, request.headers.get('authorization'))
}

async function partsOf({ request, route }: Arrived, contentType: string): Promise<unknown> {
  const payload = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
  return readForm(route.named.endpoint, { contentType, payload, slots: atOnce })
}

/** Hosts share their thread in their own ways: no transfer waits here. */
const atOnce = { take: () => Promise.resolve() }

function bytesOf(request: Request) {
  const type = request.headers.get('content-type')
  return { file: { ...(type !== null && { type }), stream: () => chunksOf(request) } }
}

async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body) yield* body as AsyncIterable<Uint8Array>
}
