import {
  contract,
  endpoints,
  passedMethods,
  QuireError,
  type CallOptions,
  type Endpoint,
  type Method,
  type NamedEndpoint,
} from '@quire/contract'
import {
  bringsBytes,
  createInputDecoder,
  decodeCallOptions,
  decodePassedRequest,
  decodeTusRequest,
  encodeAnswer,
  encodeEvents,
  encodeGraphql,
  isStreamed,
  isWorkflowEvent,
  parseQuery,
  type Query,
} from '@quire/contract/codec'
import {
  answerGraphql,
  Presented,
  ServedBytes,
  ServedEvents,
  ServedGraphql,
  ServedPassed,
  type Answer,
  type Origin,
  type Quire,
  type Request,
} from '@quire/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieOf, nobody } from './authentication.ts'
import { withBasicCredentials } from './client-credentials.ts'
import { declaredAccess } from './declared-access.ts'
import { notFound } from './not-found.ts'
import { send, sendBytes, sendEvents, sendPassed } from './send.ts'
import { watchAnswer } from './deadline.ts'
import { sendTokenError, sendWorkflowError } from './own-errors.ts'

/** Bytes of a body (TRUST 4.2): an item may be long, nothing else is. */
const bodyLimits = { items: 5 * 1024 * 1024, others: 1024 * 1024 }

/** What routes serve, and how. */
export interface Serving {
  readonly quire: Quire
  /** Milliseconds that an answer may take. Default: 30 000. */
  readonly answerMs?: number | undefined
  /** Milliseconds without an event after which a stream gives a sign of life. Default: 15 000. */
  readonly heartbeatMs?: number | undefined
}

/** Makes a route of every endpoint of the contract, and a second one of those that work on packages too. */
export function addRoutes(app: FastifyInstance, serving: Serving): void {
  for (const named of endpoints) {
    const { path, packagePath } = named.endpoint
    for (const template of packagePath === undefined ? [path] : [path, packagePath]) {
      addRoute(app, serving, { named, url: urlOf(template) })
      if (template.endsWith('*}') && named.endpoint.body !== 'message') addFolder(app, urlOf(template))
    }
  }
  addOverride(app, serving)
}

/** What stands for a folder has a slash at its end: links in it are relative. */
function addFolder(app: FastifyInstance, url: string): void {
  app.get(url.replace('/*', ''), { config: declaredAccess('public') }, (request, reply) => {
    const [path = '', query] = request.url.split('?', 2)
    return reply.redirect(`${path}/${query === undefined ? '' : `?${query}`}`, 301)
  })
}

function urlOf(template: string): string {
  // What stands for the rest of a path has no name of its own there.
  return template.replaceAll(/\{\w+\*\}/g, '*').replaceAll(/\{(\w+)\}/g, ':$1')
}

interface PlacedRoute {
  readonly named: NamedEndpoint
  readonly url: string
}

function addRoute(app: FastifyInstance, serving: Serving, { named, url }: PlacedRoute): void {
  const { endpoint, group } = named
  app.route({
    method: methodsOf(endpoint),
    url,
    // A HEAD of a link would use it up.
    ...(endpoint.answer === 'redirect' && { exposeHeadRoute: false }),
    config: { ...declaredAccess(endpoint.permission), contractRoute: endpoint },
    bodyLimit: group === 'items' ? bodyLimits.items : bodyLimits.others,
    handler: handlerOf(serving, named),
    ...(endpoint.body === 'form' && { errorHandler: sendTokenError }),
    ...(isWorkflowEvent(named) && { errorHandler: sendWorkflowError }),
  })
}

/**
 * The one POST that is what its X-HTTP-Method-Override says: PATCH or DELETE of an upload, for whom a proxy lets send neither
 * (TUS 1.0). Anything else is 405, as of any path that takes no POST.
 */
function addOverride(app: FastifyInstance, serving: Serving): void {
  const { append, terminate } = contract.uploads
  const handlers: Readonly<Record<string, Handler>> = {
    PATCH: handlerOf(serving, { group: 'uploads', operation: 'append', endpoint: append }),
    DELETE: handlerOf(serving, { group: 'uploads', operation: 'terminate', endpoint: terminate }),
  }
  app.route({
    method: 'POST',
    url: urlOf(append.path),
    config: { ...declaredAccess(append.permission), contractRoute: append },
    handler: (request, reply) => {
      const method = String(request.headers['x-http-method-override'])
      const handle = Object.hasOwn(handlers, method) ? handlers[method] : notFound
      handle?.(request, reply)
    },
  })
}

// The HEAD that Fastify makes of a GET says Content-Length: 0 of an answer whose body was left out.
function methodsOf(endpoint: Endpoint): Method | Method[] {
  if (endpoint.body === 'message') return [...passedMethods]
  return endpoint.method === 'GET' && isStreamed(endpoint) ? ['GET', 'HEAD'] : endpoint.method
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** Request, `run`, answer: nothing else happens here. */
function handlerOf(serving: Serving, named: NamedEndpoint): Handler {
  const { quire, answerMs } = serving
  const { group, operation } = named as ContractEndpoint
  const sending = { ...serving, named }
  const inputOf = inputReader(named)
  return (request, reply) => {
    const who = request.who ?? nobody
    const origin = originOf(request)
    const leaving = waitsForOthers(named.endpoint) ? leavingOf(reply) : undefined
    const options = { ...optionsOf(named, request), ...(leaving && { signal: leaving }) }
    const call = { input: inputOf(request), options }
    const answered = watchAnswer(named.endpoint, reply, answerMs)
    const finish = (send: () => Promise<void> | void) => {
      answered()
      return reply.sent || leaving?.aborted ? undefined : send()
    }
    const run = () => quire.run({ group, operation, who, origin, ...call })
    const isGraphql = named.endpoint.answer === 'graphql'
    const running = isGraphql ? answerGraphql(request.headers.accept, run) : run()
    running
      .then((answer) => finish(() => answerWith(sending, answer, reply)))
      .catch((error: unknown) => finish(() => void reply.send(error)))
  }
}

/** Whether an answer waits for what is not here: for a service of others, or for the storage of binaries. */
function waitsForOthers({ answer }: Endpoint): boolean {
  return answer === 'passed' || answer === 'bytes'
}

/** Aborts when who asked is gone before the answer is whole: what others do for it then ends too (TRUST S28). */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}

