import { endpoints, proxiedMethods, type NamedEndpoint } from '@quire/contract'
import { createPathMatcher } from '@quire/contract/codec'

/** A path of the contract that an address fits, whatever the method. */
export interface KnownPath {
  /** The methods that it takes, for `Allow`. */
  readonly methods: readonly string[]
  /** Whether it may answer without a token. */
  readonly isPublic: boolean
  /** The names in the path with their values. */
  readonly params: Readonly<Record<string, string>>
}

/** The contract's path that an address without query string fits; undefined when there is none. Only failures ask for it. */
export function findKnownPath(address: string): KnownPath | undefined {
  const fitting = endpoints.flatMap(({ endpoint }) => {
    const params = createPathMatcher(endpoint)(address)
    return params ? [{ endpoint, params }] : []
  })
  const [first] = fitting
  if (!first) return undefined
  return {
    methods: [...new Set(fitting.flatMap(methodsOf))],
    isPublic: fitting.every(
      ({ endpoint: { permission } }) => permission === 'public' || permission === 'published',
    ),
    params: first.params,
  }
}

function methodsOf({ endpoint: { method, body } }: Pick<NamedEndpoint, 'endpoint'>): readonly string[] {
  if (body === 'message') return proxiedMethods
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}
