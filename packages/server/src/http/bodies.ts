import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { limits, QuireError } from '@quire/contract'
import { decodeBody, type Route } from '@quire/contract/codec'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyBytes, bytesType, isStreamed } from './streams.ts'

const types = {
  json: { name: 'application/json', exact: /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i },
  /** The media type of RFC 7396 for the JSON of a PATCH. */
  patch: {
    name: 'application/merge-patch+json',
    exact: /^application\/merge-patch\+json(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
  form: {
    name: 'application/x-www-form-urlencoded',
    exact: /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
} as const

const multipart = 'multipart/form-data'

/**
 * Replaces Fastify's body parsers. A route accepts only its own media type (TRUST S05), text must
 * be UTF-8, and the codec decodes it.
 * Errors: 415 for another type, 400 for an unreadable body, 413 above the route's `bodyLimit`.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const names = Object.values(types).map(({ name }) => name)
  app.addContentTypeParser(names, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser(multipart, async (request: FastifyRequest, payload: IncomingMessage) =>
    readForm(request, payload),
  )
  app.addContentTypeParser(bytesType, async (request: FastifyRequest, payload: IncomingMessage) =>
    readBytes(request, payload),
  )
  // Bytes may have any type: the parsers for text would take some of them.
  app.addHook('onRequest', (request, _reply, proceed) => {
    const { headers } = request
    if (isStreamed(request.routeOptions.config.contractRoute)) {
      request.sentType = headers['content-type']
      headers['content-type'] = bytesType
    }
    proceed()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The original Content-Type of a body of bytes. */
    sentType: string | undefined
    /** The raw text of a signed body. */
    signedText: string | undefined
  }
}

async function readForm(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  if (!['jsonOrMultipart', 'multipart'].includes(contractRoute.body)) throw wrongType(contractRoute)
  // Loaded with the first form, so that a start does not load it.
  const { readMultipart } = await import('./multipart.ts')
  const contentType = request.headers['content-type'] ?? ''
  return readMultipart(contractRoute, { contentType, payload, slots: request.server.slots })
}

async function readBytes(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  if (!isStreamed(contractRoute)) throw wrongType(contractRoute)
  const { sentType } = request
  const { slots } = request.server
  return {
    file: { ...(sentType !== undefined && { type: sentType }), stream: () => bodyBytes(payload, slots) },
  }
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  requireType(contractRoute, request.headers['content-type'] ?? '')
  const { load } = request.server
  // Requests that arrive together are admitted together. By now the cost of the first ones is
  // known.
  const refused = load.refusal(request.caller)
  if (refused) throw refused
  load.time.meterOf(request.caller).begin()
  const isAnybody = request.principal?.kind === 'anonymous'
  if (isAnybody && bytes.length > limits.publicBodyBytes)
    throw new QuireError('too_large', 'Without a token, a body may have at most 256 KiB.')
  if (!isUtf8(bytes)) throw new QuireError('invalid', 'The body is not UTF-8 text.')
  const text = bytes.toString()
  if (contractRoute.body === 'signed') request.signedText = text
  return decodeBody(contractRoute, text)
}

function requireType(route: Route, sent: string): void {
  if (route.body === 'multipart') throw wrongType(route)
  const { exact } = route.body === 'form' ? types.form : types.json
  const isPatch = route.body === 'json' && route.method === 'PATCH' && types.patch.exact.test(sent)
  if (!isPatch && !exact.test(sent)) throw wrongType(route)
}

function wrongType({ body }: Route): QuireError {
  if (body === 'multipart')
    return new QuireError('unsupported_media_type', `Send Content-Type: ${multipart}.`)
  const { name } = body === 'form' ? types.form : types.json
  const others = body === 'jsonOrMultipart' ? ` or ${multipart}` : ''
  return new QuireError('unsupported_media_type', `Send Content-Type: ${name}${others}.`)
}
