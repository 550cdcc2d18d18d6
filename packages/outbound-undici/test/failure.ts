import { OutboundFailure } from '@quire/core/ports'

/** The OutboundFailure of `work`. Rejects when it did not fail, or failed with another error. */
export async function failure(work: Promise<unknown>): Promise<OutboundFailure> {
  const error = await work.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  )
  if (error instanceof OutboundFailure) return error
  throw error
}
