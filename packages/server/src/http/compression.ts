import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from './send.ts'
import { weightsOf } from '@quire/http/shared'

type Coding = 'br' | 'gzip'

// A smaller response fits into one packet, so compressing it gains nothing.
const leastBytes = 1024

// Brotli quality, default 11. 1.2 MB of JSON took 9 to 14 ms at qualities 3 to 6 and 28 ms at 9. It
// shrank to 84 KB at 4 and 78 KB at 9.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript)\b|application\/(?:graphql|rtf)|image\/svg\+xml)/

/**
 * Compresses text responses without secrets for clients that accept it (RFC 9110 §8.4, §12.5.3), on
 * the threads of zlib. Each form has its own entity tag: the tag of the uncompressed bytes with the
 * coding appended. A condition that names such a tag refers to those bytes.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.decorateRequest('heldTags', undefined)
  app.addHook('onRequest', (request, _reply, proceed) => {
    const { headers } = request
    // A proxied service has its own tags, and those of Apache end the same way when it compresses.
    if (request.routeOptions.config.contractRoute?.answer === 'proxied') return proceed()
    const held = headers['if-none-match']
    if (held !== undefined) {
      request.heldTags = held
      headers['if-none-match'] = withoutCoding(held)
    }
    if (headers['if-match'] !== undefined) headers['if-match'] = withoutCoding(headers['if-match'])
    proceed()
  })
  // Fastify's callback form: a promise for every response would cost an extra tick.
  // oxlint-disable-next-line max-params
  app.addHook('onSend', (request, reply, payload, proceed) => {
    if (reply.statusCode === 304) nameHeldTag(request, reply)
    if (!mayCompress(request, reply, payload)) return proceed()
    addVary(reply, 'Accept-Encoding')
    const coding = codingFor(request.headers['accept-encoding'])
    if (coding === undefined) return proceed()
    const work = request.routeOptions.config.isFixed ? compressOnce : compress
    work(payload, coding, (error, compressed) => {
      if (error) return proceed(error)
      describe(reply, coding)
      proceed(null, compressed)
    })
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The original `If-None-Match`. */
    heldTags: string | undefined
  }
  interface FastifyContextConfig {
    /**
     * Whether its responses hold secrets. Compressed, their length could reveal them to an attacker
     * who can add text of their own (BREACH).
     */
    holdsSecrets?: boolean
    /** Whether its body is always the same buffer, so that it is compressed only once. */
    isFixed?: boolean
  }
}

/** Groups of the contract whose responses contain keys, secrets, tokens or sessions. */
export const secretGroups: ReadonlySet<string> = new Set([
  'auth',
  'user',
  'users',
  'serviceAccounts',
  'security',
  'access',
  'admin',
  'webhooks',
  'workflow',
  'workflowConnections',
])

function withoutCoding(tags: string): string {
  return tags.replaceAll(/-(?:br|gzip)"/g, '"')
}

/** A 304 must name the tag that a 200 would have: the tag of the form that the client has. */
function nameHeldTag({ heldTags }: FastifyRequest, reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  if (typeof tag !== 'string' || heldTags === undefined) return
  const held = (['br', 'gzip'] as const)
    .map((coding) => tagged(tag, coding))
    .find((one) => heldTags.includes(one))
  if (held === undefined) return
  void reply.header('etag', held)
  addVary(reply, 'Accept-Encoding')
}

function tagged(tag: string, coding: Coding): string {
  return tag.replace(/"$/, `-${coding}"`)
}

function mayCompress(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (
    typeof payload === 'string' ? payload.length < leastBytes : sizeOf(request, reply, payload) < leastBytes
  )
    return false
  const { config } = request.routeOptions
  if (config.holdsSecrets || config.contractRoute?.answer === 'proxied') return false
  if (reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false
  return compressible.test(String(reply.getHeader('content-type') ?? ''))
}

/** Size of a body in bytes; for a HEAD, that of the body of a GET. */
function sizeOf({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length
  const length = reply.getHeader('content-length')
  if (payload === undefined || payload === null) return method === 'HEAD' ? Number(length ?? 0) : 0
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}

/** The coding that the client prefers; undefined for uncompressed. */
export function codingFor(accept: string | string[] | undefined): Coding | undefined {
  if (accept === undefined) return undefined
  const weights = weightsOf(String(accept))
  const any = weights.get('*') ?? 0
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get(`x-${coding}`) ?? any
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  // A client that does not mention `identity` accepts it too, but does not prefer it to a coding
  // that it names.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

type Finish = (error: Error | null, compressed?: unknown) => void

function compress(payload: unknown, coding: Coding, finish: Finish): void {
  if (payload === undefined || payload === null) return finish(null, payload)
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    if (coding === 'br') brotliCompress(payload, brotli, finish)
    else gzip(payload, finish)
    return
  }
  const compressor = coding === 'br' ? createBrotliCompress(brotli) : createGzip()
  // An error breaks the connection, as it would without compression.
  finish(
    null,
    pipeline(payload as Readable, compressor, () => undefined),
  )
}

const compressed = new WeakMap<Buffer, Map<Coding, Promise<unknown>>>()

/** Compresses a buffer once. The result is cached for as long as the buffer exists. */
function compressOnce(payload: unknown, coding: Coding, finish: Finish): void {
  if (!Buffer.isBuffer(payload)) return compress(payload, coding, finish)
  const forms = compressed.get(payload) ?? new Map<Coding, Promise<unknown>>()
  compressed.set(payload, forms)
  const form = forms.get(coding) ?? promisify(compress)(payload, coding)
  forms.set(coding, form)
  form.then((bytes) => finish(null, bytes), finish)
}

function describe(reply: FastifyReply, coding: Coding): void {
  const tag = reply.getHeader('etag')
  void reply.header('content-encoding', coding)
  void reply.removeHeader('content-length').removeHeader('accept-ranges')
  if (typeof tag === 'string') void reply.header('etag', tagged(tag, coding))
}
