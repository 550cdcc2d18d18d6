import { endpoints, QuireError, type CallOptions, type NamedEndpoint } from '@quire/contract'
import {
  createInputDecoder,
  decodeCallOptions,
  encodeAnswer,
  parseQuery,
  type Query,
} from '@quire/contract/codec'
import { Presented, type Answer, type Quire, type Request } from '@quire/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nobody } from './authentication.ts'
import { withBasicCredentials } from './client-credentials.ts'
import { declaredAccess } from './declared-access.ts'
import { send } from './send.ts'
import { sendTokenError } from './token-errors.ts'

/** Bytes of a body (TRUST 4.2): an item may be long, nothing else is. */
const bodyLimits = { items: 5 * 1024 * 1024, others: 1024 * 1024 }

/** Makes a route of every endpoint of the contract, and a second one of those that work on packages too. */
export function addRoutes(app: FastifyInstance, quire: Quire): void {
  for (const named of endpoints) {
    const { path, packagePath } = named.endpoint
    for (const template of packagePath === undefined ? [path] : [path, packagePath]) {
      addRoute(app, quire, { named, url: template.replaceAll(/\{(\w+)\}/g, ':$1') })
    }
  }
}

interface PlacedRoute {
  readonly named: NamedEndpoint
  readonly url: string
}

function addRoute(app: FastifyInstance, quire: Quire, { named, url }: PlacedRoute): void {
  const { endpoint, group } = named
  app.route({
    method: endpoint.method,
    url,
    config: { ...declaredAccess(endpoint.permission), contractRoute: endpoint },
    bodyLimit: group === 'items' ? bodyLimits.items : bodyLimits.others,
    handler: handlerOf(quire, named),
    ...(endpoint.body === 'form' && { errorHandler: sendTokenError }),
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** Request, `run`, answer: nothing else happens here. */
function handlerOf(quire: Quire, named: NamedEndpoint): Handler {
  const { group, operation } = named as ContractEndpoint
  const inputOf = inputReader(named)
  return (request, reply) => {
    const who = request.who ?? nobody
    const origin = { address: request.ip }
    const call = { input: inputOf(request), options: optionsOf(named, request) }
    quire.run({ group, operation, who, origin, ...call }).then(
      (answer) => answerWith(named, answer, reply),
      (error: unknown) => reply.send(error),
    )
  }
}

function answerWith(named: NamedEndpoint, answer: Answer<unknown>, reply: FastifyReply): void {
  const { id, headers } = reply.request
  const context = { requestId: id, ifNoneMatch: headers['if-none-match'] }
  send(reply, encodeAnswer(named, answer instanceof Presented ? answer : { value: answer }, context))
}

/** The contract's endpoints are named by the groups of the contract. */
type ContractEndpoint = NamedEndpoint & Pick<Request, 'group'>

function inputReader({ endpoint }: NamedEndpoint): (request: FastifyRequest) => unknown {
  const decode = createInputDecoder(endpoint)
  const isForm = endpoint.body === 'form'
  return (request) => {
    const params = request.params as Record<string, unknown>
    const body = isForm ? withBasicCredentials(request.body, request.headers.authorization) : request.body
    return decode({ params, query: queryOf(request.raw.url ?? ''), body })
  }
}

const noQuery: Query = Object.freeze({})

// Not Fastify's: its parser cannot refuse a malformed query, and knows no brackets.
function queryOf(url: string): Query {
  const start = url.indexOf('?')
  if (start < 0) return noQuery
  const end = url.indexOf('#', start)
  return parseQuery(url.slice(start + 1, end < 0 ? undefined : end))
}

function optionsOf({ endpoint }: NamedEndpoint, request: FastifyRequest): CallOptions {
  if (endpoint.method === 'GET') return { requestId: request.id }
  const options = decodeCallOptions((name) => request.headers[name] as string | undefined)
  const { idempotencyKey: key, ...others } = options
  if (key === undefined || endpoint.method !== 'POST') return { ...others, requestId: request.id }
  return { ...others, idempotencyKey: requireKeyText(key), requestId: request.id }
}

function requireKeyText(key: string): string {
  if (/^[ -~]{1,255}$/.test(key)) return key
  throw new QuireError('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}
