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
  type PermissionKey,
} from '@quire/contract'
import { type Call, requireMatch, notPermitted, type WriteCall } from '../engine/call.ts'
import { pageOf } from '../engine/paging.ts'
import { byIdOrName, maySeeRepository } from '../engine/scope.ts'
import type { IndexRebuildRecord } from './records.ts'
import { beginRebuild, goOn, rebuildKey } from './rebuild.ts'
import { Serialized } from '../engine/answer.ts'
import { recordTag } from '../engine/record-rules.ts'
import { securityEvent } from '../people/audit.ts'
import { settingsId, settingsOf, type SettingsRecord } from '../engine/settings.ts'
import { mayDo } from '../engine/access/permissions.ts'
import { newJob } from '../engine/job.ts'
import type { RecordReader, Stored, Job } from '../ports/index.ts'

type Admin = Contract['admin']

/** What a search index holds (specification 2.13). Errors: `forbidden`, `not_found`. */
async function getIndex(call: Call, { id }: ParsedOf<Admin['index']>): Promise<SearchIndex> {
  return describe(call, await requireIndex(call, id))
}

/** The search indexes, one for each repository. Errors: `forbidden`. */
async function listIndexes(
  call: Call,
  { limit = limits.pageDefault, cursor }: ParsedOf<Admin['indexes']>,
): Promise<OutputOf<Admin['indexes']>> {
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
  return serializeSettings(await storedSettings(call.store.records))
}

/** Changes what is sent. Errors: `forbidden`, `precondition_failed`. */
export async function updateSettings(call: Call, patch: Patch): Promise<Serialized<Settings>> {
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
export { processRepository as process }

export { listIndexes as indexes, getIndex as index, getSettings as settings }

type Process = Contract['admin']['process']
type Input = ParsedOf<Process>

/** What lets one ask for it (specification 5.2.7): any of these, on the repository. */
const keys: readonly PermissionKey[] = ['admin.repositories.crawl', 'admin.repositories.migration.run']

/** What can be asked for, and the kind of job that does it. */
export const steps = [
  { asked: 'syncAssets', kind: 'assets.sync', what: 'the asset sync' },
  { asked: 'syncDocs', kind: 'docs.sync', what: 'the document sync' },
  { asked: 'reloadGraph', kind: 'graph.reload', what: 'the graph reload' },
] as const

/**
 * Queues what is asked for; what has not ended since it was last asked for is joined. Errors: `not_found`; `forbidden` without one of
 * the keys on the repository.
 */
async function processRepository(call: Call, { id, ...asked }: Input): Promise<OutputOf<Process>> {
  const wanted = steps.filter((step) => asked[step.asked] === true)
  return call.write(async (call) => {
    const repository = await processable(call, id)
    const begun: Begun[] = []
    for (const step of wanted) begun.push(await begin(call, { step, repository }))
    return { message: messageOf(begun) }
  })
}

/** The repository, for whoever may have it processed. Who may only see it is refused; to others it is not there. */
async function processable(call: Call, ref: string): Promise<Stored<'repository'>> {
  const found = await byIdOrName(call.store.records, 'repository', ref)
  const may = found && keys.some((key) => mayDo(call.identity.permissions, key, { repositoryId: found.id }))
  if (found && may) return found
  if (found && maySeeRepository(call, found.id)) throw notPermitted(keys)
  throw new QuireError('not_found', `There is no repository "${ref}" that you may see.`)
}

interface Begun {
  readonly what: string
  readonly job: Job
  /** Whether it was in the queue before. */
  readonly isJoined: boolean
}

async function begin(
  call: WriteCall,
  { step: { kind, what }, repository }: { step: (typeof steps)[number]; repository: Stored<'repository'> },
): Promise<Begun> {
  const { id: repositoryId } = repository
  const wanted = newJob(call, {
    kind,
    repositoryId,
    subject: repositoryId,
    key: `${kind}:${repositoryId}`,
    maxAttempts: 3,
  })
  const job = await call.enqueue(wanted)
  return { what, job, isJoined: job.id !== wanted.id }
}

function messageOf(begun: readonly Begun[]): string {
  if (begun.length === 0)
    return 'Nothing was asked for: say syncAssets, syncDocs or reloadGraph, and nothing is done without one of them.'
  const named = (isJoined: boolean) =>
    begun
      .filter((one) => one.isJoined === isJoined)
      .map(({ what, job }) => `${what} (${job.id})`)
      .join(', ')
  const sentences = [
    ...(named(false) === '' ? [] : [`Queued: ${named(false)}.`]),
    ...(named(true) === '' ? [] : [`Not ended yet since it was last asked for: ${named(true)}.`]),
  ]
  return [...sentences, 'Follow them at /api/queue.'].join(' ')
}
