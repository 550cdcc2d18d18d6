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
import { pageOf } from '../call/paging.ts'
import { byIdOrName } from '../lines/lines.ts'
import type { IndexRebuildRecord } from '../ports/index.ts'
import { beginRebuild, goOn, rebuildKey } from './begin-rebuild.ts'

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
  const { name, record } = await call.transaction(async (tx) => {
    const repository = await requireIndex(within(call, tx), id)
    return { name: repository.name, record: await beginRebuild(call, tx, repository.id) }
  })
  void goOn(call, record)
  return presentRebuild(name, record)
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

function presentRebuild(
  index: string,
  { id, state, done, total, startedDate, finishedDate, error }: IndexRebuildRecord,
): IndexRebuild {
  return { id, index, state, progress: { done, total }, startedDate, finishedDate, error }
}
