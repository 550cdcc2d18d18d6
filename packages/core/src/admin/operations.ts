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
import { type Call, notPermitted, type WriteCall } from '../engine/call.ts'
import { requireMatch } from '../engine/if-match.ts'
import { pageOf } from '../engine/paging.ts'
import { byIdOrName, maySeeRepository } from '../engine/scope.ts'
import type { IndexRebuildRecord } from './records.ts'
import { beginRebuild, rebuildKey, runRebuild } from './rebuild.ts'
import { Serialized } from '../engine/answer.ts'
import { recordTag } from '../engine/record-rules.ts'
import { securityEvent } from '../people/audit.ts'
import { settingsId, settingsOf, type SettingsRecord } from '../engine/settings.ts'
import { mayDo } from '../engine/access/permissions.ts'
import { newJob } from '../engine/job.ts'
import type { RecordReader, Stored, Job } from '../ports/index.ts'

type Admin = Contract['admin']

/** The figures of a search index (specification 2.13). Errors: `forbidden`, `not_found`. */
async function getIndex(call: Call, { id }: ParsedOf<Admin['index']>): Promise<SearchIndex> {
  return describeIndex(call, await requireIndex(call, id))
}

/** The search indexes, one for each repository. Errors: `forbidden`. */
async function listIndexes(
  call: Call,
  { limit = limits.pageDefault, cursor }: ParsedOf<Admin['indexes']>,
): Promise<OutputOf<Admin['indexes']>> {
  const page = pageOf(await call.store.records.list('repository'), { limit, cursor })
  const items: SearchIndex[] = []
  // One after the other, because counting the figures is expensive.
  for (const repository of page.items) items.push(await describeIndex(call, repository))
  return { ...page, items }
}

/**
 * Begins to rebuild an index, or joins a running rebuild. It continues after the answer. Errors:
 * `forbidden`, `not_found`.
 */
export async function rebuildIndex(
  call: Call,
  { id }: ParsedOf<Admin['rebuildIndex']>,
): Promise<IndexRebuild> {
  const { name, record } = await call.write(async (call) => {
    const repository = await requireIndex(call, id)
    return { name: repository.name, record: await beginRebuild(call, repository.id) }
  })
  void runRebuild(call, record)
  return serializeRebuild(name, record)
}

async function requireIndex(call: Call, id: string): Promise<Repository> {
  const repository = await byIdOrName(call.store.records, 'repository', id)
  if (!repository) throw new QuireError('not_found', `There is no search index "${id}".`)
  return repository
}

async function describeIndex(call: Call, { id, name }: Repository): Promise<SearchIndex> {
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

/**
 * Changes the given settings. Null resets a setting to its default. Errors: `forbidden`,
 * `precondition_failed`.
 */
export async function updateSettings(call: Call, patch: Patch): Promise<Serialized<Settings>> {
  return call.write(async (call) => {
    const found = await storedSettings(call.store.records)
    requireMatch(call, tagOf(found))
    const record: SettingsRecord = {
      id: settingsId,
      set: mergePatch(found?.set, patch),
      updatedDate: call.now,
    }
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

/** A merge patch (RFC 7396): null removes a member. */
function mergePatch(set: SettingsRecord['set'] = {}, patch: Patch): SettingsRecord['set'] {
  const members = Object.entries({ ...set, ...patch })
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined))
}

function storedSettings(records: RecordReader): Promise<Stored<'settings'> | null> {
  return records.get('settings', settingsId)
}

function serializeSettings(found: Stored<'settings'> | null): Serialized<Settings> {
  return new Serialized(JSON.stringify(settingsOf(found)), tagOf(found))
}

/** Settings that were never changed have a tag, too, so that a first change can be conditional. */
function tagOf(found: Stored<'settings'> | null): string {
  return recordTag(found ?? { id: settingsId, revision: 0 })
}

export { generateKey } from '../connections/access/configurations.ts'
export { getHealth as health } from './health.ts'
export { processRepository as process }

export { listIndexes as indexes, getIndex as index, getSettings as settings }

type Process = Contract['admin']['process']
type Input = ParsedOf<Process>

/** Any of these permissions on the repository is sufficient (specification 5.2.7). */
const keys: readonly PermissionKey[] = ['admin.repositories.crawl', 'admin.repositories.migration.run']

/** The steps that can be requested, by input member, and the kinds of jobs that run them. */
export const steps = [
  { member: 'syncAssets', kind: 'assets.sync', title: 'the asset sync' },
  { member: 'syncDocs', kind: 'docs.sync', title: 'the document sync' },
  { member: 'reloadGraph', kind: 'graph.reload', title: 'the graph reload' },
] as const

/**
 * Queues the requested steps. A step that is already queued or running is not queued again. Errors:
 * `not_found`; `forbidden` without one of the permissions on the repository.
 */
async function processRepository(call: Call, { id, ...input }: Input): Promise<OutputOf<Process>> {
  const requested = steps.filter(({ member }) => input[member] === true)
  return call.write(async (call) => {
    const repository = await requireProcessable(call, id)
    const queued: QueuedStep[] = []
    for (const step of requested) queued.push(await queueStep(call, { step, repository }))
    return { message: messageOf(queued) }
  })
}

/** Errors: `forbidden` if the caller may only see the repository; `not_found` otherwise. */
async function requireProcessable(call: Call, ref: string): Promise<Stored<'repository'>> {
  const found = await byIdOrName(call.store.records, 'repository', ref)
  const may = found && keys.some((key) => mayDo(call.identity.permissions, key, { repositoryId: found.id }))
  if (found && may) return found
  if (found && maySeeRepository(call, found.id)) throw notPermitted(keys)
  throw new QuireError('not_found', `There is no repository "${ref}" that you may see.`)
}

interface QueuedStep {
  readonly title: string
  readonly job: Job
  /** Whether the job was already queued or running. */
  readonly isJoined: boolean
}

async function queueStep(
  call: WriteCall,
  { step: { kind, title }, repository }: { step: (typeof steps)[number]; repository: Stored<'repository'> },
): Promise<QueuedStep> {
  const { id: repositoryId } = repository
  const created = newJob(call, {
    kind,
    repositoryId,
    subject: repositoryId,
    key: `${kind}:${repositoryId}`,
    maxAttempts: 3,
  })
  const job = await call.enqueue(created)
  return { title, job, isJoined: job.id !== created.id }
}

function messageOf(queued: readonly QueuedStep[]): string {
  if (queued.length === 0)
    return 'Nothing was requested. Set at least one of syncAssets, syncDocs and reloadGraph to true.'
  const named = (isJoined: boolean) =>
    queued
      .filter((one) => one.isJoined === isJoined)
      .map(({ title, job }) => `${title} (${job.id})`)
      .join(', ')
  const sentences = [
    ...(named(false) === '' ? [] : [`Queued: ${named(false)}.`]),
    ...(named(true) === '' ? [] : [`Already queued or running: ${named(true)}.`]),
  ]
  return [...sentences, 'Follow them at /api/queue.'].join(' ')
}
