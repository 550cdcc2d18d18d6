import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../call/paging.ts'
import { securityKinds } from '../audit.ts'
import { isJsonObject, type JournalRow, type JsonObject } from '../../ports/index.ts'

type Audit = Contract['security']['audit']
type Entry = OutputOf<Audit>['items'][number]

// The journal keeps others of no repository too.
const kinds: ReadonlySet<string> = new Set(securityKinds)

/** What was changed of the security, newest first. Errors: `invalid` for a cursor that is none. */
export async function audit(call: Call, input: ParsedOf<Audit>): Promise<OutputOf<Audit>> {
  const limit = input.limit ?? limits.pageDefault
  const found: JournalRow[] = []
  let before = input.cursor === undefined ? undefined : sequenceOf(input.cursor)
  let isMore = true
  while (isMore && found.length <= limit) {
    const rows = await call.store.journal.readBack({
      repositoryId: '',
      limit: limits.pageMost,
      ...(before !== undefined && { before }),
    })
    found.push(...rows.filter(({ entityType }) => kinds.has(entityType)))
    before = rows.at(-1)?.sequence
    isMore = rows.length === limits.pageMost
  }
  const items = found.slice(0, limit).map(entryOf)
  const last = items.at(-1)
  return { items, ...(found.length > limit && last && { nextCursor: encodeCursor(Number(last.id)) }) }
}

function sequenceOf(cursor: string): number {
  const sequence = decodeCursor(cursor)
  if (typeof sequence !== 'number') throw badCursor()
  return sequence
}

function entryOf({
  sequence,
  date,
  event,
  entityType,
  entityId,
  user,
  requestId,
  details,
}: JournalRow): Entry {
  const { address, changed } = details
  return {
    id: String(sequence),
    timestamp: new Date(date).toISOString(),
    event,
    entityType,
    entityId,
    user,
    address: typeof address === 'string' ? address : null,
    requestId,
    // Written by `securityEvent`.
    changed: (isJsonObject(changed) ? changed : ({} satisfies JsonObject)) as Entry['changed'],
  }
}
