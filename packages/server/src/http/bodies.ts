import { isUtf8 } from 'node:buffer'
import { QuireError } from '@quire/contract'
import { decodeBody, type Route } from '@quire/contract/codec'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const types = {
  json: { name: 'application/json', exact: /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i },
  form: {
    name: 'application/x-www-form-urlencoded',
    exact: /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
} as const

/**
 * Takes over how bodies are read: a route takes exactly its own media type (TRUST S05), text must be UTF-8, and what it says is
 * the codec's to decide. Errors: 415 for another type, 400 for what cannot be read, 413 by the route's `bodyLimit`.
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
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  requireType(contractRoute, request.headers['content-type'] ?? '')
  if (!isUtf8(bytes)) throw new QuireError('invalid', 'The body is not UTF-8 text.')
  return decodeBody(contractRoute, bytes.toString())
}

function requireType({ body }: Route, sent: string): void {
  const { name, exact } = types[body]
  if (!exact.test(sent)) throw new QuireError('unsupported_media_type', `Send Content-Type: ${name}.`)
}
