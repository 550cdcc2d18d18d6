import type { Quire, Principal } from '@quire/core'
import type { Log, Peers } from '@quire/core/ports'
import { QuireError } from '@quire/contract'
import { tusErrorHeaders } from '@quire/contract/codec'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, credentialOf, nobody } from './authentication.ts'
import { readBodies } from './bodies.ts'
import { requireDeclaredAccess } from './declared-access.ts'
import { compressAnswers } from './compression.ts'
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
    /** Who calls; null before it is known, and on public routes. */
    principal: Principal | null
    /** Who that is for counting: an account, or the network of an address without one. */
    caller: string
  }
  interface FastifyInstance {
    /** What all that an app serves has under way. */
    readonly load: Load
  }
}

/** What stands before every route. */
export interface GuardOptions {
  readonly quire: Quire
  /** Where failures are told. Default: nowhere. */
  readonly log?: Log
  /** Where each request is told, one line when it ends. Default: nowhere. */
  readonly requestLog?: Log
  /** When work is refused. Default: 250 ms of loop delay, 1 000 requests at once. */
  readonly load?: LoadLimits
  /** Requests a second of one account, or of the callbacks of one address; and of one address without a token. Default: 100 with 200 at once, 20 with 40 at once. */
  readonly rates?: RateLimits
  /** The other processes that serve the same, with which rates are counted together. Default: none. */
  readonly peers?: Peers
  /** Milliseconds within which an operation must answer; files take as long as they take. Default: 30 000. */
  readonly answerMs?: number
  /** Milliseconds within which a body must arrive. Default: 30 000. */
  readonly receiveMs?: number
  /** Milliseconds without an event after which a stream of events gives a sign of life. Default: 15 000. */
  readonly heartbeatMs?: number
  /** Whether answers are compressed; `false` leaves it to a proxy. Default: true. */
  readonly compression?: boolean
}

/**
 * Puts everything in front of the routes that come after it in `app`: request ids, load shedding, authentication, bodies, errors.
 * Nothing reaches a handler without it, and a route that does not declare its access is refused at start. Answers what is under
 * way, which takes in nothing more once the app closes.
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
  app.setErrorHandler((error: FastifyError, _request, reply) => answerError(options, error, reply))
  // Not async: every request passes here, and each promise in its way is one more turn of the queue.
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

// Browsers that came by https once come by nothing else for two years (RFC 6797).
const onlyHttps = 'max-age=63072000'

const defaultReceiveMs = 30_000

function bringsLarge({ routeOptions, headers }: FastifyRequest): boolean {
  return isLarge(routeOptions.config.contractRoute, headers['content-type'])
}

/** Who calls; nobody in particular where that may do and nothing was sent. */
function identify(quire: Quire, request: FastifyRequest): Promise<Principal> {
  if (request.routeOptions.config.permission !== 'published') return authenticate(quire, request)
  const credential = credentialOf(request)
  if (!credential) return Promise.resolve(nobody)
  // A browser sends its cookie wherever it goes: one that has run out closes nothing that is open to everybody.
  return credential.isCookie ? authenticate(quire, request).catch(() => nobody) : authenticate(quire, request)
}

/** `too_many_requests` for a caller who comes too often, or who keeps the thread busy. */
interface Admission {
  account(caller: string): QuireError | undefined
  /** The same for whoever sent no token, or none that is valid. */
  anonymous(caller: string): QuireError | undefined
  /** The same for a program that proves by the body who it is: each network may come as often as an account. */
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

// What `run` failed at it has told itself, with the id that it set on the error.
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
