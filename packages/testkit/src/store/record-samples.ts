import type { Group } from '@quire/contract'
import type { JournalEntry, PackageRecord, UserRecord } from '@quire/core/ports'
import { testStart } from '@quire/core/memory'
import { testRepository } from '../entity.ts'
import { ada } from '../people.ts'

const dates = { createdDate: testStart, updatedDate: testStart }

/** A group, by default named like its id. */
export function aGroup(id: string, overrides: Partial<Group> = {}): Group {
  const searchId = id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')
  const members = { groups: [], users: [], roles: [], repos: [], type: 'group', description: '' }
  return { id, searchId, name: id, ...members, ...dates, ...overrides }
}

/** A user with this e-mail address. */
export function aUser(id: string, overrides: Partial<UserRecord> = {}): UserRecord {
  const searchId = id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')
  const members = { roles: [], groups: [], repos: [], type: 'user', description: '', enabled: true }
  return { id, searchId, name: id, ...members, ...dates, epoch: 0, ...overrides }
}

/** An open package of the test repository. */
export function aPackage(id: string, name: string): PackageRecord {
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
