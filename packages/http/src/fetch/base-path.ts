import { QuireError } from '@quire/contract'
import { encodeError } from '@quire/contract/codec'
import { commonHeaders } from '../responses/headers.ts'
import type { Address } from '../routing/locate.ts'
import { requestIdOf } from '../routing/request-id.ts'
import type { IncomingRequest, OutgoingResponse } from './transport.ts'

/** Where a handler is mounted. */
export interface Base {
  /** Without a slash at its end; empty for the root. */
  readonly path: string
  /** The path below the base and the query string; null for a URL outside of it. */
  addressOf(url: string): Address | null
  /** The response to a request outside the base: it says how to set the base. */
  refusal(incoming: IncomingRequest): OutgoingResponse
}

/**
 * The base of a handler, from the path where it is mounted. A proxy may remove the first part of
 * the public path. Errors: the public address of the engine does not end with the base.
 */
export function createBase(baseUrl: string, basePath?: string): Base {
  const publicPath = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const path = basePath === undefined ? publicPath : `/${basePath}`.replace(/^\/+/, '/').replace(/\/+$/, '')
  if (!publicPath.endsWith(path))
    throw new Error(
      `The handler is mounted at ${path}, but the engine's baseUrl is ${baseUrl}: links would lead elsewhere. ` +
        `Set baseUrl to ${new URL(baseUrl).origin}${path}, or basePath to ${publicPath || '/'}.`,
    )
  return {
    path,
    addressOf(url) {
      const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
      const end = url.indexOf('#', start)
      const whole = start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
      const query = whole.indexOf('?')
      const pathname = query < 0 ? whole : whole.slice(0, query)
      if (!pathname.startsWith(`${path}/`)) return null
      return { path: pathname.slice(path.length), search: query < 0 ? '' : whole.slice(query) }
    },
    refusal({ url, header }) {
      const passed = new URL(url, baseUrl).pathname
      const message = `This is outside of ${path || '/'}, where Quire is mounted. Its host passes ${passed} on: set basePath to the path where the handler is mounted.`
      const requestId = requestIdOf(header('x-request-id'))
      const { status, headers: own, body } = encodeError(new QuireError('not_found', message), requestId)
      return { status, headers: { ...commonHeaders, ...own }, body: body ?? null }
    },
  }
}
