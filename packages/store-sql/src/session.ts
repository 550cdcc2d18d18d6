import type { Branch } from '@quire/core/ports'
import type { BranchNames } from './branches.ts'
import type { CountMemo } from './query/count-memo.ts'
import type { PathMemo } from './query/path-memo.ts'
import type { RecordView } from './records/record-cache.ts'

/** Where a port method stands: outside of transactions, or inside one. */
export interface Session {
  readonly branches: BranchNames
  /** Looks for a branch that is not known here: another process may have begun it. None where nobody else can have. */
  readonly findBranch?: (branch: Branch) => Promise<void>
  readonly records: RecordView
  /** What is known of committed heads, asked for once by a read; none inside a transaction, whose own writes it does not know. */
  readonly memo?: () => PathMemo
  /** Counts of what was committed; none inside a transaction. */
  readonly counts?: CountMemo
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
}
