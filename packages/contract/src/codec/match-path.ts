import { pathName } from '../endpoint.ts'
import { invalidMember } from './invalid.ts'
import type { Route } from './route.ts'

/** The values of a path's names, percent-decoded; null if the path does not match. */
export type PathMatcher = (path: string) => Readonly<Record<string, string>> | null

/**
 * Matches a percent-encoded path without query string against the paths of a route, for transports
 * that have no router of their own. Errors (of the matcher): QuireError `invalid` that names a
 * member that is not well-formed UTF-8.
 */
export function createPathMatcher({ path, packagePath }: Pick<Route, 'path' | 'packagePath'>): PathMatcher {
  const patterns = [packagePath, path].flatMap((template) =>
    template === undefined ? [] : [patternOf(template)],
  )
  return (candidate) => {
    const match = patterns.map((pattern) => pattern.exec(candidate)).find((found) => found !== null)
    return match ? decodeNames(match.groups ?? {}) : null
  }
}

function patternOf(template: string): RegExp {
  const parts = template.split(pathName)
  // `split` returns text, name and `*` alternately.
  const patterns = parts.map((part, at) => {
    if (at % 3 === 0) return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    if (at % 3 === 2) return ''
    return parts[at + 1] === '*' ? `(?<${part}>.*)` : `(?<${part}>[^/]+)`
  })
  return new RegExp(`^${patterns.join('')}$`)
}

function decodeNames(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([name, text]) => [name, decodeName(name, text)]))
}

function decodeName(name: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidMember(name, 'is not well-formed: `%` begins two hexadecimal digits of UTF-8 text')
  }
}

/** An endpoint at one of its paths, with names in braces. */
export interface EndpointPath<N> {
  readonly named: N
  readonly template: string
}

/**
 * Every path of every endpoint, for transports that have no router of their own. If two match the
 * same URL, the one whose first different segment is fixed comes first.
 */
export function endpointPaths<N extends { readonly endpoint: Pick<Route, 'path' | 'packagePath'> }>(
  endpoints: readonly N[],
): EndpointPath<N>[] {
  const paths = endpoints.flatMap((named) => {
    const { path, packagePath } = named.endpoint
    const templates = packagePath === undefined ? [path] : [packagePath, path]
    return templates.map((template) => ({ named, template }))
  })
  return paths.sort((one, other) => orderOf(one.template).localeCompare(orderOf(other.template), 'en'))
}

/** A sort key of a path: `0` for each fixed segment, `1` for each name. */
function orderOf(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('')
}