function originOf({ ip, headers, signedText: body }: FastifyRequest): Origin {
  const browser = headers.cookie === undefined ? undefined : cookieOf(headers.cookie, 'login')
  return { address: ip, ...(browser !== undefined && { browser }), ...(body !== undefined && { body }) }
}

function answerWith(
  { named, heartbeatMs }: Pick<Serving, 'heartbeatMs'> & { readonly named: NamedEndpoint },
  answer: Answer<unknown>,
  reply: FastifyReply,
): Promise<void> | void {
  const { id, headers, method } = reply.request
  if (answer instanceof ServedBytes) {
    const header = (name: string) => headers[name]?.toString()
    return sendBytes(reply, answer.source, { method, header, requestId: id })
  }
  if (answer instanceof ServedPassed) return sendPassed(reply, answer)
  if (answer instanceof ServedEvents)
    return sendEvents(reply, encodeEvents(answer, { method, requestId: id, heartbeatMs }))
  const context = {
    requestId: id,
    ifNoneMatch: headers['if-none-match'],
    accept: headers.accept,
    isAnonymous: reply.request.who?.kind === 'anonymous',
  }
  if (answer instanceof ServedGraphql) return send(reply, encodeGraphql(named, answer, context))
  send(reply, encodeAnswer(named, answer instanceof Presented ? answer : { value: answer }, context))
}

/** The contract's endpoints are named by the groups of the contract. */
type ContractEndpoint = NamedEndpoint & Pick<Request, 'group'>

function inputReader({ endpoint }: NamedEndpoint): (request: FastifyRequest) => unknown {
  const decode = createInputDecoder(endpoint)
  const rest = /\{(\w+)\*\}$/.exec(endpoint.path)?.[1]
  if (endpoint.body === 'tus') return (request) => tusInput(endpoint, request)
  if (endpoint.body === 'message') return messageInput
  const isForm = endpoint.body === 'form'
  return (request) => {
    const given = request.params as Record<string, unknown>
    const params = rest === undefined ? given : { ...given, [rest]: given['*'] }
    const body = isForm ? withBasicCredentials(request.body, request.headers.authorization) : request.body
    const lastEventId = request.headers['last-event-id']?.toString()
    const header = (name: string) => request.headers[name]?.toString()
    return decode({ params, query: queryOf(request.raw.url ?? ''), body, lastEventId, header })
  }
}

/** An upload's input: its path, its headers, and the bytes where it brings some. */
function tusInput(endpoint: Endpoint, { params, headers, sentType, body }: FastifyRequest): unknown {
  const header = (name: string) => (name === 'content-type' ? sentType : headers[name]?.toString())
  const bytes = bringsBytes(endpoint, header) ? (body as object) : {}
  return { ...(params as object), ...decodeTusRequest(endpoint, header), ...bytes }
}

/** A message that is passed on: what it is made of, as it came. */
function messageInput({ params, raw, method, headers, sentType, body }: FastifyRequest): unknown {
  const { '*': path, ...names } = params as Record<string, unknown>
  const { file } = (body ?? {}) as { readonly file?: unknown }
  const brings = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return decodePassedRequest({
    params: { ...names, path },
    method,
    query: searchOf(raw.url ?? ''),
    header: (name) => (name === 'content-type' ? sentType : headers[name]?.toString()),
    body: brings ? file : undefined,
  })
}

function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

const noQuery: Query = Object.freeze({})

// Not Fastify's: its parser cannot refuse a malformed query, and knows no brackets.
function queryOf(url: string): Query {
  const start = url.indexOf('?')
  if (start < 0) return noQuery
  const end = url.indexOf('#', start)
  return parseQuery(url.slice(start + 1, end < 0 ? undefined : end))
}

function optionsOf({ endpoint }: NamedEndpoint, request: FastifyRequest): CallOptions {
  if (endpoint.method === 'GET' || endpoint.answer === 'passed')
    return { requestId: request.id, ...acceptOf(endpoint, request) }
  const options = decodeCallOptions((name) => request.headers[name] as string | undefined)
  const { idempotencyKey: key, ...others } = options
  if (key === undefined || endpoint.method !== 'POST') return { ...others, requestId: request.id }
  return { ...others, idempotencyKey: requireKeyText(key), requestId: request.id }
}

function acceptOf({ answer }: Endpoint, { headers }: FastifyRequest): CallOptions {
  return answer === 'bytes' && headers.accept !== undefined ? { accept: headers.accept } : {}
}

function requireKeyText(key: string): string {
  if (/^[ -~]{1,255}$/.test(key)) return key
  throw new QuireError('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}
