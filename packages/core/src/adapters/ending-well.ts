import type { Bytes } from '../ports/blobs.ts'

/** A source that fails ends as if it were done, so that what came is kept as at any other end. */
export function endingWell(bytes: Bytes): {
  readonly bytes: Bytes
  /** What it failed with; null while it has not. */
  readonly failure: () => { readonly error: unknown } | null
} {
  let failure: { readonly error: unknown } | null = null
  async function* ending(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      failure = { error }
    }
  }
  return { bytes: ending(), failure: () => failure }
}
