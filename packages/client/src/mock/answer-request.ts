import type { Endpoint, NamedEndpoint } from '@quire/contract'
import {
  decodeBody,
  decodeCallOptions,
  decodeInput,
  encodeAnswer,
  multipartData,
  parseQuery,
  QuireError,
  safeRequestId,
  TokenError,
  type Outcome,
  type PathMatcher,
  type Reply,
} from '@quire/contract/codec'
import { anonymous, Presented, type Quire, type Who } from '@quire/core'

/** A request to an endpoint, with the part of the address that the endpoint's path is about. */
export interface Arrived {
  readonly named: NamedEndpoint
  readonly matchPath: PathMatcher
  /** Path below `baseUrl`, percent-encoded. */
  readonly path: string
  readonly request: Request
}

/** Answers a request as the server does: the engine does the work and the codec says what goes over the wire. */
export async function answerRequest(quire: Quire, arrived: Arrived): Promise<Response> {
  const { headers } = arrived.request
  const requestId = safeRequestId(headers.get('x-request-id')) ?? crypto.randomUUID()
  const outcome = await run(quire, arrived, requestId).catch(errorOf)
  const context = { requestId, ifNoneMatch: headers.get('if-none-match') }
  return responseOf(encodeAnswer(arrived.named, outcome, context))
}

async function run(quire: Quire, arrived: Arrived, requestId: string): Promise<Outcome> {
  const { named, request } = arrived
  const who = await callerOf(quire, arrived)
  const options = { ...optionsOf(named, request.headers), requestId }
  const input = await inputOf(arrived)
  const answer = await quire.run({ ...(named as PlacedEndpoint), who, input, options })
  return answer instanceof Presented ? answer : { value: answer }
}

/** The contract's endpoints are named by the groups of the contract. */
type PlacedEndpoint = NamedEndpoint & Pick<Parameters<Quire['run']>[0], 'group'>

async function callerOf(quire: Quire, { named, request }: Arrived): Promise<Who> {
  if (named.endpoint.permission === 'public') return anonymous
  const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined) throw new QuireError('unauthorized')
  return quire.authenticate(token)
}

// Reads know no conditions but If-None-Match, and only a POST is done once for its key.
function optionsOf({ endpoint }: NamedEndpoint, headers: Headers) {
  if (endpoint.method === 'GET') return {}
  const { idempotencyKey, ...others } = decodeCallOptions((name) => headers.get(name))
  return idempotencyKey !== undefined && endpoint.method === 'POST' ? { ...others, idempotencyKey } : others
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' }
const multipart = 'multipart/form-data'

async function inputOf({ named: { endpoint }, matchPath, path, request }: Arrived): Promise<unknown> {
  const text = await textOf(endpoint, request)
  const body = text === '' ? undefined : decodeBody(endpoint, text)
  return decodeInput(endpoint, {
    params: matchPath(path) ?? {},
    query: parseQuery(new URL(request.url).search),
    body,
  })
}

async function textOf({ body }: Endpoint, request: Request): Promise<string> {
  const sent = request.headers.get('content-type') ?? ''
  if (body === 'jsonOrMultipart' && sent.startsWith(multipart))
    return multipartData(sent, new Uint8Array(await request.arrayBuffer()))
  const text = await request.text()
  const type = body === 'form' ? mediaTypes.form : mediaTypes.json
  if (text === '' || sent.split(';')[0] === type) return text
  const others = body === 'jsonOrMultipart' ? ` or ${multipart}` : ''
  throw new QuireError('unsupported_media_type', `Send Content-Type: ${type}${others}.`)
}

function errorOf(error: unknown): QuireError | TokenError {
  if (error instanceof QuireError || error instanceof TokenError) return error
  return new QuireError('internal', undefined, { cause: error })
}

function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body ?? null, { status, headers })
}
