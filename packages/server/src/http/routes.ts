import {
  contract,
  endpoints,
  proxiedMethods,
  type Endpoint,
  type Method,
  type NamedEndpoint,
} from '@quire/contract'
import {
  encodeAnswer,
  encodeEvents,
  encodeGraphql,
  isForEveryOrigin,
  isStreamed,
  isWorkflowEvent,
} from '@quire/contract/codec'
import {
  answerGraphql,
  Serialized,
  ServedBytes,
  ServedEvents,
  ServedGraphql,
  ServedProxied,
  type Answer,
  type Quire,
} from '@quire/core'
import {
  bodyLimitOf,
  callOptionsOf,
  edgeTagsOf,
  nobody,
  originOf,
  refusalContext,
  requireNames,
  requireOpened,
  waitsForOthers,
  type CacheTagHeader,
  type ContractEndpoint,
} from '@quire/http/shared'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headerOf } from './header-of.ts'
import { leavingOf } from './leaving.ts'
import { secretGroups } from './compression.ts'
import { declaredAccess } from './declared-access.ts'
import { notFound } from './not-found.ts'
import { inputReader, searchOf } from './request-input.ts'
import { send, sendBytes, sendEvents, sendProxied } from './send.ts'
import { bringsBody } from './streams.ts'
import { watchAnswer } from './deadline.ts'
import { sendTokenError, sendWorkflowError } from './own-errors.ts'

/** Options for the routes of an engine. */
export interface Serving {
  readonly quire: Quire
  /** Milliseconds that a response may take. Default: 30 000. */
  readonly answerMs?: number | undefined
  /** Milliseconds without an event after which a stream sends a heartbeat. Default: 15 000. */
  readonly heartbeatMs?: number | undefined
  /** The header for cache tags. Default: none are sent. */
  readonly cacheTags?: CacheTagHeader | undefined
}

/**
 * Adds a route for every endpoint of the contract, and a second one for endpoints that also work on
 * packages.
 */
export function addRoutes(app: FastifyInstance, serving: Serving): void {
  for (const named of endpoints) {
    const { path, packagePath } = named.endpoint
    for (const template of packagePath === undefined ? [path] : [path, packagePath]) {
      addRoute(app, serving, { named, url: urlOf(template) })
      if (template.endsWith('*}') && named.endpoint.body !== 'message')
        addFolder(app, named.endpoint, urlOf(template))
    }
  }
  addOverride(app, serving)
}

/**
 * Redirects the address of a folder to the one with a slash at its end: links in the folder are
 * relative.
 */
function addFolder(app: FastifyInstance, endpoint: Endpoint, url: string): void {
  const config = { ...declaredAccess('public'), contractRoute: endpoint }
  app.get(url.replace('/*', ''), { config }, (request, reply) => {
    requireNames(request.params as object, '*')
    const [path = ''] = request.url.split(/[?#]/, 1)
    // A relative redirect: a proxy may have removed a prefix of the path. It begins with a dot
    // because the name may contain a colon.
    const location = `./${path.split('/').at(-1)}/${searchOf(request.url)}`
    // The address of a share link is a secret.
    const isSecret = endpoint === contract.packages.shared
    const headers = {
      location,
      'cache-control': isSecret ? 'private, no-store' : 'public, max-age=60',
      'x-request-id': request.id,
      ...(isSecret && { 'x-robots-tag': 'noindex' }),
    }
    send(reply, { status: 301, headers })
  })
}

function urlOf(template: string): string {
  // A wildcard for the rest of a path has no name in Fastify.
  return template.replaceAll(/\{\w+\*\}/g, '*').replaceAll(/\{(\w+)\}/g, ':$1')
}

interface MountedRoute {
  readonly named: NamedEndpoint
  readonly url: string
}

function addRoute(app: FastifyInstance, serving: Serving, { named, url }: MountedRoute): void {
  const { endpoint, group } = named
  app.route({
    method: methodsOf(endpoint),
    url,
    // A HEAD request would use up the link.
    ...(endpoint.answer === 'redirect' && { exposeHeadRoute: false, onRequest: requireOpenedLink }),
    config: {
      ...declaredAccess(endpoint.permission),
      contractRoute: endpoint,
      holdsSecrets: secretGroups.has(group),
      everyOrigin: isForEveryOrigin(named),
    },
    bodyLimit: bodyLimitOf(named),
    handler: handlerOf(serving, named),
    ...(endpoint.method !== 'GET' && { preParsing: permitBody(serving.quire, named as ContractEndpoint) }),
    ...(endpoint.body === 'form' && { errorHandler: sendTokenError }),
    ...(isWorkflowEvent(named) && { errorHandler: sendWorkflowError }),
  })
}

/** Errors: `invalid` for a prefetch of a one-time link. */
async function requireOpenedLink(request: FastifyRequest): Promise<void> {
  requireOpened(headerOf(request))
}

/**
 * Rejects a caller without permission before the body is read, so that the request costs only its
 * headers. Errors: `unauthorized`, `forbidden`.
 */
function permitBody(quire: Quire, named: ContractEndpoint): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const { principal, headers, params, id: requestId, ip: address } = request
    if (!principal || !bringsBody(headers)) return
    const context = refusalContext(headerOf(request), { requestId, address })
    await quire.permit({ ...named, principal, names: params as Record<string, string>, ...context })
  }
}

