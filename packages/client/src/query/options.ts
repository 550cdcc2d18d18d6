import type { Api, CallOptions } from '@quire/contract/api'
import type { Chosen } from '../pages.ts'
import type { AnswerOf, AnyApi, OperationAt, ReadName, WriteName } from './operation.ts'

/** The options of a query. The key is `['quire', group, operation, input]`. */
export interface QueryOptions<T> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
  /** The client itself retries, where that is safe. */
  readonly retry: false
}

/** The options of a query that reads a list page by page. */
export interface InfiniteQueryOptions<P> extends Pick<QueryOptions<P>, 'queryKey' | 'retry'> {
  readonly queryFn: (context: { signal: AbortSignal; pageParam: string | undefined }) => Promise<P>
  readonly initialPageParam: string | undefined
  readonly getNextPageParam: (page: P) => string | undefined
}

/** The options of a mutation. The key is `['quire', group, operation]`. */
export interface MutationOptions<T, I> {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (input: I) => Promise<T>
}

type InputOf<A, N extends string> = Parameters<OperationAt<A, N>>[0]

/**
 * The beginning of the keys of a group or of an operation, with a part of the input: `{ configId:
 * 'magazine' }` is in every query of the magazine. To read, set or invalidate queries.
 * @example
 * queryClient.invalidateQueries({ queryKey: queryKey('items.list', { configId: 'magazine' }) })
 */
export function queryKey(
  name?: keyof Api | `${keyof Api}.${string}`,
  ...input: readonly object[]
): readonly unknown[] {
  return ['quire', ...(name?.split('.') ?? []), ...input]
}

/**
 * The options of a query that calls an operation. Errors (of the query): those of the operation.
 * @example
 * useQuery(queryOptions(quire, 'items.getBySlug', { configId: 'magazine', slug: 'ink-that-remembers' }))
 */
export function queryOptions<A extends AnyApi, N extends ReadName, const I extends Chosen>(
  quire: A,
  name: N,
  input: InputOf<A, N> & I,
): QueryOptions<AnswerOf<A, N, I>> {
  const call = operationAt<AnswerOf<A, N, I>>(quire, name)
  return { queryKey: queryKey(name, input), queryFn: ({ signal }) => call(input, { signal }), retry: false }
}

/**
 * The options of a query that reads a list page by page; `limit` is the size of a page. Errors (of
 * the query): those of the operation.
 * @example
 * useInfiniteQuery(infiniteQueryOptions(quire, 'items.list', { configId: 'magazine', limit: 20 }))
 */
export function infiniteQueryOptions<A extends AnyApi, N extends ReadName, const I extends Chosen>(
  quire: A,
  name: N,
  input: InputOf<A, N> & I & ('cursor' extends keyof InputOf<A, N> ? unknown : never),
): InfiniteQueryOptions<AnswerOf<A, N, I>> {
  const call = operationAt<AnswerOf<A, N, I>>(quire, name)
  return {
    // `pages`, because the data differ from those of a query of one page.
    queryKey: [...queryKey(name, input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(pageParam === undefined ? input : { ...Object(input), cursor: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => Object(page).nextCursor,
    retry: false,
  }
}

/**
 * The options of a mutation that calls an operation with its variables. `options` returns those of
 * each call, such as a new `idempotencyKey`. Errors (of the mutation): those of the operation;
 * `version_conflict` if others changed the same members since `baseVersion`.
 * @example
 * const { mutate } = useMutation(mutationOptions(quire, 'items.update'))
 * mutate({ configId: 'magazine', id, name: 'Ink that stays', baseVersion: 3 })
 */
export function mutationOptions<A extends AnyApi, N extends WriteName>(
  quire: A,
  name: N,
  options?: (input: InputOf<A, N>) => CallOptions,
): MutationOptions<AnswerOf<A, N, unknown>, InputOf<A, N>> {
  const call = operationAt<AnswerOf<A, N, unknown>>(quire, name)
  return { mutationKey: queryKey(name), mutationFn: (input) => call(input, options?.(input)) }
}

/** The types of its callers say what the operation of this name accepts and returns. */
function operationAt<T>(
  quire: AnyApi,
  name: ReadName | WriteName,
): (input: unknown, options?: CallOptions) => Promise<T> {
  const [group = '', operation = ''] = name.split('.')
  return Object(quire)[group][operation]
}
