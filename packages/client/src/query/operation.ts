import type { Api, CallOptions } from '@quire/contract/api'
import type { routes } from '@quire/contract/routes'
import type { EntryOf, ResultOf } from '../pages.ts'

/** Any typed API: a client, the engine in your process or the mock, with or without content types. */
export type AnyApi = { readonly [G in keyof Api]: object }

type Routes = typeof routes

/** `group.operation` of the operations whose route extends `R`. */
type NameOf<R> = {
  [G in keyof Routes]: {
    [O in keyof Routes[G]]: Routes[G][O] extends R ? `${G}.${O & string}` : never
  }[keyof Routes[G]]
}[keyof Routes]

/** Operations that are sent as POST, but only read. */
type PostedRead = 'queries.run' | 'graphql.execute' | 'items.validate' | 'items.preview'

/** The name of an operation that reads JSON: `items.list`. */
export type ReadName = PostedRead | NameOf<{ readonly method: 'GET'; readonly answer?: never }>

/** The name of an operation that changes something: `items.update`. */
export type WriteName = Exclude<NameOf<{ readonly answer?: never }>, ReadName>

/** The operation of an API with this name. */
export type OperationAt<A, N extends string> = N extends `${infer G extends keyof A & string}.${infer O}`
  ? O extends keyof A[G]
    ? Extract<A[G][O], (input: never, options?: CallOptions) => Promise<unknown>>
    : never
  : never

/** The result of an operation. With a `type` in the input, the entries of a list are of that type. */
export type AnswerOf<A, N extends string, I> =
  ResultOf<OperationAt<A, N>, I> extends infer R
    ? R extends { readonly items: readonly unknown[] }
      ? { [M in keyof R]: M extends 'items' ? EntryOf<R['items'][number], I>[] : R[M] }
      : R
    : never
