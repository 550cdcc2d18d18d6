import {
  limits,
  QuireError,
  type Contract,
  type IndexRebuild,
  type OutputOf,
  type ParsedOf,
  type Repository,
  type SearchIndex,
} from '@quire/contract'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { pageOf } from '../call/paging.ts'
import { byIdOrName } from '../lines/lines.ts'
import type { IndexRebuildRecord, Transaction } from '../ports/index.ts'
import { goOnRebuilding } from './rebuild.ts'

type Admin = Contract['admin']

/** What a search index holds (specification 2.13). Errors: `forbidden`, `not_found`. */
export async function showIndex(call: Call, { id }: ParsedOf<Admin['index']>): Promise<SearchIndex> {
  requirePermission(call, 'admin.indexes.view')
  return describe(call, await requireIndex(call, id))
}

/** The search indexes, one for each repository. Errors: `forbidden`. */
export async function listIndexes(
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
  const { environment, shared } = call
  const { name, record } = await call.transaction(async (tx) => {
    const repository = await requireIndex(within(call, tx), id)
    return { name: repository.name, record: await begunRebuild(call, tx, repository.id) }
  })
  const { repositoryId } = record
  shared.afterwards(
    // By the record: one that has just ended is not joined by who began anew.
    shared.join(`index.rebuild ${record.id}`, () =>
      goOnRebuilding(environment, repositoryId, shared.isStopping),
    ),
  )
  return presentRebuild(name, record)
}

/** The rebuild that runs, or a new one. */
async function begunRebuild(call: Call, tx: Transaction, repositoryId: string): Promise<IndexRebuildRecord> {
  const last = await tx.records.find('indexRebuild', rebuildKey(repositoryId))
  if (last?.state === 'running') return last
  if (last) await tx.records.delete('indexRebuild', last.id, last.revision)
  return tx.records.put('indexRebuild', newRebuild(call, repositoryId), 0)
}

async function requireIndex(call: Call, id: string): Promise<Repository> {
  const repository = await byIdOrName(call.store.records, 'repository', id)
  if (!repository) throw new QuireError('not_found', `There is no search index "${id}".`)
  return repository
}

async function describe(call: Call, { id, name }: Repository): Promise<SearchIndex> {
  const info = await call.environment.store.indexes.info(id)
  const last = await call.store.records.find('indexRebuild', rebuildKey(id))
  return { name, ...info, ...(last && { rebuild: presentRebuild(name, last) }) }
}

function rebuildKey(repositoryId: string): string {
  return `repository:${repositoryId}`
}

function newRebuild(call: Call, repositoryId: string): IndexRebuildRecord {
  return {
    id: call.environment.ids.next('JOB'),
    repositoryId,
    state: 'running',
    after: 0,
    done: 0,
    total: 0,
    startedDate: call.now,
    finishedDate: null,
    error: null,
    entry: recordEvent(call, 'INDEX_REBUILT', { kind: 'index', id: repositoryId, repositoryId }),
  }
}

function presentRebuild(
  index: string,
  { id, state, done, total, startedDate, finishedDate, error }: IndexRebuildRecord,
): IndexRebuild {
  return { id, index, state, progress: { done, total }, startedDate, finishedDate, error }
}
