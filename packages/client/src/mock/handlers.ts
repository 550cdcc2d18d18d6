import { endpoints } from '@quire/contract'
import { endpointPaths } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { createUnlimitedHandler, type HandlerOptions } from '@quire/http/web'
import { http, type HttpHandler } from 'msw'

/** The options of the handlers. The others are those of `createFetchHandler`. */
export interface QuireHandlersOptions extends Omit<HandlerOptions, 'basePath'> {
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
 * Request handlers of msw for every path of the contract. The handler of `@quire/http` answers, as
 * in every other host, but without rates and limits of load. A request to another path goes on to
 * the next handler of msw. For `setupServer` of msw/node, `setupWorker` of msw/browser, or the msw
 * addon of Storybook.
 */
export function quireHandlers({ quire, baseUrl, ...options }: QuireHandlersOptions): HttpHandler[] {
  const { base, pathStart } = locationOf(baseUrl)
  // The engine may have another address than the mocked service, so the path below that is passed on.
  const handler = createUnlimitedHandler(quire, { ...options, basePath: '' })
  const answer = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const { response } = await handler.handle(request, { url: pathname.slice(pathStart) + search })
    return response
  }
  return [http.all(addressesBelow(base), ({ request }) => answer(request))]
}

interface Location {
  /** A pattern of what precedes the paths of the contract. */
  readonly base: string
  /** Where they begin in the path of a URL. */
  readonly pathStart: number
}

function locationOf(baseUrl: string | undefined): Location {
  if (baseUrl === undefined) return { base: '[^/]*//[^/]*', pathStart: 0 }
  const { origin, pathname } = new URL(baseUrl, globalThis.location?.href)
  const prefix = pathname.replace(/\/+$/, '')
  return { base: escape(origin + prefix), pathStart: prefix.length }
}

/**
 * The pattern of the addresses of all endpoints, so that msw reports other requests as unhandled.
 * msw 2.7 knows no functions here. It has no groups, because msw decodes what groups hold: malformed
 * UTF-8 is for the handler to reject.
 */
function addressesBelow(base: string): RegExp {
  const paths = new Set(endpointPaths(endpoints).map(({ template }) => patternOf(template)))
  return new RegExp(`^${base}(?:${[...paths].join('|')})$`)
}

/** Names may be empty, and the rest of a path may be absent: the handler knows what to answer. */
function patternOf(template: string): string {
  return template
    .split(/(\/\{\w+\*\}|\{\w+\})/)
    .map((part) => {
      if (part.endsWith('*}')) return '(?:/.*)?'
      return part.startsWith('{') ? '[^/]*' : escape(part)
    })
    .join('')
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
}
