import type { Quire, Principal } from '@quire/core'
import type { Log, Peers } from '@quire/core/ports'
import { QuireError } from '@quire/contract'
import { tusErrorHeaders, type CorsOptions } from '@quire/contract/codec'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, credentialOf, nobody } from './authentication.ts'
import { readBodies } from './bodies.ts'
import { requireDeclaredAccess } from './declared-access.ts'
import { compressAnswers } from './compression.ts'
import { admitOrigins } from './cors.ts'
import { defaultLoadLimits, watchLoad, type Load, type LoadLimits } from './load.ts'
import { isPublicPath } from './not-found.ts'
import { createOpenStreams } from './open-streams.ts'
import { createRate, defaultRateLimits, networkOf, type RateLimits } from './rate.ts'
import { limitReceiving } from './receive-deadline.ts'
import { logRequest } from './request-log.ts'
import { requestIdOf } from './request-id.ts'
import { sendError } from './send.ts'
import { isSitePage, sendSitePage } from './site-error-page.ts'
import { bringsBody, isLarge, outliveRefusal, requireFlow, takeInRest } from './streams.ts'
import { translateError } from './translate-error.ts'
import { createSlots } from './slots.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication and on public routes. */
    principal: Principal | null
    /** The caller for counting requests: an account, or the network of an address without one. */
    caller: string
  }
  interface FastifyInstance {
    /** The load of all routes of an app. */
    readonly load: Load
  }
}

/** Options for the checks in front of every route. */
export interface GuardOptions {
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
  /**
   * Requests per second of one account, or of the callbacks from one address; and of one address
   * without a token. Default: 100 with bursts of 200, 20 with bursts of 40.
   */
  readonly rates?: RateLimits
  /**
   * The other servers of the same installation, with which rates are counted together. Default:
   * none.
   */
  readonly peers?: Peers
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
  const admission = admissionBy(options, load)
  const isHttps = options.quire.baseUrl.startsWith('https:')
  const openStreams = createOpenStreams()
  app.addHook('preClose', (done) => {
    void load.close()
    admission.close()
    openStreams.close()
    done()
  })
  app.setGenReqId(requestIdOf)
  app.decorate('slots', createSlots())
  app.decorate('load', load)
  app.decorate('openStreams', openStreams)
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', '')
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
    load.admit(reply.raw)
    request.caller = networkOf(request.ip)
    if (config.contractRoute?.body === 'signed') return proceed(admission.signed(request.caller))
    if (config.public) return proceed(admission.anonymous(request.caller))
    identify(options.quire, request).then(
      (principal) => {
        request.principal = principal
        if (principal.kind !== 'user' && principal.kind !== 'service')
          return proceed(admission.anonymous(request.caller))
        request.caller = `${principal.kind}:${principal.id}`
        return proceed(admission.account(request.caller))
      },
      (error: Error) => {
        const isFree = request.is404 && isPublicPath(request)
        return proceed(admission.anonymous(request.caller) ?? (isFree ? undefined : error))
      },
    )
  })
  return load
}

// Browsers that used https once use nothing else for two years (RFC 6797).
const onlyHttps = 'max-age=63072000'

const defaultReceiveMs = 30_000

function bringsLarge({ routeOptions, headers }: FastifyRequest): boolean {
  return isLarge(routeOptions.config.contractRoute, headers['content-type'])
}

/** The principal of a request; anonymous where that is allowed and no credential was sent. */
function identify(quire: Quire, request: FastifyRequest): Promise<Principal> {
  if (request.routeOptions.config.permission !== 'published') return authenticate(quire, request)
  const credential = credentialOf(request)
  if (!credential) return Promise.resolve(nobody)
  // A browser sends its cookie with every request: an expired one must not block what is public.
  return credential.isCookie ? authenticate(quire, request).catch(() => nobody) : authenticate(quire, request)
}

/**
 * Answers `too_many_requests` for a caller who sends too many requests or keeps the thread busy.
 */
interface Admission {
  account(caller: string): QuireError | undefined
  /** The same for a caller without a valid token. */
  anonymous(caller: string): QuireError | undefined
  /**
   * The same for a program that proves its identity by the signature of the body. Each network has
   * the rate of an account.
   */
  signed(caller: string): QuireError | undefined
  close(): void
}

function admissionBy({ rates = defaultRateLimits, peers }: GuardOptions, load: Load): Admission {
  const authenticated = createRate(rates.authenticated, peers && { peers, topic: 'rate' })
  const byNetwork = createRate(rates.anonymous, peers && { peers, topic: 'anonymous-rate' })
  return {
    account: (caller) => authenticated.admit(caller) ?? load.refusal(caller),
    anonymous: (caller) => byNetwork.admit(caller) ?? load.refusal(caller),
    signed: (caller) => authenticated.admit(`network:${caller}`) ?? load.refusal(caller),
    close() {
      authenticated.close()
      byNetwork.close()
    },
  }
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
  if (isSitePage(reply.request, known)) sendSitePage(reply, known)
  else sendError(reply, known)
}
