import type { CallOptions } from '@quire/contract'
import { QuireError } from '@quire/contract/client'

/** A list answer with as much as paging needs of it. */
interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string | undefined
}

/** An operation that lists: `items.list` and its like, of any Api. */
type List<I, P> = (input: I, options?: CallOptions) => Promise<P>

/**
 * The pages of a list, one request at a time, each when it is asked for. `limit` is the size of a page.
 * Works with the client, the engine in your process and the mock alike. Errors: the operation's.
 * @example
 * for await (const page of pages(quire.items.list, { configId: 'magazine' })) show(page.count, page.items)
 */
export async function* pages<I extends { cursor?: string | undefined }, P extends Page<unknown>>(
  list: List<I, P>,
  input: I,
  options?: CallOptions,
): AsyncGenerator<P, void, undefined> {
  let cursor = input.cursor
  do {
    const page = await list(cursor === undefined ? input : { ...input, cursor }, options)
    yield page
    if (page.nextCursor !== undefined && page.nextCursor === cursor) {
      throw new QuireError(
        'internal',
        'The list goes on where it was: nextCursor is the cursor that was sent.',
      )
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/**
 * The entries of a list, page after page; leave the loop to stop asking. Errors: the operation's.
 * @example
 * for await (const item of all(quire.items.list, { configId: 'magazine', filter: { status: 'draft' } })) check(item)
 */
export async function* all<I extends { cursor?: string | undefined }, T>(
  list: List<I, Page<T>>,
  input: I,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pages(list, input, options)) yield* page.items
}
