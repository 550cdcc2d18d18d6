import type { JournalRow, JournalWriter } from '../ports/index.ts'
import type { JournalRows } from './journal-rows.ts'
import type { OpenState } from './state.ts'

/** The journal of a state. */
export function memoryJournal(open: OpenState): JournalWriter {
  return {
    read: async ({ limit, ...wanted }) => readRows(open().journal, wanted, limit),
    record: async (entry) => open().journal.append(entry),
  }
}

interface Wanted {
  readonly after: number
  readonly repositoryId?: string
  readonly entityId?: string
}

function readRows(
  journal: JournalRows,
  { after, repositoryId, entityId }: Wanted,
  limit: number,
): readonly JournalRow[] {
  const rows: JournalRow[] = []
  for (const row of journal.after(after)) {
    if (rows.length >= limit) break
    if (repositoryId !== undefined && row.repositoryId !== repositoryId) continue
    if (entityId !== undefined && row.entityId !== entityId) continue
    rows.push(row)
  }
  return rows
}
