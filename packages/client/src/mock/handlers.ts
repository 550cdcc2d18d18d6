import { endpoints, proxiedMethods, type Endpoint, type Method } from '@quire/contract'
import { createPathMatcher } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { http, type HttpHandler } from 'msw'
import { answerRequest } from './answer-request.ts'

/** What the handlers answer, and with what. */
export interface QuireHandlersOptions {
  /** The engine that does the work. */
  readonly quire: Quire
  /**
   * Where the mocked service is, as the client is told.
   *
   * @default undefined // every origin, at the root
   * @example 'http://quire.test'
   * @example '/quire' // in a browser, on the page's own origin
   */
  readonly baseUrl?: string
}

/**
 * Request handlers of msw for every endpoint of the contract: what they answer is what the server answers, status, headers and
 * body. For `setupServer` of msw/node, `setupWorker` of msw/browser, or a storybook's msw addon.
 */
export function quireHandlers({ quire, baseUrl }: QuireHandlersOptions): HttpHandler[] {
  const pathOf = pathBelow(baseUrl)
  return routedEndpoints().flatMap(({ named, template }) => {
    const matchPath = createPathMatcher({ path: template })
    const fits = ({ request }: { request: Request }) => isPath(matchPath, pathOf(new URL(request.url)))
    return methodsOf(named.endpoint).map((one) =>
      handle[one](fits, ({ request }) =>
        answerRequest(quire, { named, matchPath, path: pathOf(new URL(request.url)) ?? '', request }),
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

type MountedEndpoint = { readonly named: (typeof endpoints)[number]; readonly template: string }

/** Every path of every endpoint; where two fit one address, the one whose first different segment is not a name comes first. */
function routedEndpoints(): MountedEndpoint[] {
  const located = endpoints.flatMap((named) =>
    templatesOf(named.endpoint).map((template) => ({ named, template })),
  )
  return located.sort((one, other) => orderOf(one.template).localeCompare(orderOf(other.template), 'en'))
}

function templatesOf({ path, packagePath }: Endpoint): string[] {
  return packagePath === undefined ? [path] : [packagePath, path]
}

/** `0` for a segment as it is, `1` for a name. */
function orderOf(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('')
}

/** The path of an address below the base, null for an address that is not below it. */
function pathBelow(baseUrl: string | undefined): (url: URL) => string | null {
  if (baseUrl === undefined) return (url) => url.pathname
  const { origin, pathname } = new URL(baseUrl, globalThis.location?.href)
  const prefix = pathname.replace(/\/+$/, '')
  return (url) =>
    url.origin === origin && url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : null
}

/** An address that names a member with malformed UTF-8 is the endpoint's, which refuses it. */
function isPath(matchPath: ReturnType<typeof createPathMatcher>, path: string | null): boolean {
  try {
    return path !== null && matchPath(path) !== null
  } catch {
    return true
  }
}
