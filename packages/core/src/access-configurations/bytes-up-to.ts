import type { BytesIn } from '@quire/contract'

/** The bytes of a body up to so many: `refuse` makes what is thrown in place of the piece that goes beyond. */
export async function* bytesUpTo(
  body: BytesIn,
  most: number,
  refuse: () => Error,
): AsyncGenerator<Uint8Array> {
  let length = 0
  // Node and every browser that streams uploads iterate streams.
  for await (const piece of body.stream() as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > most) throw refuse()
    yield piece
  }
}
