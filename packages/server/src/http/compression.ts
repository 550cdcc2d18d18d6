import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { weightsOf } from './weights.ts'

type Coding = 'br' | 'gzip'

// A packet holds that much: a smaller answer arrives no sooner for being smaller.
const leastBytes = 1024

// 1.2 MB of JSON took 9 to 14 ms at 3 to 6 and 28 ms at 9, and came to 84 KB at 4, 78 KB at 9. Its own default is 11.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript)\b|application\/(?:graphql|rtf)|image\/svg\+xml)/

/**
 * Compresses what is text and no secret, for whoever takes it (RFC 9110 §8.4, §12.5.3), on the threads of zlib. Each form has an entity tag of its
 * own: that of the bytes as they are, with the coding at its end. A condition that names it means those bytes.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.decorateRequest('heldTags', undefined)
  app.addHook('onRequest', (request, _reply, proceed) => {
    const { headers } = request
    // Another service makes tags of its own: Apache's end alike, where it compressed.
    if (request.routeOptions.config.contractRoute?.answer === 'passed') return proceed()
    const held = headers['if-none-match']
    if (held !== undefined) {
      request.heldTags = held
      headers['if-none-match'] = withoutCoding(held)
    }
    if (headers['if-match'] !== undefined) headers['if-match'] = withoutCoding(headers['if-match'])
    proceed()
  })
  // Fastify's own form: a promise in the way of every answer costs a turn of the queue.
  // oxlint-disable-next-line max-params
  app.addHook('onSend', (request, reply, payload, proceed) => {
    if (reply.statusCode === 304) nameHeldTag(request, reply)
    if (!mayCompress(request, reply, payload)) return proceed()
    addVary(reply)
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
    /** `If-None-Match` as it came. */
    heldTags: string | undefined
  }
  interface FastifyContextConfig {
    /** Whether its answers hold secrets: their length would tell of them beside what a stranger can add (BREACH). */
    holdsSecrets?: boolean
    /** Whether its body is the same buffer each time, so that it is compressed once. */
    isFixed?: boolean
  }
}

/** Groups of the contract that answer keys, secrets, tokens or sessions. */
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

/** A 304 names the tag that a 200 would have: of the form that is held. */
function nameHeldTag({ heldTags }: FastifyRequest, reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  if (typeof tag !== 'string' || heldTags === undefined) return
  const held = (['br', 'gzip'] as const)
    .map((coding) => tagged(tag, coding))
    .find((one) => heldTags.includes(one))
  if (held === undefined) return
  void reply.header('etag', held)
  addVary(reply)
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
  if (config.holdsSecrets || config.contractRoute?.answer === 'passed') return false
  if (reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false
  return compressible.test(String(reply.getHeader('content-type') ?? ''))
}

/** Bytes of a body; of a HEAD those that a GET would bring. */
function sizeOf({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length
  const length = reply.getHeader('content-length')
  if (payload === undefined || payload === null) return method === 'HEAD' ? Number(length ?? 0) : 0
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  void reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
}

/** The coding that who asks likes best; undefined: the bytes as they are. */
export function codingFor(accept: string | string[] | undefined): Coding | undefined {
  if (accept === undefined) return undefined
  const weights = weightsOf(String(accept))
  const any = weights.get('*') ?? 0
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get(`x-${coding}`) ?? any
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  // Who says nothing of them takes the bytes as they are too, and likes a coding that is named no less.
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
  // What fails breaks the connection, as it would have uncompressed.
  finish(
    null,
    pipeline(payload as Readable, compressor, () => undefined),
  )
}

const compressed = new WeakMap<Buffer, Map<Coding, Promise<unknown>>>()

/** What was compressed before is kept for as long as the buffer is. */
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
