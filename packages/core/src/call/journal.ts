import type { JournalEvent } from '@quire/contract'
import type { Entity, JournalEntry } from '../ports/index.ts'
import type { Call } from './call.ts'

/** What the journal keeps of a change to an entity; `status` is what it has after it. */
export function entityEvent(
  call: Call,
  event: JournalEvent,
  { entity, status }: { entity: Entity; status: string },
): JournalEntry {
  return {
    ...author(call),
    repositoryId: entity.repositoryId,
    packageId: entity.packageId,
    entityId: entity.id,
    entityType: entity.type,
    event,
    version: entity.version,
    status,
    details: {},
  }
}

/** What the journal keeps of a change to a record. */
export function recordEvent(
  call: Call,
  event: JournalEvent,
  { kind, id, repositoryId = '' }: { kind: string; id: string; repositoryId?: string },
): JournalEntry {
  return {
    ...author(call),
    repositoryId,
    packageId: null,
    entityId: id,
    entityType: kind,
    event,
    version: null,
    status: null,
    details: {},
  }
}

function author(call: Call): Pick<JournalEntry, 'date' | 'user' | 'requestId'> {
  return { date: call.now, user: call.identity.ref, requestId: call.requestId }
}
