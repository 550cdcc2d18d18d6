import type { PackageReview } from '@quire/contract'
import type { Recorded, WriteCall } from '../../engine/call.ts'
import type { JournalEntry, Stored } from '../../ports/index.ts'
import type { StoredComment } from './comments/record.ts'

const states = {
  request: 'requested',
  approve: 'approved',
  requestChanges: 'changesRequested',
} as const satisfies Record<string, PackageReview['state']>

/** Stores the decision of a comment in its package. The package's content does not change. */
export async function storeDecision(
  call: WriteCall,
  { revision, ...record }: Stored<'package'>,
  { id: commentId, decision }: StoredComment,
): Promise<void> {
  if (decision === null) return
  const review = { state: states[decision], date: call.now, user: call.identity.ref, commentId }
  await call.store.records.put('package', { ...record, review }, revision)
}

/** Events of a package that change its content, besides those of what is in it. */
const changes: ReadonlySet<string> = new Set([
  'PACKAGE_ITEM_ADDED',
  'PACKAGE_CHANGE_REMOVED',
  'PACKAGE_SYNCED',
])

/**
 * Makes the approvals of packages outdated that a transaction has changed, inside that transaction,
 * so that nobody merges as approved what nobody has seen. Every change of a package is in the
 * journal. Costs nothing for changes of main.
 */
export async function outdateApprovals(call: WriteCall, { entries }: Recorded): Promise<void> {
  for (const packageId of new Set(entries.flatMap(changedPackage))) {
    const found = await call.store.records.get('package', packageId)
    if (found?.review?.state !== 'approved') continue
    const { revision, ...record } = found
    const review = { ...found.review, state: 'outdated' as const, date: call.now }
    await call.store.records.put('package', { ...record, review }, revision)
  }
}

function changedPackage({ packageId, event, entityId }: JournalEntry): readonly string[] {
  if (packageId !== null) return [packageId]
  return changes.has(event) ? [entityId] : []
}
