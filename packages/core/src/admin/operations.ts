import {
  limits,
  QuireError,
  type Contract,
  type IndexRebuild,
  type OutputOf,
  type ParsedOf,
  type Repository,
  type SearchIndex,
  type Settings,
} from '@quire/contract'
import { requirePermission, type Call, requireMatch } from '../engine/call.ts'
import { pageOf } from '../engine/paging.ts'
import { byIdOrName } from '../engine/scope.ts'
import type { IndexRebuildRecord } from './records.ts'
import { beginRebuild, goOn, rebuildKey } from './begin-rebuild.ts'
import { Serialized } from '../engine/answer.ts'
import { recordTag } from '../engine/record-rules.ts'
import type { RecordReader, Stored } from '../ports/index.ts'
import { securityEvent } from '../people/audit.ts'
import { settingsId, settingsOf, type SettingsRecord } from '../engine/settings.ts'

type Admin = Contract['admin']

/** What a search index holds (specification 2.13). Errors: `forbidden`, `not_found`. */
async function getIndex(call: Call, { id }: ParsedOf<Admin['index']>): Promise<SearchIndex> {
  requirePermission(call, 'admin.indexes.view')
  return describe(call, await requireIndex(call, id))
}

/** The search indexes, one for each repository. Errors: `forbidden`. */
async function listIndexes(
  call: Call,
  { limit = limits.pageDefault, cursor }: ParsedOf<Admin['indexes']>,
): Promise<OutputOf<Admin['indexes']>> {
  requirePermission(call, 'admin.indexes.view')
  const page = pageOf(await call.store.records.list('repository'), { limit, cursor })
  const items: SearchIndex[] = []
  // One after the other: figures are counted, which costs.
  for (const repository of page.items) items.push(await describe(call, repository))
  return { ...page, items }
}

/** Begins to make an index anew, or joins who does; it goes on after the answer. Errors: `forbidden`, `not_found`. */
export async function rebuildIndex(
  call: Call,
  { id }: ParsedOf<Admin['rebuildIndex']>,
): Promise<IndexRebuild> {
  requirePermission(call, 'admin.indexes.update')
  const { name, record } = await call.write(async (call) => {
    const repository = await requireIndex(call, id)
    return { name: repository.name, record: await beginRebuild(call, repository.id) }
  })
  void goOn(call, record)
  return serializeRebuild(name, record)
}

async function requireIndex(call: Call, id: string): Promise<Repository> {
  const repository = await byIdOrName(call.store.records, 'repository', id)
  if (!repository) throw new QuireError('not_found', `There is no search index "${id}".`)
  return repository
}

async function describe(call: Call, { id, name }: Repository): Promise<SearchIndex> {
  const info = await call.environment.store.indexes.info(id)
  const last = await call.store.records.find('indexRebuild', rebuildKey(id))
  return { name, ...info, ...(last && { rebuild: serializeRebuild(name, last) }) }
}

function serializeRebuild(
  index: string,
  { id, state, done, total, startedDate, finishedDate, error }: IndexRebuildRecord,
): IndexRebuild {
  return { id, index, state, progress: { done, total }, startedDate, finishedDate, error }
}

type Patch = ParsedOf<Contract['admin']['updateSettings']>

/** The settings of the service. Errors: `forbidden`. */
async function getSettings(call: Call): Promise<Serialized<Settings>> {
  requirePermission(call, 'admin.settings.view')
  return serializeSettings(await storedSettings(call.store.records))
}

/** Changes what is sent. Errors: `forbidden`, `precondition_failed`. */
export async function updateSettings(call: Call, patch: Patch): Promise<Serialized<Settings>> {
  requirePermission(call, 'admin.settings.update')
  return call.write(async (call) => {
    const found = await storedSettings(call.store.records)
    requireMatch(call, tagOf(found))
    const record: SettingsRecord = { id: settingsId, set: merged(found?.set, patch), updatedDate: call.now }
    const stored = await call.store.records.put('settings', record, found?.revision ?? 0)
    const change = {
      kind: 'settings',
      id: settingsId,
      before: settingsOf(found),
      after: settingsOf(stored),
    } as const
    await call.record(securityEvent(call, 'SETTINGS_UPDATED', change))
    return serializeSettings(stored)
  })
}

/** A merge patch (RFC 7396): null takes away what was set. */
function merged(set: SettingsRecord['set'] = {}, patch: Patch): SettingsRecord['set'] {
  const members = Object.entries({ ...set, ...patch })
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined))
}

function storedSettings(records: RecordReader): Promise<Stored<'settings'> | null> {
  return records.get('settings', settingsId)
}

function serializeSettings(found: Stored<'settings'> | null): Serialized<Settings> {
  return new Serialized(JSON.stringify(settingsOf(found)), tagOf(found))
}

/** What was never set has a tag too: who saw that it was not may say so. */
function tagOf(found: Stored<'settings'> | null): string {
  return recordTag(found ?? { id: settingsId, revision: 0 })
}

export { generateKey } from '../connections/access/configurations.ts'
export { getHealth as health } from './health.ts'
export { processRepository as process } from './process.ts'

export { listIndexes as indexes, getIndex as index, getSettings as settings }
