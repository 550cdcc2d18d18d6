import type { CallOptions } from '@quire/contract/api'
import { QuireError } from '@quire/contract/client'

/** The part of a list response that paging needs. */
interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string | undefined
}

/** A list operation of any Api, such as `items.list`. */
type List<I, P> = (input: I, options?: CallOptions) => Promise<P>

type AnyList = List<never, Page<unknown>>

/** The content type and the locale in the input of a list, inferred as literals. */
export interface Chosen {
  readonly type?: string | undefined
  readonly locale?: string | undefined
}

/**
 * The entries `E` of a list. In a typed Api with a `type` in the input, only those that can be of
 * that content type.
 */
export type EntryOf<E, I> = I extends { readonly type: infer S extends string } ? OfType<E, S> : E

type EntryIn<L extends AnyList, I> = ResultOf<L, I> extends Page<infer E> ? E : never

/**
 * What an operation returns. Of a read in a typed Api, the first of three declarations is for all
 * locales; otherwise TypeScript takes the last.
 */
export type ResultOf<F, I> =
  F extends Declared<infer R, infer S>
    ? I extends { readonly locale: '*' }
      ? unknown extends R
        ? S
        : R
      : S
    : never

interface Declared<R, S> {
  (input: never, options?: CallOptions): Promise<R>
  (input: never, options?: CallOptions): Promise<unknown>
  (input: never, options?: CallOptions): Promise<S>
}

type OfType<E, S> = E extends { type?: infer T } ? (S extends T ? E : never) : E

type PageOf<L extends AnyList, I> = {
  [M in keyof Awaited<ReturnType<L>>]: M extends 'items'
    ? EntryOf<EntryIn<L, I>, I>[]
    : Awaited<ReturnType<L>>[M]
}

/**
 * The pages of a list. Each page is requested only when the loop asks for it. `limit` is the size
 * of a page. Works with the client, the engine in your process and the mock. Errors: those of the
 * operation.
 * @example
 * for await (const page of pages(quire.items.list, { configId: 'magazine' })) show(page.count, page.items)
 */
export function pages<L extends AnyList, const I extends Chosen>(
  list: L,
  input: Parameters<L>[0] & I,
  options?: CallOptions,
): AsyncGenerator<PageOf<L, I>, void, undefined>
export function pages<I extends Location, P extends Page<unknown>>(
  list: List<I, P>,
  input: I,
  options?: CallOptions,
): AsyncGenerator<P, void, undefined> {
  return pagesOf(list, input, options)
}

/**
 * The entries of a list, page by page. Leave the loop to stop requesting. Errors: those of the
 * operation.
 * @example
 * for await (const item of all(quire.items.list, { configId: 'magazine', filter: { status: 'draft' } })) check(item)
 */
export function all<L extends AnyList, const I extends Chosen>(
  list: L,
  input: Parameters<L>[0] & I,
  options?: CallOptions,
): AsyncGenerator<EntryOf<EntryIn<L, I>, I>, void, undefined>
export async function* all<I extends Location, T>(
  list: List<I, Page<T>>,
  input: I,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pagesOf(list, input, options)) yield* page.items
}

/** The cursor in the input of a list. */
interface Location {
  readonly cursor?: string | undefined
}

async function* pagesOf<I extends Location, P extends Page<unknown>>(
  list: List<I, P>,
  input: I,
  options: CallOptions | undefined,
): AsyncGenerator<P, void, undefined> {
  let cursor = input.cursor
  do {
    const page = await list(cursor === undefined ? input : { ...input, cursor }, options)
    yield page
    if (page.nextCursor !== undefined && page.nextCursor === cursor) {
      throw new QuireError('internal', 'nextCursor is the same as the cursor that was sent.')
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
