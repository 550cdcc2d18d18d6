import { limits, QuireError } from '@quire/contract'
import {
  bringsBytes,
  createInputDecoder,
  createQueryParser,
  decodeBody,
  decodeProxiedRequest,
  decodeTusRequest,
  type Query,
} from '@quire/contract/codec'
import type { ReadForm } from '../bodies/form-parts.ts'
import { isStreamed, multipart, requireTextType, takesForms } from '../bodies/media-types.ts'
import { readText } from '../bodies/read-text.ts'
import { withBasicCredentials } from '../callers/client-credentials.ts'
import { bodyLimitOf } from '../routing/call-options.ts'
import type { Match, Route } from '../routing/find-route.ts'
import type { IncomingRequest } from './transport.ts'

/** What an input is read from. */
export interface Arrived extends Match {
  readonly incoming: IncomingRequest
  /** The query string with its question mark; empty when there is none. */
  readonly search: string
  readonly isAnonymous: boolean
  /** Milliseconds within which a body that is not a stream must arrive. */
  readonly receiveMs: number
  readonly readForm: ReadForm
  /**
   * Called when a body has arrived, before it is decoded. Errors: `too_many_requests` for a caller
   * whose earlier requests turned out to be expensive.
   */
  readonly received: () => void
}

/** An input, and the raw text of a signed body. */
export interface RequestInput {
  readonly input: unknown
  readonly signedText?: string
}

/** Reads the input of an endpoint from path, query, headers and body. Errors: as the codec. */
export async function readInput(arrived: Arrived): Promise<RequestInput> {
  const { route, params, incoming, search } = arrived
  const { endpoint } = route.named
  const { header, method } = incoming
  if (endpoint.body === 'tus') {
    const bytes = bringsBytes(endpoint, header) ? bytesOf(incoming) : {}
    return { input: { ...params, ...decodeTusRequest(endpoint, header), ...bytes } }
  }
  if (endpoint.body === 'message') {
    const body = bringsBody(incoming) ? bytesOf(incoming).file : undefined
    return { input: decodeProxiedRequest({ params, method, query: search.slice(1), header, body }) }
  }
  const { parseQuery, decode } = readerOf(route)
  const query = search === '' ? noQuery : parseQuery(search.slice(1))
  const { body, signedText } = await readBody(arrived)
  const lastEventId = header('last-event-id')
  const input = decode({ params, query, body, lastEventId, header })
  return { input, ...(signedText !== undefined && { signedText }) }
}

const noQuery: Query = Object.freeze({})

/** What reads the inputs of a route. Made once for each, because that costs more than reading one. */
interface InputReader {
  readonly parseQuery: ReturnType<typeof createQueryParser>
  readonly decode: ReturnType<typeof createInputDecoder>
}

const readers = new WeakMap<Route, InputReader>()

function readerOf(route: Route): InputReader {
  const known = readers.get(route)
  if (known) return known
  const { endpoint } = route.named
  const reader = { parseQuery: createQueryParser(endpoint), decode: createInputDecoder(endpoint) }
  readers.set(route, reader)
  return reader
}

/** Whether a request has a body. Requests that never were on a wire name no length. */
export function bringsBody({ header, method, body }: IncomingRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = header('content-length') ?? undefined
  return length === undefined ? body() !== null : Number(length) > 0
}

async function readBody(arrived: Arrived): Promise<{ body: unknown; signedText?: string }> {
  const { incoming, route } = arrived
  const { endpoint } = route.named
  const { header } = incoming
  if (!bringsBody(incoming)) return { body: formOf(arrived, undefined) }
  if (isStreamed(endpoint)) return { body: bytesOf(incoming) }
  const sent = header('content-type') ?? ''
  if (sent.startsWith(multipart) && takesForms(endpoint))
    return { body: await arrived.readForm(endpoint, { contentType: sent, body: incoming.body() }) }
  const text = await textOf(arrived, sent)
  const body = formOf(arrived, text === '' ? undefined : decodeBody(endpoint, text))
  return endpoint.body === 'signed' ? { body, signedText: text } : { body }
}

async function textOf(arrived: Arrived, type: string): Promise<string> {
  const { incoming, route, isAnonymous, receiveMs } = arrived
  const bytes = bodyLimitOf(route.named)
  const length = incoming.header('content-length') ?? undefined
  if (Number(length) > bytes) throw new QuireError('too_large', 'The body is too large.')
  // Without a length, the body may turn out to be empty, and then needs no type.
  if (length !== undefined) requireTextType(route.named.endpoint, type)
  const text = await readText(incoming.body(), { bytes, ms: receiveMs })
  arrived.received()
  if (text !== '') requireTextType(route.named.endpoint, type)
  if (isAnonymous && text.length > limits.publicBodyBytes)
    throw new QuireError('too_large', 'Without a token, a body may have at most 256 KiB.')
  return text
}

/** The members of a form, with the credentials of an HTTP Basic header where an endpoint has them. */
function formOf({ route, incoming }: Arrived, body: unknown): unknown {
  if (route.named.endpoint.body !== 'form') return body
  return withBasicCredentials(body, incoming.header('authorization'))
}

function bytesOf(incoming: IncomingRequest) {
  const type = incoming.header('content-type') ?? undefined
  return { file: { ...(type !== undefined && { type }), stream: () => chunksOf(incoming) } }
}

async function* chunksOf({ body }: IncomingRequest): AsyncGenerator<Uint8Array> {
  yield* body() ?? []
}
