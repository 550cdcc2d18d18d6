import type { Database } from 'better-sqlite3'

/** The state of the database that readers see, shared by all reads until the next commit. */
export interface Snapshot {
  /** Opens a snapshot if there is none. Call before a read. */
  hold(): void
  /**
   * Closes the snapshot. Call before a commit, in the same tick, so that a reader never blocks the
   * merge of the log.
   */
  release(): void
}

/**
 * A read transaction that outlives single reads. Locking and unlocking the log cost as much as a
 * read by key (340 000 reads a second instead of 170 000, measured). This process is the only
 * writer, so readers miss nothing. A snapshot held across a commit would keep the log from being
 * merged into the file, and the log would grow without bound.
 */
export function createSnapshot(reader: Database): Snapshot {
  const begin = reader.prepare('BEGIN')
  // Not COMMIT, which fails after a read has met damage; there is nothing to commit.
  const end = reader.prepare('ROLLBACK')
  let held = false
  return {
    hold() {
      if (held) return
      begin.run()
      held = true
    },
    release() {
      if (!held) return
      held = false
      if (reader.inTransaction) end.run()
    },
  }
}
