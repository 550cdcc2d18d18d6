import { createCors } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { findKnownPath } from '../routing/known-paths.ts'
import { locate, type Located } from '../routing/locate.ts'
import { answer } from './answer.ts'
import { createBase } from './base-path.ts'
import { fromRequest, toResponse } from './from-request.ts'
import type { FetchHandler, HandlerOptions, RequestContext } from './options.ts'
import type { Serving } from './serving.ts'
import { createStreams } from './streams.ts'
import type { IncomingRequest, OutgoingResponse } from './transport.ts'

/** Answers requests that came through any transport. */
export interface Answerer {
  /** The response; undefined for a request that may belong to the host. */
  readonly handle: (
    incoming: IncomingRequest,
    context: RequestContext | undefined,
  ) => Promise<OutgoingResponse> | undefined
  /** The response, whatever the request. */
  readonly answer: (incoming: IncomingRequest) => Promise<OutgoingResponse>
}

// The functions behind the handlers, for adapters that have other classes than the fetch API.
const answerers = new WeakMap<FetchHandler, Answerer>()

/** What answers the requests of a handler. Errors: the handler was not made by `createFetchHandler`. */
export function answererOf(handler: FetchHandler): Answerer {
  const answerer = answerers.get(handler)
  if (!answerer) throw new Error('Pass the handler itself, as createFetchHandler returned it.')
  return answerer
}

/** What a handler does in another way where it has no Node. */
export type HandlerParts = Pick<Serving, 'limiter' | 'readForm' | 'byteLength'>

/** Creates a handler. Errors: as `createFetchHandler`. */
export function createHandler(quire: Quire, options: HandlerOptions, parts: HandlerParts): FetchHandler {
  const { trustedOrigins: origins = [], published = true } = options
  const serving: Serving = {
    quire,
    options,
    base: createBase(quire.baseUrl, options.basePath),
    cors: createCors({ origins, published }),
    ...parts,
    streams: createStreams(),
  }
  const answerer = createAnswerer(serving)
  const respond = async (request: Request) => toResponse(await answerer.answer(fromRequest(request)))
  const handler: FetchHandler = Object.assign(respond, {
    async handle(request, { url, context } = {}) {
      const response = await answerer.handle(fromRequest(request, url), context)
      return response ? { matched: true, response: toResponse(response) } : { matched: false, response }
    },
    close() {
      parts.limiter.close()
      serving.streams.close()
    },
  } satisfies Pick<FetchHandler, 'handle' | 'close'>)
  answerers.set(handler, answerer)
  return handler
}

function createAnswerer(serving: Serving): Answerer {
  const { base } = serving
  return {
    handle(incoming, given) {
      const address = base.addressOf(incoming.url)
      const located = address && locate(incoming, address)
      if (!located || (base.path === '' && isForeign(located))) return undefined
      return answer(serving, { incoming, located, given })
    },
    async answer(incoming) {
      const address = base.addressOf(incoming.url)
      if (!address) return base.refusal(incoming)
      return answer(serving, { incoming, located: locate(incoming, address), given: undefined })
    },
  }
}

/**
 * Whether an address may belong to the host: without a base path, nothing else tells. One with an
 * error is that of a route.
 */
function isForeign(located: Located): boolean {
  return located.kind === 'unknown' && !located.error && findKnownPath(located.path) === undefined
}
