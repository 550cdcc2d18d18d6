import { endpoints, proxiedMethods, type NamedEndpoint } from '@quire/contract'
import { createPathMatcher, isForEveryOrigin } from '@quire/contract/codec'

/** A path of the contract that matches an address, whatever the method. */
export interface KnownPath {
  /** The methods that it accepts, for `Allow`. */
  readonly methods: readonly string[]
  /** Whether it can be called without a token. */
  readonly isPublic: boolean
  /** Whether pages of every origin may read its responses. */
  readonly everyOrigin: boolean
  /** The parameters in the path with their values. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * The path of the contract that matches an address without a query string; undefined when there is
 * none. Only needed for failed requests and
 * preflights.
 */
export function findKnownPath(address: string): KnownPath | undefined {
  const fitting = endpoints.flatMap(({ group, endpoint }) => {
    const params = createPathMatcher(endpoint)(address)
    return params ? [{ group, endpoint, params }] : []
  })
  const [first] = fitting
  if (!first) return undefined
  return {
    methods: [...new Set(fitting.flatMap(methodsOf))],
    isPublic: fitting.every(
      ({ endpoint: { permission } }) => permission === 'public' || permission === 'published',
    ),
    everyOrigin: fitting.every(isForEveryOrigin),
    params: first.params,
  }
}

function methodsOf({ endpoint: { method, body } }: Pick<NamedEndpoint, 'endpoint'>): readonly string[] {
  if (body === 'message') return proxiedMethods
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}
