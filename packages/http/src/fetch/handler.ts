import { QuireError, type TokenError } from '@quire/contract'
import { createCors, isForEveryOrigin } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { createAdmission } from '../admission/admission.ts'
import { defaultLoadLimits, watchLoad } from '../admission/load.ts'
import { onlyHttps } from '../responses/headers.ts'
import { knownError } from '../responses/known-error.ts'
import { requireNames } from '../routing/call-options.ts'
import { restOf } from '../routing/find-route.ts'
import { findKnownPath } from '../routing/known-paths.ts'
import { locate, type Located } from '../routing/locate.ts'
import { requestIdOf } from '../routing/request-id.ts'
import { createBase } from './base-path.ts'
import { callerOf } from './caller.ts'
import type { FetchHandler, FetchHandlerOptions } from './options.ts'
import { perform } from './perform.ts'
import { bringsBody } from './request-input.ts'
import type { Arriving, Serving } from './serving.ts'
import { createStreams } from './streams.ts'
import { toErrorResponse, toResponse, type Answering } from './to-response.ts'
import { preflightOf, redirectToFolder, refuseUnknown } from './without-route.ts'

/**
 * Creates a function from `Request` to `Response` for every operation of an engine, with the rates,
 * sessions and limits of the service. It needs no framework: `toNextJsHandler` and `toNodeHandler`
 * adapt it, and hosts such as Hono, Bun and Deno take it as it is. The host closes it before the
 * engine. Errors: `basePath` is not the end of the path of the engine's `baseUrl`.
 * @example
 * const handler = createFetchHandler(quire, { basePath: '/cms' })
 * app.all('/cms/*', (context) => handler(context.req.raw)) // Hono
 */
export function createFetchHandler(quire: Quire, options: FetchHandlerOptions = {}): FetchHandler {
  const load = watchLoad(options.load ?? defaultLoadLimits)
  const { trustedOrigins: origins = [], published = true } = options
  const serving: Serving = {
    quire,
    options,
    base: createBase(quire.baseUrl, options.basePath),
    cors: createCors({ origins, published }),
    load,
    admission: createAdmission(options, load),
    streams: createStreams(),
  }
  const handle: FetchHandler['handle'] = async (request, given = {}) => {
    const address = serving.base.addressOf(given.url ?? request.url)
    const located = address && locate(request, address)
    if (!located || (serving.base.path === '' && isForeign(located)))
      return { matched: false, response: undefined }
    return { matched: true, response: await answer(serving, { request, located, given: given.context }) }
  }
  const respond = async (request: Request): Promise<Response> => {
    const address = serving.base.addressOf(request.url)
    if (!address) return serving.base.refusal(request)
    return answer(serving, { request, located: locate(request, address), given: undefined })
  }
  return Object.assign(respond, {
    handle,
    close() {
      void load.close()
      serving.admission.close()
      serving.streams.close()
    },
  })
}

/** Whether an address may belong to the host: without a base path, nothing else tells. */
function isForeign(located: Located): boolean {
  return located.kind === 'unknown' && findKnownPath(located.path) === undefined
}

async function answer(serving: Serving, arriving: Arriving): Promise<Response> {
  const { request, located } = arriving
  const { load, streams } = serving
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  const route = located.kind === 'found' ? located.found.route : undefined
  let leave = () => {}
  const stream = streams.opener(() => leave())
  const answering: Answering = {
    request,
    requestId,
    route,
    search: located.search,
    isAnonymous: request.headers.get('authorization') === null,
    isSame: isSameForAll(located),
    heartbeatMs: serving.options.heartbeatMs,
    added: addedHeaders(serving, arriving),
    stream: stream.open,
  }
  try {
    const preflight = preflightOf(serving.cors, answering, located)
    if (preflight) return preflight
    leave = load.admit()
    return await operate(serving, arriving, answering)
  } catch (error) {
    return toErrorResponse(answering, reported(serving, error, requestId))
  } finally {
    if (!stream.isOpen()) leave()
  }
}

async function operate(serving: Serving, arriving: Arriving, answering: Answering): Promise<Response> {
  const { request, located } = arriving
  const { quire } = serving
  const caller = await callerOf(serving, arriving)
  if (located.kind === 'folder') return redirectToFolder(answering)
  if (located.kind === 'unknown') return refuseUnknown(answering, located)
  const { found } = located
  const { named } = found.route
  const { endpoint } = named
  requireNames(found.params, restOf(endpoint))
  if (endpoint.method !== 'GET' && endpoint.permission !== 'public' && bringsBody(request))
    await quire.permit({ ...named, principal: caller.principal, names: found.params })
  const answered = await perform(serving, { request, found, answering, ...caller })
  if (endpoint.method !== 'GET') serving.options.waitUntil?.(quire.settled())
  const isAnonymous = caller.principal.kind === 'anonymous'
  return toResponse({ ...answering, isAnonymous }, answered)
}

/** Whether everybody who may read the response gets the same: files, pages and public routes. */
function isSameForAll(located: Located): boolean {
  if (located.kind !== 'found') return located.kind === 'folder'
  const { permission, answer: form } = located.found.route.named.endpoint
  return permission === 'public' || form === 'bytes'
}

/** Headers of every response to a request: those for its origin, and for browsers that use https. */
function addedHeaders(
  { quire, cors }: Serving,
  { request, located }: Arriving,
): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin') ?? undefined
  const isForAll = located.kind === 'found' && isForEveryOrigin(located.found.route.named)
  return {
    ...(quire.baseUrl.startsWith('https:') && { 'strict-transport-security': onlyHttps }),
    ...cors.headers({ origin, isForAll }),
    ...(cors.isByOrigin && !isForAll && { vary: 'Origin' }),
  }
}

// `run` logs its own failures, and sets the request id on the error.
function reported({ options: { log } }: Serving, error: unknown, requestId: string): QuireError | TokenError {
  const known = knownError(error) ?? new QuireError('internal', undefined, { cause: error })
  if (known instanceof QuireError && known.status >= 500 && known.requestId === undefined) {
    const cause = known.cause instanceof Error ? known.cause.stack : known.message
    log?.write('error', 'request.failed', { requestId, code: known.code, cause })
  }
  return known
}