/**
 * Adds two routes for uploads behind proxies (TUS 1.0). GET answers as HEAD. POST does what its
 * X-HTTP-Method-Override names (HEAD, PATCH or DELETE), for clients whose proxy blocks those
 * methods; without it, POST is 405, as on any path that does not accept POST.
 */
function addOverride(app: FastifyInstance, serving: Serving): void {
  const { append, get, terminate } = contract.uploads
  const handlers: Readonly<Record<string, Handler>> = {
    HEAD: handlerOf(serving, { group: 'uploads', operation: 'get', endpoint: get }),
    PATCH: handlerOf(serving, { group: 'uploads', operation: 'append', endpoint: append }),
    DELETE: handlerOf(serving, { group: 'uploads', operation: 'terminate', endpoint: terminate }),
  }
  // A caching proxy turns HEAD into GET (nginx: proxy_cache_convert_head). Without this route, a
  // client could not resume behind it.
  app.route({
    method: 'GET',
    url: urlOf(get.path),
    exposeHeadRoute: false,
    config: { ...declaredAccess(get.permission), contractRoute: get },
    handler: handlers['HEAD'] ?? notFound,
  })
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

// Fastify's automatic HEAD route sends Content-Length: 0 for a response without a body.
function methodsOf(endpoint: Endpoint): Method | Method[] {
  if (endpoint.body === 'message') return [...proxiedMethods]
  return endpoint.method === 'GET' && isStreamed(endpoint) ? ['GET', 'HEAD'] : endpoint.method
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** Reads the input, calls `run` and sends the result. Nothing else happens here. */
function handlerOf(serving: Serving, named: NamedEndpoint): Handler {
  const { quire, answerMs, cacheTags: tagHeader } = serving
  const { group, operation } = named as ContractEndpoint
  const sending = { ...serving, named }
  const inputOf = inputReader(named)
  return (request, reply) => {
    requireNames(request.params as object, '*')
    const principal = request.principal ?? nobody
    const header = headerOf(request)
    const { ip: address, signedText } = request
    const meter = request.server.load.time.meterOf(request.caller)
    const origin = originOf(header, { address, meter, signedText })
    const leaving = waitsForOthers(named.endpoint) ? leavingOf(reply) : undefined
    const options = {
      ...callOptionsOf(named.endpoint, header, request.id),
      ...(leaving && { signal: leaving }),
    }
    const call = { input: inputOf(request), options }
    request.edge = edgeTagsOf(tagHeader, named.endpoint)
    const cacheTags = request.edge?.tags
    const answered = watchAnswer(named.endpoint, reply, answerMs)
    const finish = (send: () => Promise<void> | void) => {
      answered()
      if (reply.sent || leaving?.aborted) return undefined
      // The result arrives in a later tick, and writing a long response takes as long as computing
      // it.
      meter.begin()
      return send()
    }
    const run = () => quire.run({ group, operation, principal, origin, cacheTags, ...call })
    const isGraphql = named.endpoint.answer === 'graphql'
    const running = isGraphql ? answerGraphql(request.headers.accept, run) : run()
    running
      .then((answer) => finish(() => answerWith(sending, answer, reply)))
      .catch((error: unknown) => finish(() => void reply.send(error)))
  }
}

function answerWith(
  { named, heartbeatMs }: Pick<Serving, 'heartbeatMs'> & { readonly named: NamedEndpoint },
  answer: Answer<unknown>,
  reply: FastifyReply,
): Promise<void> | void {
  const { id, headers, method } = reply.request
  if (answer instanceof ServedBytes) {
    const header = (name: string) => headers[name]?.toString()
    const search = searchOf(reply.request.raw.url ?? '')
    return sendBytes(reply, answer.source, { method, header, requestId: id, search })
  }
  if (answer instanceof ServedProxied) return sendProxied(reply, answer)
  if (answer instanceof ServedEvents)
    return sendEvents(reply, encodeEvents(answer, { method, requestId: id, heartbeatMs }))
  const context = {
    requestId: id,
    ifNoneMatch: headers['if-none-match'],
    accept: headers.accept,
    isAnonymous: reply.request.principal?.kind === 'anonymous',
  }
  if (answer instanceof ServedGraphql) return send(reply, encodeGraphql(named, answer, context))
  send(reply, encodeAnswer(named, answer instanceof Serialized ? answer : { value: answer }, context))
}
