import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { plainRecord } from '../call/records.ts'
import type { Line, Transaction } from '../ports/index.ts'
import { ownPages } from './own-heads.ts'
import { packageEvent, storeChanged, withPackage } from './record.ts'

type Delete = Contract['packages']['delete']

/**
 * Deletes a package with all it holds. Its record stays as a tombstone, its name is free again; of a merged one the merge stays,
 * and can no longer be reverted. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
export function deletePackage(call: Call, { dryRun, ...ref }: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return withPackage(call, ref, {
    key: 'packages.delete',
    async work(inside, tx, { package: found, line }) {
      const changes = await purgeLine(tx, line)
      const merge = await tx.records.get('merge', found.id)
      if (merge) await tx.records.delete('merge', merge.id, merge.revision)
      await storeChanged(inside, tx, { ...found, state: 'deleted' })
      await tx.journal.record(packageEvent(inside, 'PACKAGE_DELETED', { about: found, details: { changes } }))
      return dryRun === true ? { deleted: plainRecord(found), changes } : undefined
    },
  })
}

/** Removes everything that a line holds, and answers how much that was. */
async function purgeLine(tx: Transaction, line: Line): Promise<number> {
  const turn = takingTurns()
  let count = 0
  // Pages are read on from the last id: what was removed before it does not matter.
  for await (const page of ownPages(tx.entities, line)) {
    for (const head of page) {
      await tx.entities.purge(line, head)
      count += 1
      await turn()
    }
  }
  return count
}
