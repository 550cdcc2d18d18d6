import type { Branch } from '@quire/core/ports'
import type { BranchNames } from './branches.ts'
import type { HeadCache } from './entities/head-cache.ts'
import type { CountMemo } from './query/count-memo.ts'
import type { PathMemo } from './query/path-memo.ts'
import type { RecordView } from './records/record-cache.ts'

/** What a port method runs in: the committed state, or a transaction. */
export interface Session {
  readonly branches: BranchNames
  /**
   * Looks up an unknown branch, which another process may have created. Absent when no other
   * process writes.
   */
  readonly findBranch?: (branch: Branch) => Promise<void>
  readonly records: RecordView
  /**
   * Cached facts about committed heads, fetched once per read. Absent in a transaction, because
   * they do not include its own writes.
   */
  readonly memo?: () => PathMemo
  /** Cached counts of committed heads; absent in a transaction. */
  readonly counts?: CountMemo
  /** Cached committed heads; absent in a transaction. */
  readonly heads?: HeadCache
  /** Errors: throws when the store is closed or the transaction has ended. */
  requireOpen(): void
}
