import type { Endpoint, NamedEndpoint } from '@quire/contract'
import {
  decodeCallOptions,
  decodeConditions,
  encodeAnswer,
  encodeBinary,
  encodeEvents,
  encodeGraphql,
  proxiedReplyHeaders,
  QuireError,
  safeRequestId,
  TokenError,
  type BinaryReply,
  type PathMatcher,
  type Reply,
} from '@quire/contract/codec'
import {
  anonymous,
  answerGraphql,
  Serialized,
  ServedBytes,
  ServedEvents,
  ServedGraphql,
  ServedProxied,
  type Answer,
  type Origin,
  type Quire,
  type Principal,
} from '@quire/core'
import { inputOf } from './request-input.ts'

/** A request to an endpoint, with the part of its URL that the endpoint's path matches. */
export interface Arrived {
  readonly named: NamedEndpoint
  readonly matchPath: PathMatcher
  /** Path below `baseUrl`, percent-encoded. */
  readonly path: string
  readonly request: Request
}

/**
 * Answers a request like the server: the engine runs the operation and the codec encodes the
 * response.
 */
export async function answerRequest(quire: Quire, arrived: Arrived): Promise<Response> {
  const { headers } = arrived.request
  const requestId = safeRequestId(headers.get('x-request-id')) ?? crypto.randomUUID()
  const answer = await run(quire, arrived, requestId).catch(errorOf)
  if (answer instanceof ServedBytes) return answerBytes(arrived, answer, requestId)
  if (answer instanceof ServedEvents) return answerEvents(arrived, answer, requestId)
  if (answer instanceof ServedProxied) return answerProxied(answer, requestId)
  const context = {
    requestId,
    ifNoneMatch: headers.get('if-none-match'),
    accept: headers.get('accept'),
    isAnonymous: headers.get('authorization') === null,
  }
  if (answer instanceof ServedGraphql) return responseOf(encodeGraphql(arrived.named, answer, context))
  const outcome = isOutcome(answer) ? answer : { value: answer }
  return responseOf(encodeAnswer(arrived.named, outcome, context))
}

function isOutcome(answer: unknown): answer is Serialized<unknown> | QuireError | TokenError {
  return answer instanceof Serialized || answer instanceof QuireError || answer instanceof TokenError
}

async function answerBytes(
  { named, request }: Arrived,
  answer: ServedBytes,
  requestId: string,
): Promise<Response> {
  const header = (name: string) => request.headers.get(name)
  const reply = encodeBinary(answer.source, { method: request.method, header, requestId })
  if (!('open' in reply)) return responseOf(reply)
  try {
    return await responseOfBytes(reply)
  } catch (error) {
    return responseOf(encodeAnswer(named, errorOf(error), { requestId }))
  }
}

function answerProxied(answer: ServedProxied, requestId: string): Response {
  const { status, body } = answer
  return new Response(body && streamOf(body), { status, headers: proxiedReplyHeaders(answer, requestId) })
}

function answerEvents(
  { named, request }: Arrived,
  answer: ServedEvents<unknown>,
  requestId: string,
): Response {
  try {
    const { status, headers, open } = encodeEvents(answer, { method: request.method, requestId })
    const texts = open?.()
    // A copy of the response would keep an abandoned stream open, so aborting the request ends it
    // too.
    request.signal.addEventListener('abort', () => void texts?.return())
    return new Response(texts ? streamOf(texts).pipeThrough(new TextEncoderStream()) : null, {
      status,
      headers,
    })
  } catch (error) {
    return responseOf(encodeAnswer(named, errorOf(error), { requestId }))
  }
}

/**
 * A response with bytes. They are opened first, so that an immediate failure is an error and not a
 * broken response.
 */
async function responseOfBytes({ status, headers, open }: BinaryReply): Promise<Response> {
  const bytes = open && (await open())
  return new Response(bytes ? streamOf(bytes) : null, { status, headers })
}

function streamOf<T>(pieces: AsyncIterable<T>): ReadableStream<T> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void iterator.return?.(),
  })
}

async function run(quire: Quire, arrived: Arrived, requestId: string): Promise<Answer<unknown>> {
  const { named, matchPath, path, request } = arrived
  const principal = await callerOf(quire, arrived)
  const { signal } = request
  const isProxied = named.endpoint.answer === 'proxied'
  const options = { ...optionsOf(named, request.headers), requestId, ...(isProxied && { signal }) }
  const origin = await originOf(named.endpoint, request)
  const input = await inputOf(named.endpoint, request, matchPath(path) ?? {})
  const perform = () => quire.run({ ...(named as RoutedEndpoint), principal, input, options, origin })
  return named.endpoint.answer === 'graphql'
    ? answerGraphql(request.headers.get('accept'), perform)
    : perform()
}

/** The text of a signed body, because the signature covers its bytes and not the parsed value. */
async function originOf({ body }: Endpoint, request: Request): Promise<Origin> {
  return body === 'signed' ? { body: await request.clone().text() } : {}
}

/** A named endpoint whose group is typed as a group of the contract. */
type RoutedEndpoint = NamedEndpoint & Pick<Parameters<Quire['run']>[0], 'group'>

async function callerOf(quire: Quire, { named, request }: Arrived): Promise<Principal> {
  const { permission } = named.endpoint
  const header = request.headers.get('authorization')
  if (permission === 'public' || (permission === 'published' && header === null)) return anonymous
  const token = /^bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw new QuireError('unauthorized')
  return quire.authenticate(token)
}

// Reads support only If-None-Match; reads of bytes also support If-Match. Only POST supports
// idempotency keys.
function optionsOf({ endpoint }: NamedEndpoint, headers: Headers) {
  if (endpoint.method === 'GET' || endpoint.answer === 'proxied')
    return decodeConditions(endpoint, (name) => headers.get(name))
  const { idempotencyKey, ...others } = decodeCallOptions((name) => headers.get(name))
  return idempotencyKey !== undefined && endpoint.method === 'POST' ? { ...others, idempotencyKey } : others
}

function errorOf(error: unknown): QuireError | TokenError {
  if (error instanceof QuireError || error instanceof TokenError) return error
  return new QuireError('internal', undefined, { cause: error })
}

function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body ?? null, { status, headers })
}
