import type { JournalRow, JournalWriter } from '../ports/index.ts'
import type { OpenState } from './state.ts'

/** The journal of a state. */
export function memoryJournal(open: OpenState): JournalWriter {
  return {
    read: async ({ after, limit, ...wanted }) => matching(open().journal.after(after), wanted, limit),
    readBack: async ({ before = Number.POSITIVE_INFINITY, limit, ...wanted }) =>
      matching(open().journal.before(before), wanted, limit),
    record: async (entry) => open().journal.append(entry),
  }
}

interface Wanted {
  readonly repositoryId?: string
  readonly entityId?: string
}

function matching(
  all: Iterable<JournalRow>,
  { repositoryId, entityId }: Wanted,
  limit: number,
): readonly JournalRow[] {
  const rows: JournalRow[] = []
  for (const row of all) {
    if (rows.length >= limit) break
    if (repositoryId !== undefined && row.repositoryId !== repositoryId) continue
    if (entityId !== undefined && row.entityId !== entityId) continue
    rows.push(row)
  }
  return rows
}
