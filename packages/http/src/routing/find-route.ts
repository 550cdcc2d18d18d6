import { endpoints, proxiedMethods, type Endpoint, type NamedEndpoint } from '@quire/contract'
import { createPathMatcher, endpointPaths, type PathMatcher } from '@quire/contract/codec'
import type { Quire } from '@quire/core'

/** An endpoint whose group is one of the contract's. */
export type ContractEndpoint = NamedEndpoint & Pick<Parameters<Quire['run']>[0], 'group'>

/** An endpoint at one of its paths. */
export interface Route {
  readonly named: ContractEndpoint
  /** The path, with names in braces. */
  readonly template: string
  /** The name of the rest of the path, if it has one. */
  readonly rest: string | undefined
  readonly matchPath: PathMatcher
}

/** What a method and a path lead to. */
export interface Match {
  readonly route: Route
  /** The values of the names in the path. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * The endpoint for a method and a percent-encoded path without query string; undefined when there
 * is none. Where several paths fit, the one whose first different segment is fixed wins. Errors:
 * `invalid` for a name that is not well-formed UTF-8.
 */
export function findRoute(method: string, path: string): Match | undefined {
  for (const route of candidatesFor(path)) {
    if (!acceptsMethod(route.named.endpoint, method)) continue
    const params = route.matchPath(path)
    if (params) return { route, params }
  }
  return undefined
}

/**
 * Whether a path without its last slash is the address of a folder: links in it are relative, so
 * it is redirected to the address with the slash.
 */
export function isFolder(path: string): boolean {
  return candidatesFor(path).some(
    ({ named: { endpoint }, template, matchPath }) =>
      template.endsWith('*}') && endpoint.body !== 'message' && matchPath(`${path}/`) !== null,
  )
}

// The routes by their first two segments, so that only a few patterns are tried for a path.
const routesByStart = Map.groupBy(allRoutes(), ({ template }) => startOf(template))

function candidatesFor(path: string): readonly Route[] {
  return routesByStart.get(startOf(path)) ?? routesByStart.get(firstOf(path)) ?? []
}

/** The first two segments, or the first if the second is a name. */
function startOf(path: string): string {
  const [, first = '', second = ''] = path.split('/', 3)
  return second === '' || second.startsWith('{') ? `/${first}` : `/${first}/${second}`
}

function firstOf(path: string): string {
  return `/${path.split('/', 2)[1] ?? ''}`
}

function allRoutes(): Route[] {
  return endpointPaths(endpoints).map(({ named, template }) => ({
    named: named as ContractEndpoint,
    template,
    rest: restOf(named.endpoint),
    matchPath: createPathMatcher({ path: template }),
  }))
}

/** The name of the rest of an endpoint's path, if its path has one. */
export function restOf({ path }: Pick<Endpoint, 'path'>): string | undefined {
  return /\{(\w+)\*\}$/.exec(path)?.[1]
}

/** HEAD is answered as GET, except for a one-time link, which it would use up. */
function acceptsMethod(endpoint: Endpoint, method: string): boolean {
  if (endpoint.body === 'message') return (proxiedMethods as readonly string[]).includes(method)
  if (endpoint.method === method) return true
  return method === 'HEAD' && endpoint.method === 'GET' && endpoint.answer !== 'redirect'
}
