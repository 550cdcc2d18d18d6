import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { plainRecord } from '../call/records.ts'
import type { Line, OwnHead, Stored, Transaction } from '../ports/index.ts'
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
    async work(inside, tx, { package: found, line }) {
      // What was merged is on main: there is nothing to lose.
      const check = found.state === 'merged' ? undefined : (head: OwnHead) => requireUnlimited(inside, head)
      const changes = await discardPackage(inside, tx, { found, line, check })
      return dryRun === true ? { deleted: plainRecord(found), changes } : undefined
    },
  })
}

/** What is discarded. */
interface Discarded {
  readonly found: Stored<'package'>
  readonly line: Line
  readonly check?: ((head: OwnHead) => void) | undefined
}

/** Drops a package with all it holds, but for its record and the history of its review. Answers how much it held. Errors: those of `check`. */
export async function discardPackage(
  call: Call,
  tx: Transaction,
  { found, line, check }: Discarded,
): Promise<number> {
  const changes = await purgeLine(tx, line, check)
  const merge = await tx.records.get('merge', found.id)
  if (merge) await tx.records.delete('merge', merge.id, merge.revision)
  await endReview(call, tx, found.id)
  await storeChanged(call, tx, { ...found, state: 'deleted' })
  await tx.journal.record(packageEvent(call, 'PACKAGE_DELETED', { about: found, details: { changes } }))
  return changes
}

/** What is not there any more is not reviewed. */
async function endReview({ now }: Call, { records }: Transaction, packageId: string): Promise<void> {
  const review = await records.get('workflow', packageId)
  if (!review) return
  const { revision, info, ...rest } = review
  const isOpen = info?.completedAt === undefined
  const ended =
    info && isOpen ? { ...info, status: 'cancelled' as const, completedAt: Math.floor(now / 1000) } : info
  await records.put('workflow', { ...rest, info: ended, pending: null, held: [] }, revision)
}

/** Removes everything that a line holds, and answers how much that was. Errors: those of `check`. */
async function purgeLine(tx: Transaction, line: Line, check?: (head: OwnHead) => void): Promise<number> {
  const turn = takingTurns()
  let count = 0
  // Pages are read on from the last id: what was removed before it does not matter.
  for await (const page of ownPages(tx.entities, line)) {
    for (const head of page) {
      check?.(head)
      await tx.entities.purge(line, head)
      count += 1
      await turn()
    }
  }
  return count
}
