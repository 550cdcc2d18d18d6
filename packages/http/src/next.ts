import type { FetchHandler } from './fetch/options.ts'

/** A route handler of Next.js for each method. */
export type NextJsHandlers = Readonly<
  Record<
    'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    (request: Request) => Promise<Response>
  >
>

/**
 * The exports of a route handler of Next.js in a catch-all segment. Next.js leaves the `basePath` of
 * an app out of the URL of a request, so the handler's own `basePath` is without it too.
 * @example
 * // app/cms/[...path]/route.ts
 * export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = toNextJsHandler(handler)
 */
export function toNextJsHandler(handler: FetchHandler): NextJsHandlers {
  const answer = (request: Request) => handler(request)
  return {
    GET: answer,
    HEAD: answer,
    OPTIONS: answer,
    POST: answer,
    PUT: answer,
    PATCH: answer,
    DELETE: answer,
  }
}
