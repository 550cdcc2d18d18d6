import { createMcpHandler as createProtocolHandler } from '@modelcontextprotocol/server'
import { limits, QuireError } from '@quire/contract'
import { createCors, encodeError, hasFewValues } from '@quire/contract/codec'
import type { Origin, Principal, Quire } from '@quire/core'
import { instructionsFor } from './instructions.ts'
import type { Program } from './program.ts'
import { createMcpServer } from './server.ts'

/** The path below the address of the service. */
export const mcpPath = '/api/mcp'

/** Options of `createMcpHandler`. */
export interface McpHandlerOptions {
  /** The version of the service, for its clients. */
  readonly version: string
  /** Origins whose pages may connect, as those of the API. Default: only the service's own. */
  readonly trustedOrigins?: readonly string[]
  /** Where clients find out who issues tokens: the address of the metadata (RFC 9728). */
  readonly resourceMetadata?: string
}

/** What a host knows of a request. */
export interface McpRequestContext {
  /** The caller, if the host has authenticated the bearer token of the request. */
  readonly principal?: Principal
  /** Where the request came from, for limits and the journal. */
  readonly origin?: Origin
}

/** Answers requests of the Model Context Protocol over HTTP. Never rejects. */
export type McpHandler = (request: Request, context?: McpRequestContext) => Promise<Response>

/**
 * The Model Context Protocol over stateless Streamable HTTP, in its revision 2026-07-28 and the one
 * before. A caller is identified by a bearer token, never by a cookie.
 * @example
 * const mcp = createMcpHandler(quire, { version: '1.0.0' })
 * app.post('/api/mcp', (context) => mcp(context.req.raw)) // Hono
 */
export function createMcpHandler(quire: Quire, options: McpHandlerOptions): McpHandler {
  const cors = createCors({ origins: options.trustedOrigins ?? [] })
  const ownOrigin = new URL(quire.baseUrl).origin

  async function answer(request: Request, { principal, origin }: McpRequestContext): Promise<Response> {
    requireTrusted(request.headers.get('origin'))
    const caller = principal ?? (await quire.authenticate(bearerOf(request)))
    const parsedBody = await bodyOf(request)
    const api = quire.as(caller, { ...origin, isAgent: true })
    const program = programOfHeader(request.headers.get('user-agent'))
    const instructions = begins(parsedBody)
      ? await instructionsFor(api, { signal: request.signal })
      : undefined
    const { fetch: serve } = createProtocolHandler(
      () => createMcpServer({ api, baseUrl: quire.baseUrl, version: options.version, program, instructions }),
      { maxSubscriptions: 0, maxRequestBodySize: limits.itemBodyBytes },
    )
    return serve(request, { parsedBody })
  }

  /** Errors: `forbidden` for a page of another origin (DNS rebinding). */
  function requireTrusted(origin: string | null): void {
    if (origin === null || origin === ownOrigin) return
    if (Object.keys(cors.headers({ origin, isForAll: false })).length > 0) return
    throw new QuireError('forbidden', `Pages of ${origin} may not connect: name it as a trusted origin.`)
  }

  return async (request, context = {}) => {
    try {
      return await answer(request, context)
    } catch (error) {
      return refusal(error, options.resourceMetadata)
    }
  }
}

/** Errors: `unauthorized` without a bearer token. */
function bearerOf({ headers }: Request): string {
  const token = /^bearer +(?<token>\S+)$/i.exec(headers.get('authorization') ?? '')?.groups?.['token']
  if (token === undefined) throw new QuireError('unauthorized', 'Send an access token as a bearer token.')
  return token
}

/** Errors: `method_not_allowed`, `too_large`, `invalid`. */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST') throw new QuireError('method_not_allowed')
  const text = await request.text()
  if (text.length > limits.itemBodyBytes) throw new QuireError('too_large')
  if (!hasFewValues(text))
    throw new QuireError('invalid', `A message can have at most ${limits.jsonValues} values.`)
  const body = jsonOf(text)
  // One message is one request: no revision here has batches, which would go round the rate limit.
  if (Array.isArray(body)) throw new QuireError('invalid', 'Send one message, not a batch.')
  return body
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new QuireError('invalid', 'The body is not JSON.')
  }
}

const beginnings: ReadonlySet<unknown> = new Set(['initialize', 'server/discover'])

function begins(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && beginnings.has(body.method)
}

/** Clients of the older revision name themselves only when they begin. */
function programOfHeader(userAgent: string | null): Program | undefined {
  const [name = '', version = 'unknown'] = (userAgent ?? '').split(' ', 1).join('').split('/')
  return name === '' ? undefined : { name, version }
}

function refusal(error: unknown, resourceMetadata: string | undefined): Response {
  const known = error instanceof QuireError ? error : new QuireError('internal', undefined, { cause: error })
  const { status, headers, body } = encodeError(known, known.requestId ?? '')
  const challenge =
    resourceMetadata === undefined ? 'Bearer' : `Bearer resource_metadata="${resourceMetadata}"`
  return new Response(body, {
    status,
    headers: {
      ...headers,
      ...(status === 401 && { 'www-authenticate': challenge }),
      ...(status === 405 && { allow: 'POST' }),
    },
  })
}
