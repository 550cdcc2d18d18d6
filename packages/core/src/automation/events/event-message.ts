import type { EventMessage } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { localesMember } from '../../engine/journal.ts'
import { sealCursor } from '../../engine/paging.ts'
import type { JournalRow } from '../../ports/index.ts'
import { findRecordName } from '../activity/visible.ts'

/**
 * The id of an event is sealed as a cursor of this list. A plain number would reveal how much other
 * repositories write.
 */
export const eventList = 'events'

/** An event of the journal, as streams send it. */
export async function eventMessage(call: Call, row: JournalRow): Promise<EventMessage> {
  const { sequence, event, repositoryId, packageId, entityId, entityType, version, status, date, user } = row
  const { tags } = row.details
  const id = await idOf(call, sequence)
  const packageName =
    packageId === null ? null : await findRecordName(call.store.records, 'package', packageId)
  return {
    id,
    event,
    repositoryId,
    packageName,
    entityId,
    entityType,
    version: version === null ? null : String(version),
    status,
    date,
    user,
    ...localesMember(row),
    ...(event === 'CACHE_TAGS_PURGED' && Array.isArray(tags) && { tags: tags.map(String) }),
  }
}

function idOf(call: Call, sequence: number): Promise<string> {
  const { eventIds } = call.shared
  const known = eventIds.get(sequence)
  if (known) return known
  const id = sealCursor(call, eventList, sequence)
  eventIds.set(sequence, id)
  id.catch(() => eventIds.delete(sequence))
  return id
}
