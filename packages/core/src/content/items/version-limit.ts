import { limits, type ContentType } from '@quire/contract'
import type { Entity, Transaction } from '../../ports/index.ts'

/**
 * How many versions of an item are kept: as many as its type says. Where that says nothing, all; but of an item whose versions take more than 64 MiB the
 * newest 100, since who may write one item could fill the disk with copies of it. Null: all.
 */
export async function versionLimitOf(
  store: Pick<Transaction, 'entities'>,
  head: Entity,
  { settings }: ContentType,
): Promise<number | null> {
  if (settings.versionLimit !== null) return settings.versionLimit
  if (!isCounted(head.version)) return null
  const { bytes } = await store.entities.versionTotals(head, head)
  return bytes > limits.versionsBytes ? limits.versionsKept : null
}

/** Counting takes time by the number of versions: among a thousand every save counts them, beyond every hundredth does. */
function isCounted(version: number): boolean {
  return version > limits.versionsKept && (version <= 1000 || version % 100 === 0)
}
