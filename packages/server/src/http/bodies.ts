import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { limits, QuireError } from '@quire/contract'
import { decodeBody } from '@quire/contract/codec'
import {
  isStreamed,
  multipart,
  readForm,
  requireTextType,
  takesForms,
  textTypes,
  wrongType,
} from '@quire/http/shared'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyBytes, bytesType } from './streams.ts'

/** A body that takes a few ms to decode. */
const manyBytes = 1024 * 1024

/**
 * Replaces Fastify's body parsers. A route accepts only its own media type (TRUST S05), text must
 * be UTF-8, and the codec decodes it.
 * Errors: 415 for another type, 400 for an unreadable body, 413 above the route's `bodyLimit`.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const names = Object.values(textTypes).map(({ name }) => name)
  app.addContentTypeParser(names, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length < manyBytes) return readBody(request, body)
    // Collecting, decoding and checking a large body takes some ms each: others have a turn between.
    await setImmediate()
    const read = readBody(request, body)
    await setImmediate()
    return read
  })
  app.addContentTypeParser(multipart, async (request: FastifyRequest, payload: IncomingMessage) =>
    formOf(request, payload),
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

async function formOf(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  if (!takesForms(contractRoute)) throw wrongType(contractRoute)
  const contentType = request.headers['content-type'] ?? ''
  return readForm(contractRoute, { contentType, payload, slots: request.server.slots })
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
  requireTextType(contractRoute, request.headers['content-type'] ?? '')
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
