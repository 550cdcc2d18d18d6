import { QuireError, type TokenError } from '@quire/contract'
import { isForEveryOrigin } from '@quire/contract/codec'
import { refusalContext } from '../callers/origin.ts'
import { edgeTagsOf } from '../responses/edge-headers.ts'
import { onlyHttps } from '../responses/headers.ts'
import { knownError } from '../responses/known-error.ts'
import { requireNames } from '../routing/call-options.ts'
import { isPublic, type Located } from '../routing/locate.ts'
import { requestIdOf } from '../routing/request-id.ts'
import { callerOf } from './caller.ts'
import { perform } from './perform.ts'
import { bringsBody } from './request-input.ts'
import { errorResponseFor, responseFor, type Answering } from './response.ts'
import type { Arriving, Serving } from './serving.ts'
import type { OutgoingResponse } from './transport.ts'
import { preflightOf, redirectToFolder, refuseUnknown } from './without-route.ts'

/** The response to a request below the base. Never rejects. */
export async function answer(serving: Serving, arriving: Arriving): Promise<OutgoingResponse> {
  const { incoming, located } = arriving
  const { limiter, streams } = serving
  const requestId = requestIdOf(incoming.header('x-request-id'))
  const route = located.kind === 'found' ? located.found.route : undefined
  let leave = () => {}
  const stream = streams.opener(() => leave())
  const answering: Answering = {
    incoming,
    requestId,
    route,
    search: located.search,
    isAnonymous: (incoming.header('authorization') ?? undefined) === undefined,
    isSame: isSameForAll(located),
    heartbeatMs: serving.options.heartbeatMs,
    added: addedHeaders(serving, arriving),
    edge: route && edgeTagsOf(serving.options.cacheTags, route.named.endpoint),
    byteLength: serving.byteLength,
    stream: stream.open,
  }
  try {
    const preflight = preflightOf(serving.cors, answering, located)
    if (preflight) return preflight
    leave = limiter.admit()
    return await operate(serving, arriving, answering)
  } catch (error) {
    return errorResponseFor(answering, reported(serving, error, requestId))
  } finally {
    if (!stream.isOpen()) leave()
  }
}

async function operate(
  serving: Serving,
  arriving: Arriving,
  answering: Answering,
): Promise<OutgoingResponse> {
  const { incoming, located } = arriving
  const { quire } = serving
  if (located.kind === 'unknown' && located.error) throw located.error
  const caller = await callerOf(serving, arriving)
  if (located.kind === 'folder') return redirectToFolder(answering)
  if (located.kind === 'unknown') return refuseUnknown(answering, located)
  const { found } = located
  const { named } = found.route
  const { endpoint } = named
  requireNames(found.params, found.route.rest)
  if (endpoint.method !== 'GET' && endpoint.permission !== 'public' && bringsBody(incoming))
    await quire.permit({
      ...named,
      principal: caller.principal,
      names: found.params,
      ...refusalContext(incoming.header, { requestId: answering.requestId, address: caller.address }),
    })
  const answered = await perform(serving, { incoming, found, answering, ...caller })
  if (endpoint.method !== 'GET') serving.options.waitUntil?.(quire.settled())
  const isAnonymous = caller.principal.kind === 'anonymous'
  return responseFor({ ...answering, isAnonymous }, answered)
}

/** Whether everybody who may read the response gets the same: files, pages and public routes. */
function isSameForAll(located: Located): boolean {
  return (
    isPublic(located) || (located.kind === 'found' && located.found.route.named.endpoint.answer === 'bytes')
  )
}

/** Headers of every response to a request: those for its origin, and for browsers that use https. */
function addedHeaders(
  { quire, cors }: Serving,
  { incoming, located }: Arriving,
): Readonly<Record<string, string>> {
  const origin = incoming.header('origin') ?? undefined
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
