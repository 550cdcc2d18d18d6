import type { OpenState } from './state.ts'
import type { JournalGroup, JournalRow, JournalTally, JournalWriter, Tallied } from '../ports/index.ts'

/** The journal of a state. */
export function memoryJournal(open: OpenState): JournalWriter {
  return {
    read: async ({ after, limit, ...wanted }) => matching(open().journal.after(after), wanted, limit),
    readBack: async ({ before = Number.POSITIVE_INFINITY, limit, ...wanted }) =>
      matching(open().journal.before(before), wanted, limit),
    tally: async (query) => {
      const { before = Number.POSITIVE_INFINITY, limit } = query
      return tallyOf(matching(open().journal.before(before), query, limit + 1), query)
    },
    record: async (entry) => open().journal.append(entry),
  }
}

interface JournalFilter {
  readonly repositoryId?: string
  readonly entityId?: string
}

function matching(
  all: Iterable<JournalRow>,
  { repositoryId, entityId }: JournalFilter,
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

function tallyOf(rows: readonly JournalRow[], query: JournalTally): Tallied {
  const groups = new Map<string, JournalGroup>()
  for (const row of rows.slice(0, query.limit).filter((one) => isCounted(one, query))) {
    const { repositoryId, packageId, entityId, entityType, event } = row
    const details = query.detailed !== undefined && event.startsWith(query.detailed) ? row.details : {}
    const key = JSON.stringify([entityId, packageId, event, details])
    const { count = 0 } = groups.get(key) ?? {}
    groups.set(key, { repositoryId, packageId, entityId, entityType, event, details, count: count + 1 })
  }
  return { groups: [...groups.values()], older: rows[query.limit]?.date ?? null }
}

function isCounted(row: JournalRow, { packageId, event, userName, since, until }: JournalTally): boolean {
  return (
    (packageId === undefined || row.packageId === packageId || row.entityId === packageId) &&
    (event ?? row.event) === row.event &&
    (userName ?? row.user.userName) === row.user.userName &&
    (since ?? row.date) <= row.date &&
    (until === undefined || row.date < until)
  )
}
