import type { Transaction } from '@quire/core/ports'
import type { Footprint } from './footprint.ts'
import { watchEntities } from './watch-entities.ts'
import { watchJobs } from './watch-jobs.ts'
import { watchRecords } from './watch-records.ts'
import { watchEphemera, watchTexts, watchUsage } from './watch-values.ts'

/**
 * Notes what a transaction reads and writes. The journal is not watched: its entries are appended in
 * the order of the commits, and a transaction does not read those of others to decide something.
 */
export function watchTransaction(tx: Transaction, footprint: Footprint): Transaction {
  return {
    entities: watchEntities(tx.entities, footprint),
    records: watchRecords(tx.records, footprint),
    journal: tx.journal,
    jobs: watchJobs(tx.jobs, footprint),
    ephemera: watchEphemera(tx.ephemera, footprint),
    texts: watchTexts(tx.texts, footprint),
    usage: watchUsage(tx.usage, footprint),
    // The store watches the inner one itself.
    nested: (work) => tx.nested(work),
  }
}
