/**
 * Identifies a call that must take effect only once: the name under which its answer is stored, and
 * the digest of its request.
 */
export interface IdempotencyKey {
  readonly name: string
  readonly request: string
}
