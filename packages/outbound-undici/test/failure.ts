import { OutboundFailure } from '@quire/core/ports'

/** Why it failed. Rejects when it did not, or otherwise. */
export async function failure(work: Promise<unknown>): Promise<OutboundFailure> {
  const error = await work.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  )
  if (error instanceof OutboundFailure) return error
  throw error
}
