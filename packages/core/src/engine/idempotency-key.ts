/** A call that is to have its effect once: under which name its answer is kept, and what it was asked. */
export interface IdempotencyKey {
  readonly name: string
  readonly request: string
}
