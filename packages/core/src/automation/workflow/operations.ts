import {
  QuireError,
  type WorkflowOutcome,
  limits,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type Review,
} from '@quire/contract'
import type { Answer, Serialized } from '../../engine/answer.ts'
import { type Call, type WriteCall, requirePermission } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { storeAnswer, storedAnswer } from '../../engine/idempotency.ts'
import type { WorkflowInput } from './engine-request.ts'
import { type ActionInput, storeReview } from './review.ts'
import { workflowFailed, outcomeOf } from './outcome.ts'
import { intend, openReview, type Intended } from './intend.ts'
import { requireAssignable, actingProblem, actorOf, type Acting } from './people.ts'
import { problemOf } from './rules.ts'
import { answerOf, reconcile, type Reconciled } from './reconcile.ts'
import { assigned, isEnded } from './transitions.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { pageOf } from '../../engine/paging.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { findRepository } from '../../engine/scope.ts'
import { openPackage } from '../../branches/packages/record.ts'
import type { Stored } from '../../ports/index.ts'

export { applyStatus as status } from './status.ts'

/**
 * Starts the review of a package, or acts in it: the engine is asked, and what it answers is kept (specification 3.2, 4.8). What it may have
 * taken without an answer that tells is asked again with the same key, by a job and by whoever wants the same again.
 * Errors: `not_found`, `forbidden`, `invalid`, `workflow_failed`, `package_merged`, `idempotency_mismatch`.
 */
async function actInWorkflow(call: Call, input: WorkflowInput): Promise<Answer<WorkflowOutcome>> {
  const { event } = input
  if (event === 'assign') return assign(call, input)
  for (let round = 0; round < mostRounds; round++) {
    const now: Call = { ...call, now: call.environment.clock.now() }
    const intended = await now.write((now) => storedOrIntended(now, { ...input, event }))
    if (!('pending' in intended)) return intended
    const settled = await reconcile(now, intended)
    // What was pending before is settled: now this one.
    if (intended.isOwn || settled.asked.kind === 'unknown') return answered(intended, settled)
  }
  throw workflowFailed('Others act in this workflow: look where it stands, and try again.', null)
}

/** Times that something else is settled first. */
const mostRounds = 3

type StoredOutcome = Serialized<WorkflowOutcome>

/** What was answered to the key of the call before; else what the engine is asked. */
async function storedOrIntended(
  call: WriteCall,
  input: ActionInput,
): Promise<Answer<WorkflowOutcome> | Intended> {
  return (await storedOutcome(call)) ?? intend(call, input)
}

async function storedOutcome(call: Call): Promise<StoredOutcome | null> {
  // Only answers of this operation are kept under the key of a call of it.
  return call.once ? ((await storedAnswer(call, call.once)) as StoredOutcome | null) : null
}

/** Errors: `workflow_failed`. */
function answered({ pending, isOwn }: Intended, settled: Reconciled): WorkflowOutcome {
  const { asked, record } = settled
  if (asked.kind === 'taken') return answerOf(pending.event, settled)
  if (asked.kind === 'refused')
    throw asked.isMerged ? new QuireError('package_merged') : workflowFailed(asked.reason, record)
  const what = isOwn
    ? `Whether it took the ${pending.event} is not known`
    : `It is not known whether it took the earlier ${pending.event}, so nothing else is done`
  throw workflowFailed(`${asked.reason}. ${what}: it is asked again with the same key.`, record)
}

/** Says who is to act next; the engine is not asked (specification 3.2). Errors: `not_found`, `forbidden`, `invalid`, `workflow_failed`. */
async function assign(call: Call, input: WorkflowInput): Promise<Answer<WorkflowOutcome>> {
  const { assignee, comment } = input
  if (!assignee) throw invalid([{ path: 'assignee', message: 'is required to assign' }])
  return call.write(async (call) => {
    const stored = await storedOutcome(call)
    if (stored) return stored
    const { scope, before } = await openReview(call, input)
    const { state } = scope.package
    const problem = problemOf({ event: 'assign' }, { state, record: before, at: call.now })
    if (problem !== null || !before?.info) throw workflowFailed(problem ?? 'No workflow is attached.', before)
    const { info } = before
    const to = await requireAssignable(call, { ...before, info, userName: assignee.userName })
    const next = assigned(info, { assignee: to, by: call.identity.ref, comment, at: call.now })
    const after = { ...before, info: next }
    await storeReview(call, { before, after, moves: [{ event: 'assign', record: after }] })
    const answer = outcomeOf('assign', next)
    if (call.once) await storeAnswer(call, { once: call.once, answer })
    return answer
  })
}

type Workflow = Contract['workflow']

/** Where the review of a package stands; of a deleted one by its id. Errors: `not_found`, `forbidden`. */
async function getWorkflow(call: Call, ref: ParsedOf<Workflow['get']>): Promise<OutputOf<Workflow['get']>> {
  const found = (await tombstoneOf(call, ref)) ?? (await openPackage(call, ref, 'packages.view')).package
  const record = await call.store.records.get('workflow', found.id)
  return { workflowInfo: record?.info ?? null }
}

/** A package that was deleted, by its id, for whoever may see packages there. */
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
async function listReviews(
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

export { actInWorkflow as event, getWorkflow as get, listReviews as inbox }
