import { limits } from '@quire/contract'
import type { Call } from './call.ts'
import type { Shared } from './shared.ts'

/** A name, and the number of its slots. */
export type SlotLimit = readonly [name: string, slots: number]

/**
 * Takes a slot of the caller and one of all callers, or neither; the returned function releases
 * both. Errors: `too_many_requests`.
 */
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

/** A slot for an import, whatever it imports. Errors: `too_many_requests`. */
export function takeImportSlot({
  shared,
  identity: { kind, id },
}: Pick<Call, 'shared' | 'identity'>): () => void {
  return takeSlots(shared, {
    own: [`import ${kind}:${id}`, limits.importsOfOne],
    all: ['import', limits.importsOfAll],
  })
}
