import type { Endpoint, NamedEndpoint } from '@quire/contract'
import {
  bringsBytes,
  createInputDecoder,
  createQueryParser,
  decodeProxiedRequest,
  decodeTusRequest,
  type Query,
} from '@quire/contract/codec'
import type { FastifyRequest } from 'fastify'
import { restOf, withBasicCredentials } from '@quire/http/shared'
import { bringsBody } from './streams.ts'

/** Creates the function that reads the input of an endpoint from path, query, body and headers. */
export function inputReader({ endpoint }: NamedEndpoint): (request: FastifyRequest) => unknown {
  const decode = createInputDecoder(endpoint)
  const parseQuery = createQueryParser(endpoint)
  const rest = restOf(endpoint)
  if (endpoint.body === 'tus') return (request) => tusInput(endpoint, request)
  if (endpoint.body === 'message') return messageInput
  const isForm = endpoint.body === 'form'
  return (request) => {
    const given = request.params as Record<string, unknown>
    const params = rest === undefined ? given : { ...given, [rest]: given['*'] }
    const body = isForm ? withBasicCredentials(request.body, request.headers.authorization) : request.body
    const lastEventId = request.headers['last-event-id']?.toString()
    const header = (name: string) => request.headers[name]?.toString()
    return decode({ params, query: queryOf(request.raw.url ?? '', parseQuery), body, lastEventId, header })
  }
}

/** The input of an upload: path, headers, and bytes if the request has any. */
function tusInput(endpoint: Endpoint, { params, headers, sentType, body }: FastifyRequest): unknown {
  const header = (name: string) => (name === 'content-type' ? sentType : headers[name]?.toString())
  const bytes = bringsBytes(endpoint, header) ? (body as object) : {}
  return { ...(params as object), ...decodeTusRequest(endpoint, header), ...bytes }
}

/** The input of a proxied message, unchanged. */
function messageInput({ params, raw, method, headers, sentType, body }: FastifyRequest): unknown {
  const { '*': path, ...names } = params as Record<string, unknown>
  const { file } = (body ?? {}) as { readonly file?: unknown }
  return decodeProxiedRequest({
    params: { ...names, path },
    method,
    query: searchOf(raw.url ?? '').slice(1),
    header: (name) => (name === 'content-type' ? sentType : headers[name]?.toString()),
    body: bringsBody(headers) ? file : undefined,
  })
}

/** The query string with its question mark, unchanged; empty when there is none. */
export function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start)
}

const noQuery: Query = Object.freeze({})

// Not Fastify's parser: it cannot reject a malformed query and does not support brackets.
function queryOf(url: string, parse: (text: string) => Query): Query {
  const start = url.indexOf('?')
  if (start < 0) return noQuery
  const end = url.indexOf('#', start)
  return parse(url.slice(start + 1, end < 0 ? undefined : end))
}
