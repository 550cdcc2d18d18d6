import type { Environment } from '../call/environment.ts'
import { isKnown } from './state.ts'

// A partial blob is begun before the row that speaks of it.
const partialGraceMs = 60 * 60 * 1000

/** Removes the bytes of uploads that expired or were never told of. Answers how many. */
export async function sweepUploads({
  blobs,
  clock,
  store,
}: Pick<Environment, 'blobs' | 'clock' | 'store'>): Promise<number> {
  const now = clock.now()
  let count = 0
  for await (const { id, writtenDate } of blobs.partials.list()) {
    if (writtenDate > now - partialGraceMs || (await isKnown(store.ephemera, id, now))) continue
    await blobs.partials.discard(id)
    count += 1
  }
  return count
}
