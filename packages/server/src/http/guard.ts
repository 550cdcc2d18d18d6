import type { Quire, Principal } from '@quire/core'
import type { Log } from '@quire/core/ports'
import { QuireError } from '@quire/contract'
import { tusErrorHeaders, type CorsOptions } from '@quire/contract/codec'
import {
  accountOf,
  createAdmission,
  createSlots,
  defaultLoadLimits,
  identify,
  isPublicPath,
  networkOf,
  onlyHttps,
  requestIdOf,
  watchLoad,
  type AdmissionOptions,
  type CacheTagHeader,
  type EdgeTags,
  type Load,
  type LoadLimits,
  type Slots,
} from '@quire/http/shared'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBodies } from './bodies.ts'
import { requireDeclaredAccess } from './declared-access.ts'
import { compressAnswers } from './compression.ts'
import { admitOrigins } from './cors.ts'
import { headerOf } from './header-of.ts'
import { addressOf } from './not-found.ts'
import { createOpenStreams } from './open-streams.ts'
import { limitReceiving } from './receive-deadline.ts'
import { logRequest } from './request-log.ts'
import { sendError } from './send.ts'
import { sendsSitePage } from './site-error-page.ts'
import { bringsBody, isLarge, outliveRefusal, requireFlow, takeInRest } from './streams.ts'
import { translateError } from './translate-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication and on public routes. */
    principal: Principal | null
    /** The cache tags of the response; undefined: it has none. */
    edge: EdgeTags | undefined
    /** The caller for counting requests: an account, or the network of an address without one. */
    caller: string
  }
  interface FastifyInstance {
    /** The load of all routes of an app. */
    readonly load: Load
    /** Lets small requests go before large transfers, for all routes of an app. */
    readonly slots: Slots
  }
}

/** Options for the checks in front of every route. */
export interface GuardOptions extends AdmissionOptions {
  readonly quire: Quire
  /** Receives failures. Default: none. */
  readonly log?: Log
  /** Receives one entry per request when it ends. Default: none. */
  readonly requestLog?: Log
  /**
   * When requests are refused because of overload. Default: 250 ms of loop delay, 1 000 requests at
   * once.
   */
  readonly load?: LoadLimits
  /** Milliseconds that an operation may take; files have no limit. Default: 30 000. */
  readonly answerMs?: number
  /** Milliseconds within which a body must arrive. Default: 30 000. */
  readonly receiveMs?: number
  /**
   * Milliseconds without an event after which a stream of events sends a heartbeat. Default:
   * 15 000.
   */
  readonly heartbeatMs?: number
  /** Which pages of other origins may read responses. Default: those that read published content. */
  readonly cors?: CorsOptions
  /**
   * Sends the cache tags of public responses in this header, and lets a cache in front of the service
   * store them for a day. That cache has to be purged by the event `CACHE_TAGS_PURGED`. Default: no
   * tags.
   */
  readonly cacheTags?: CacheTagHeader | undefined
  /** Whether responses are compressed; `false` leaves it to a proxy. Default: true. */
  readonly compression?: boolean
}

/**
 * Adds everything that runs before the routes that are added to `app` later: request ids, load
 * shedding, authentication, bodies, errors. No request reaches a handler without it, and a route
 * that does not declare its access fails the start. Returns the load, which admits nothing more
 * once the app closes.
 */
export function guard(app: FastifyInstance, options: GuardOptions): Load {
  const load = watchLoad(options.load ?? defaultLoadLimits)
  const admission = createAdmission(options, load)
  const isHttps = options.quire.baseUrl.startsWith('https:')
  const openStreams = createOpenStreams()
  app.addHook('preClose', (done) => {
    void load.close()
    admission.close()
    openStreams.close()
    done()
  })
  app.setGenReqId(({ headers }) => requestIdOf(headers['x-request-id']?.toString()))
  app.decorate('slots', createSlots())
  app.decorate('load', load)
  app.decorate('openStreams', openStreams)
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', '')
  app.decorateRequest('edge', undefined)
  app.decorateRequest('sentType', undefined)
  app.decorateRequest('signedText', undefined)
  requireDeclaredAccess(app)
  readBodies(app)
  if (options.compression !== false) compressAnswers(app)
  admitOrigins(app, options.cors)
  app.setErrorHandler((error: FastifyError, _request, reply) => answerError(options, error, reply))
  // Not async: every request runs through this, and each promise would cost it an extra tick.
  app.addHook('onRequest', (request, reply, proceed) => {
    if (options.requestLog) logRequest(options.requestLog, request, reply)
    if (isHttps) void reply.header('strict-transport-security', onlyHttps)
    const { config } = request.routeOptions
    if (config.always) return proceed()
    if (bringsBody(request.headers)) takeInRest(request.raw, reply.raw)
    if (bringsLarge(request)) requireFlow(request.raw)
    else limitReceiving(request.raw, options.receiveMs ?? defaultReceiveMs)
    reply.raw.on('close', load.admit())
    request.caller = networkOf(request.ip)
    if (config.contractRoute?.body === 'signed') return proceed(admission.signed(request.caller))
    if (config.isFixed) return proceed(admission.file(request.caller))
    if (config.public) return proceed(admission.anonymous(request.caller))
    const sender = { method: request.method, header: headerOf(request) }
    identify(options.quire, sender, config.permission).then(
      (principal) => {
        request.principal = principal
        const account = accountOf(principal)
        if (account === null) return proceed(admission.anonymous(request.caller))
        request.caller = account
        return proceed(admission.account(account))
      },
      (error: Error) => {
        const isFree = request.is404 && isPublicPath(addressOf(request))
        return proceed(admission.anonymous(request.caller) ?? (isFree ? undefined : error))
      },
    )
  })
  return load
}

const defaultReceiveMs = 30_000

function bringsLarge({ routeOptions, headers }: FastifyRequest): boolean {
  return isLarge(routeOptions.config.contractRoute, headers['content-type'])
}

// `run` logs its own failures, and sets the request id on the error.
function answerError({ log }: GuardOptions, error: unknown, reply: FastifyReply): void {
  const known = translateError(error)
  if (known instanceof QuireError && known.status >= 500 && known.requestId === undefined) {
    const cause = known.cause instanceof Error ? known.cause.stack : known.message
    log?.write('error', 'request.failed', { requestId: reply.request.id, code: known.code, cause })
  }
  if (reply.request.routeOptions.config.contractRoute?.body === 'tus')
    void reply.headers(tusErrorHeaders(known.status))
  outliveRefusal(reply)
  if (!sendsSitePage(reply, known)) sendError(reply, known)
}
