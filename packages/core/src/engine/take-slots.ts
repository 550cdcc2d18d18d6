import type { Shared } from './shared.ts'

/** A place under a name of which there are so many. */
export type SlotLimit = readonly [name: string, slots: number]

/** Takes a place of the caller's and one of all, or neither; the answer gives both back. Errors: `too_many_requests`. */
export function takeSlots(
  { take }: Pick<Shared, 'take'>,
  { own, all }: { own: SlotLimit; all: SlotLimit },
): () => void {
  const releaseOwn = take(...own)
  try {
    const releaseAll = take(...all)
    return () => {
      releaseAll()
      releaseOwn()
    }
  } catch (error) {
    releaseOwn()
    throw error
  }
}
