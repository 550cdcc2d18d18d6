import type { JournalEvent } from '@quire/contract'
import type { Call } from './call.ts'
import type { Entity, JournalEntry, JsonObject } from '../ports/index.ts'

/**
 * The journal entry for a change to an entity; `status` is its status afterwards. The entry
 * includes its read roles, which decide who may see the entry once the entity is gone.
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

/** The journal entry for a change to a record. */
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

/** The locales that an entry of an item concerns, as a member; none without locales. */
export function localesMember({ details }: Pick<JournalEntry, 'details'>): { locales?: string[] } {
  const { locales } = details
  return Array.isArray(locales) ? { locales: locales.map(String) } : {}
}

/** The program that an entry's call named, as a member. */
export function programMember({ details }: Pick<JournalEntry, 'details'>): { program?: string } {
  const { program } = details
  return typeof program === 'string' ? { program } : {}
}

/** Who, when, from where, by which program and why: set here for every journal entry. */
function circumstances(
  { now, identity, requestId, program, origin, comment }: Call,
  details: JsonObject,
): Pick<JournalEntry, 'date' | 'user' | 'requestId' | 'details'> {
  return {
    date: now,
    user: identity.ref,
    requestId,
    details: {
      address: origin.address ?? null,
      ...(program !== undefined && { program }),
      ...(comment !== undefined && { comment }),
      ...details,
    },
  }
}
