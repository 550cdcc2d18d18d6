import { endpoints, proxiedMethods, type Endpoint, type Method } from '@quire/contract'
import { createPathMatcher, endpointPaths } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { http, type HttpHandler } from 'msw'
import { answerRequest } from './answer-request.ts'

/** The options of the handlers. */
export interface QuireHandlersOptions {
  /** The engine that runs the operations. */
  readonly quire: Quire
  /**
   * Base URL of the mocked service, for the client.
   *
   * @default undefined // every origin, at the root
   * @example 'http://quire.test'
   * @example '/quire' // in a browser, on the page's own origin
   */
  readonly baseUrl?: string
}

/**
 * Request handlers of msw for every endpoint of the contract. Their responses have the same status,
 * headers and body as those of the server. For `setupServer` of msw/node, `setupWorker` of
 * msw/browser, or the msw addon of Storybook.
 */
export function quireHandlers({ quire, baseUrl }: QuireHandlersOptions): HttpHandler[] {
  const { addresses, pathOf } = addressesBelow(baseUrl)
  return endpointPaths(endpoints).flatMap(({ named, template }) => {
    const matchPath = createPathMatcher({ path: template })
    // msw 2.7 knows no functions here.
    const fits = new RegExp(`^${addresses}${patternOf(template)}$`)
    return methodsOf(named.endpoint).map((one) =>
      handle[one](fits, ({ request }) =>
        answerRequest(quire, { named, matchPath, path: pathOf(new URL(request.url)), request }),
      ),
    )
  })
}

const handle = {
  GET: http.get,
  HEAD: http.head,
  OPTIONS: http.options,
  POST: http.post,
  PUT: http.put,
  PATCH: http.patch,
  DELETE: http.delete,
} as const

function methodsOf({ method, answer, body }: Endpoint): readonly Method[] {
  if (body === 'message') return proxiedMethods
  return answer === 'bytes' && method === 'GET' ? ['GET', 'HEAD'] : [method]
}

interface Addresses {
  /** A pattern of what precedes the paths of the contract. */
  readonly addresses: string
  /** The path of a URL that has such a beginning. */
  readonly pathOf: (url: URL) => string
}

function addressesBelow(baseUrl: string | undefined): Addresses {
  if (baseUrl === undefined) return { addresses: '[^/]*//[^/]*', pathOf: (url) => url.pathname }
  const { origin, pathname } = new URL(baseUrl, globalThis.location?.href)
  const prefix = pathname.replace(/\/+$/, '')
  return { addresses: escape(origin + prefix), pathOf: (url) => url.pathname.slice(prefix.length) }
}

/**
 * The pattern of a path. It has no groups, because msw decodes what groups hold: malformed UTF-8 is
 * for the endpoint to reject.
 */
function patternOf(template: string): string {
  return template
    .split(/(\{\w+\*?\})/)
    .map((part) => {
      if (!part.startsWith('{')) return escape(part)
      return part.endsWith('*}') ? '.*' : '[^/]+'
    })
    .join('')
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
}
