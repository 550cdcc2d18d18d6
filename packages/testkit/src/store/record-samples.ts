import type { Package } from '@quire/contract'
import type { GroupRecord, JournalEntry, UserRecord } from '@quire/core/ports'
import { testStart } from '../clock.ts'
import { testRepository } from '../entity.ts'
import { ada } from '../people.ts'

/** A group named like its id unless told. */
export function aGroup(id: string, overrides: Partial<GroupRecord> = {}): GroupRecord {
  const searchId = id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')
  return { id, searchId, name: id, groups: [], users: [], roles: [], ...overrides }
}

/** A user with that e-mail address. */
export function aUser(id: string, overrides: Partial<UserRecord> = {}): UserRecord {
  const searchId = id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')
  return { id, searchId, name: id, roles: [], groups: [], enabled: true, epoch: 0, ...overrides }
}

/** An open package of the test repository. */
export function aPackage(id: string, name: string): Package {
  const made = { createdDate: testStart, createdByUser: ada, updatedDate: testStart, updatedByUser: ada }
  const merged = { mergedDate: null, mergedByUser: null }
  const state = 'open' as const
  return {
    id,
    repositoryId: testRepository,
    name,
    description: '',
    state,
    revertOf: null,
    ...made,
    ...merged,
  }
}

/** A journal entry of an item. */
export function anEntry(overrides: Partial<JournalEntry> = {}): JournalEntry {
  return {
    repositoryId: testRepository,
    packageId: null,
    entityId: 'CONT_1',
    entityType: 'article',
    event: 'ITEM_UPDATED',
    version: 1,
    status: 'draft',
    date: testStart,
    user: ada,
    requestId: 'request-1',
    details: {},
    ...overrides,
  }
}
