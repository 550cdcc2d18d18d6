import type { Contract, OutputOf, ParsedOf, QueryAnswer, SavedQuery } from '@quire/contract'
import type { Answer, Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord, presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import type { Stored } from '../ports/index.ts'
import { filledQuery, requireSoundTemplate } from './parameters.ts'
import { answerQuery, placeToQuery } from './run.ts'

type Group = Contract['savedQueries']

/** The saved queries of a repository. Errors: `not_found`, `forbidden`. */
export async function listQueries(
  call: Call,
  { configId, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const repositoryId = await requireRepository(call, 'queries.run', configId)
  const all = await call.store.records.list('savedQuery')
  return pageOf(all.filter((query) => query.repositoryId === repositoryId).map(plainRecord), page)
}

/** One saved query. Errors: `not_found`, `forbidden`. */
export async function getQuery(call: Call, input: ParsedOf<Group['get']>): Promise<Presented<SavedQuery>> {
  const repositoryId = await requireRepository(call, 'queries.run', input.configId)
  return presentRecord<'savedQuery'>(await findQuery(call, repositoryId, input.name))
}

/** Saves a query. Errors: `not_found`, `forbidden`, `name_taken`; `invalid` for what could not be run by anybody. */
export async function createQuery(
  call: Call,
  { configId, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<SavedQuery>> {
  requireSoundTemplate(said)
  return call.transaction(async (tx) => {
    const repositoryId = await requireRepository(within(call, tx), 'queries.save', configId)
    const { ref } = call.identity
    const query: SavedQuery = {
      id: call.environment.ids.next('QURY'),
      repositoryId,
      ...said,
      createdDate: call.now,
      updatedDate: call.now,
      createdByUser: ref,
      updatedByUser: ref,
    }
    const stored = await tx.records.put('savedQuery', query, 0)
    await tx.journal.record(recordEvent(call, 'QUERY_CREATED', subject(stored)))
    return presentRecord<'savedQuery'>(stored)
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid`. */
export async function updateQuery(
  call: Call,
  { configId, name, ...patch }: ParsedOf<Group['update']>,
): Promise<Presented<SavedQuery>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const repositoryId = await requireRepository(inside, 'queries.save', configId)
    const { revision, ...query } = await findQuery(inside, repositoryId, name)
    const changed: SavedQuery = {
      ...query,
      ...sentMembers(patch),
      updatedDate: call.now,
      updatedByUser: call.identity.ref,
    }
    requireSoundTemplate(changed)
    const stored = await tx.records.put('savedQuery', changed, revision)
    await tx.journal.record(recordEvent(call, 'QUERY_UPDATED', subject(stored)))
    return presentRecord<'savedQuery'>(stored)
  })
}

/** Deletes a saved query. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function deleteQuery(call: Call, input: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const repositoryId = await requireRepository(inside, 'queries.save', input.configId)
    const query = await findQuery(inside, repositoryId, input.name)
    await tx.records.delete('savedQuery', query.id, query.revision)
    await tx.journal.record(recordEvent(call, 'QUERY_DELETED', subject(query)))
    return undefined
  })
}

/**
 * Runs a saved query with the rights of the caller, whoever saved it. Errors: `not_found`, `forbidden`; `invalid` naming parameters that are
 * unknown, missing or of another kind, and the fields that there are not for this caller.
 */
export async function runSaved(
  call: Call,
  { configId, packageName, name, parameters = {}, limit, cursor }: ParsedOf<Contract['queries']['runSaved']>,
): Promise<Answer<QueryAnswer>> {
  const place = await placeToQuery(call, { configId, packageName })
  const saved = await findQuery(call, place.repository.id, name)
  const query = filledQuery(saved, parameters)
  return answerQuery(call, place, { ...query, limit: limit ?? query.limit, cursor })
}

function subject({ id, repositoryId }: SavedQuery) {
  return { kind: 'savedQuery', id, repositoryId }
}

async function requireRepository(
  call: Call,
  key: 'queries.run' | 'queries.save',
  configId: string,
): Promise<string> {
  const { id: repositoryId } = await findRepository(call, configId)
  requirePermission(call, key, { repositoryId })
  return repositoryId
}

async function findQuery(call: Call, repositoryId: string, name: string): Promise<Stored<'savedQuery'>> {
  const found = await call.store.records.find('savedQuery', `name:${repositoryId}/${name}`)
  return requireRecord<'savedQuery'>(call, found, `saved query "${name}"`)
}
