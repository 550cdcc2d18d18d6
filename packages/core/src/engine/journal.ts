import type { JournalEvent } from '@quire/contract'
import type { Call } from './call.ts'
import type { Entity, JournalEntry, JsonObject } from '../ports/index.ts'

/**
 * What the journal keeps of a change to an entity; `status` is what it has after it. Its read roles are kept with it: they decide who may
 * know of it once it is gone.
 */
export function entityEvent(
  call: Call,
  event: JournalEvent,
  { entity, status, details = {} }: { entity: Entity; status: string | null; details?: JsonObject },
): JournalEntry {
  const { read } = entity.roles
  return {
    ...circumstances(call, { ...(read.length > 0 && { readers: [...read] }), ...details }),
    repositoryId: entity.repositoryId,
    packageId: entity.packageId,
    entityId: entity.id,
    entityType: entity.type,
    event,
    version: entity.version,
    status,
  }
}

/** What the journal keeps of a change to a record. */
export function recordEvent(
  call: Call,
  event: JournalEvent,
  {
    kind,
    id,
    repositoryId = '',
    details = {},
  }: { kind: string; id: string; repositoryId?: string; details?: JsonObject },
): JournalEntry {
  return {
    ...circumstances(call, details),
    repositoryId,
    packageId: null,
    entityId: id,
    entityType: kind,
    event,
    version: null,
    status: null,
  }
}

/** Who, when, from where and why: the one place that says it, of everything that the journal keeps. */
function circumstances(
  { now, identity, requestId, origin, comment }: Call,
  details: JsonObject,
): Pick<JournalEntry, 'date' | 'user' | 'requestId' | 'details'> {
  return {
    date: now,
    user: identity.ref,
    requestId,
    details: { address: origin.address ?? null, ...(comment !== undefined && { comment }), ...details },
  }
}
