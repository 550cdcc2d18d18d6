import { limits, type Contract, type LogEntry, type OutputOf, type ParsedOf } from '@quire/contract'
import { requirePermission, type Call } from '../call/call.ts'
import { badCursor } from '../call/paging.ts'
import { openCursor, sealCursor } from '../call/sealed-cursor.ts'
import { findPackage, findRepository } from '../lines/lines.ts'
import type { JournalRow } from '../ports/index.ts'
import { commentOf } from './comment.ts'
import { placeBefore, readBack } from './read-back.ts'
import { recordName } from './record-name.ts'
import { visibleRows, type VisibleRow } from './visible.ts'

type List = Contract['activity']['list']
type Input = ParsedOf<List>

/**
 * What was done in a repository, on every line, newest first, without what the caller may not read.
 * Errors: `not_found` for the repository or the package of the filter; `forbidden`; `invalid` for a cursor that is none.
 */
export async function listActivity(call: Call, input: Input): Promise<OutputOf<List>> {
  const { id: repositoryId } = await findRepository(call, input.configId)
  requirePermission(call, 'activity.view', { repositoryId })
  const isWanted = await filterOf(call, repositoryId, input)
  const { entityId, since, limit = limits.pageDefault } = input
  const before = await startOf(call, repositoryId, input)
  const { shown, next } = await readBack(call, { repositoryId, entityId, since, before, limit }, (rows) =>
    visibleRows(
      call,
      rows.map((row) => (isWanted(row) ? row : null)),
    ),
  )
  const items: LogEntry[] = []
  for (const visible of shown) items.push(await entryOf(call, visible))
  return { items, ...(next !== null && { nextCursor: await sealCursor(call, listName(repositoryId), next) }) }
}

function listName(repositoryId: string): string {
  return `activity:${repositoryId}`
}

/** Where to begin. Errors: `invalid`. */
async function startOf(
  call: Call,
  repositoryId: string,
  { cursor, until, entityId }: Input,
): Promise<number | undefined> {
  if (cursor === undefined) {
    return until === undefined || entityId !== undefined
      ? undefined
      : placeBefore(call, { repositoryId, until })
  }
  const before = await openCursor(call, listName(repositoryId), cursor)
  if (typeof before !== 'number') throw badCursor()
  return before
}

/** Whether an entry is what the filters ask for. Errors: `not_found` for the package. */
async function filterOf(
  call: Call,
  repositoryId: string,
  { user, event, packageName, since, until }: Input,
): Promise<(row: JournalRow) => boolean> {
  const taken = packageName === undefined ? null : await findPackage(call, repositoryId, packageName)
  const conditions = [
    user !== undefined && ((row: JournalRow) => row.user.userName === user),
    event !== undefined && ((row: JournalRow) => row.event === event),
    taken && ((row: JournalRow) => row.packageId === taken.id || row.entityId === taken.id),
    since !== undefined && ((row: JournalRow) => row.date >= since),
    until !== undefined && ((row: JournalRow) => row.date < until),
  ].filter((condition) => typeof condition === 'function')
  return (row) => conditions.every((condition) => condition(row))
}

async function entryOf(call: Call, { row, rules: { kind }, head }: VisibleRow): Promise<LogEntry> {
  const { records } = call.store
  const { date, event, entityId, entityType, version, status, packageId, user, requestId } = row
  const { address } = row.details
  return {
    timestamp: new Date(date).toISOString(),
    event,
    entity: {
      kind,
      id: entityId,
      type: kind === 'item' ? entityType : null,
      name: head?.name ?? (await recordName(records, entityType, entityId)),
    },
    version: version === null ? null : String(version),
    status,
    packageName: packageId === null ? null : await recordName(records, 'package', packageId),
    user,
    address: typeof address === 'string' ? address : null,
    requestId,
    ...commentOf(call, row),
  }
}
