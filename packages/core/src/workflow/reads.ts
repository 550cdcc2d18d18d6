import { limits, QuireError, type Contract, type OutputOf, type ParsedOf, type Review } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import { openPackage } from '../packages/record.ts'
import type { Stored } from '../ports/index.ts'
import { actingProblem, actorOf, type Acting } from './people.ts'
import { isEnded } from './transitions.ts'

type Workflow = Contract['workflow']

/** Where the review of a package stands; of a deleted one by its id. Errors: `not_found`, `forbidden`. */
export async function getWorkflow(
  call: Call,
  ref: ParsedOf<Workflow['get']>,
): Promise<OutputOf<Workflow['get']>> {
  const found = (await tombstoneOf(call, ref)) ?? (await openPackage(call, ref, 'packages.view')).package
  const record = await call.store.records.get('workflow', found.id)
  return { workflowInfo: record?.info ?? null }
}

/** A package that was deleted, by its id, for who may see packages there. */
async function tombstoneOf(
  call: Call,
  { repo, packageName }: ParsedOf<Workflow['get']>,
): Promise<Stored<'package'> | null> {
  const repository = await findRepository(call, repo)
  const found = await call.store.records.get('package', packageName)
  if (found?.state !== 'deleted' || found.repositoryId !== repository.id) return null
  requirePermission(call, 'packages.view', { repositoryId: repository.id })
  return found
}

/** The packages under review. Errors: `not_found`, `forbidden`. */
export async function listReviews(
  call: Call,
  { repo, assignee, mayAct, status, ...page }: ParsedOf<Workflow['inbox']>,
): Promise<OutputOf<Workflow['inbox']>> {
  const { id: repositoryId } = await findRepository(call, repo)
  requirePermission(call, 'packages.view', { repositoryId })
  const { records } = call.store
  const userName = assignee === 'me' ? call.identity.id : assignee
  const isWanted = mayAct === undefined ? () => true : await canActIn(call, repositoryId)
  const wanted = (await records.list('workflow')).filter((record) => {
    const { info } = record
    return (
      record.repositoryId === repositoryId &&
      info !== null &&
      (status === undefined ? info.status === 'active' || info.status === 'error' : info.status === status) &&
      (userName === undefined || info.assignee?.userName === userName) &&
      isWanted({ ...record, info }) === (mayAct ?? true)
    )
  })
  const { items, ...rest } = pageOf(wanted, page)
  const reviews = await Promise.all(items.map(async (record) => reviewOf(call, record)))
  return { ...rest, items: reviews }
}

/** Tells of workflows of a repository whether the caller may act in them now. */
async function canActIn(call: Call, repositoryId: string): Promise<(at: Acting) => boolean> {
  if (!mayDo(call.identity.permissions, 'workflow.act', { repositoryId })) return () => false
  const actor = await actorOf(call)
  return (at) => !isEnded(at.info) && actingProblem(actor, at) === null
}

async function reviewOf({ store }: Call, { id, info }: Stored<'workflow'>): Promise<Review> {
  const found = await store.records.get('package', id)
  if (!found || !info) throw new QuireError('internal', `The workflow of ${id} is of no package.`)
  const history = info.history.slice(-limits.workflowInboxHistory)
  return { package: plainRecord(found), workflowInfo: { ...info, history } }
}
