import type { Bytes } from '../ports/blobs.ts'

/**
 * Turns a failing source into one that ends normally, so that the bytes received before the failure
 * are stored. The caller checks `failure` afterwards.
 */
export function endingWell(bytes: Bytes): {
  readonly bytes: Bytes
  /** The error of the source; null if it has not failed. */
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
