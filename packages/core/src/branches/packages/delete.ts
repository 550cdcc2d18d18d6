import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import type { Branch, OwnHead, Stored, Transaction } from '../../ports/index.ts'
import { ownPages } from './own-heads.ts'
import { packageEvent, storeChanged, withPackage } from './record.ts'
import { requireUnlimited } from './rights.ts'

type Delete = Contract['packages']['delete']

/**
 * Deletes a package with all it holds. Its record stays as a tombstone, its name is free again; of a merged one the merge stays,
 * and can no longer be reverted. Errors: `not_found`, `precondition_failed`; `forbidden` also when it holds what the caller may not read or change.
 */
export function deletePackage(call: Call, { dryRun, ...ref }: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return withPackage(call, ref, {
    key: 'packages.delete',
    async work(call, { package: found, branch }) {
      // What was merged is on main: there is nothing to lose.
      const check = found.state === 'merged' ? undefined : (head: OwnHead) => requireUnlimited(call, head)
      const changes = await discardPackage(call, { found, branch, check })
      return dryRun === true ? { deleted: plainRecord(found), changes } : undefined
    },
  })
}

/** What is discarded. */
interface Discarded {
  readonly found: Stored<'package'>
  readonly branch: Branch
  readonly check?: ((head: OwnHead) => void) | undefined
}

/** Drops a package with all it holds, but for its record and the history of its review. Answers how much it held. Errors: those of `check`. */
export async function discardPackage(call: WriteCall, { found, branch, check }: Discarded): Promise<number> {
  const changes = await purgeBranch(call.store, branch, check)
  const merge = await call.store.records.get('merge', found.id)
  if (merge) await call.store.records.delete('merge', merge.id, merge.revision)
  await endReview(call, found.id)
  await storeChanged(call, { ...found, state: 'deleted' })
  await call.record(packageEvent(call, 'PACKAGE_DELETED', { about: found, details: { changes } }))
  return changes
}

/** What is not there any more is not reviewed. */
async function endReview({ now, store: { records } }: WriteCall, packageId: string): Promise<void> {
  const review = await records.get('workflow', packageId)
  if (!review) return
  const { revision, info, ...rest } = review
  const isOpen = info?.completedAt === undefined
  const ended =
    info && isOpen ? { ...info, status: 'cancelled' as const, completedAt: Math.floor(now / 1000) } : info
  await records.put('workflow', { ...rest, info: ended, pending: null, held: [] }, revision)
}

/** Removes everything that a branch holds, and answers how much that was. Errors: those of `check`. */
async function purgeBranch(
  store: Transaction,
  branch: Branch,
  check?: (head: OwnHead) => void,
): Promise<number> {
  const yieldToLoop = yieldingToLoop()
  let count = 0
  // Pages are read on from the last id: what was removed before it does not matter.
  for await (const page of ownPages(store.entities, branch)) {
    for (const head of page) {
      check?.(head)
      await store.entities.purge(branch, head)
      count += 1
      await yieldToLoop()
    }
  }
  return count
}
