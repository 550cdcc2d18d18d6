import { isUtf8 } from 'node:buffer'
import { QuireError } from '@quire/contract'
import { decodeBody, multipartData, type Route } from '@quire/contract/codec'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const types = {
  json: { name: 'application/json', exact: /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i },
  form: {
    name: 'application/x-www-form-urlencoded',
    exact: /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
} as const

const multipart = 'multipart/form-data'

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
  app.addContentTypeParser(multipart, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    readMultipart(request, new Uint8Array(body)),
  )
}

async function readMultipart(request: FastifyRequest, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  if (contractRoute.body !== 'jsonOrMultipart') throw wrongType(contractRoute)
  return decodeBody(contractRoute, await multipartData(request.headers['content-type'] ?? '', bytes))
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const { contractRoute } = request.routeOptions.config
  if (!contractRoute) return undefined
  requireType(contractRoute, request.headers['content-type'] ?? '')
  if (!isUtf8(bytes)) throw new QuireError('invalid', 'The body is not UTF-8 text.')
  return decodeBody(contractRoute, bytes.toString())
}

function requireType(route: Route, sent: string): void {
  const { exact } = route.body === 'form' ? types.form : types.json
  if (!exact.test(sent)) throw wrongType(route)
}

function wrongType({ body }: Route): QuireError {
  const { name } = body === 'form' ? types.form : types.json
  const others = body === 'jsonOrMultipart' ? ` or ${multipart}` : ''
  return new QuireError('unsupported_media_type', `Send Content-Type: ${name}${others}.`)
}
