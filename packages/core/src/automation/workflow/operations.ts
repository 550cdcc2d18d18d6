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
import { type Call, requirePermission } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { storeAnswer, storedAnswer } from '../../engine/idempotency.ts'
import type { WorkflowInput } from './engine-request.ts'
import { storeReview } from './review.ts'
import { workflowFailed, outcomeOf } from './outcome.ts'
import { storeAction, openReview, type NextAction } from './intend.ts'
import { requireAssignable, actingProblem, findActor, type WorkflowPosition } from './people.ts'
import { problemOf } from './rules.ts'
import { answerOf, reconcile, type Reconciled } from './reconcile.ts'
import { assignTo, isEnded } from './transitions.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { pageOf } from '../../engine/paging.ts'
import { findRepository } from '../../engine/scope.ts'
import { openPackage, packageJson } from '../../branches/packages/record.ts'
import type { Stored } from '../../ports/index.ts'

export { applyStatus as status } from './status.ts'

/**
 * Starts the review of a package, or acts in it: posts the action to the engine and stores the
 * answer (specification 3.2, 4.8). Without a conclusive answer, the same request is repeated with
 * the same key, by a job and by callers who request the same. Errors: `not_found`, `forbidden`,
 * `invalid`, `workflow_failed`, `package_merged`, `idempotency_mismatch`.
 */
async function actInWorkflow(call: Call, input: WorkflowInput): Promise<Answer<WorkflowOutcome>> {
  const { event } = input
  if (event === 'assign') return assign(call, input)
  for (let round = 0; round < mostRounds; round++) {
    const now: Call = { ...call, now: call.environment.clock.now() }
    const next = await now.write(
      async (now) => (await storedOutcome(now)) ?? storeAction(now, { ...input, event }),
    )
    if (!('pending' in next)) return next
    const reconciled = await reconcile(now, next)
    // If an earlier action was resolved, the caller's own comes next.
    if (next.isOwn || reconciled.asked.kind === 'unknown') return outcomeFor(next, reconciled)
  }
  throw workflowFailed('Other requests are changing this workflow. Check its state and try again.', null)
}

/** Rounds in which an earlier action may be resolved first. */
const mostRounds = 3

type StoredOutcome = Serialized<WorkflowOutcome>

/** The answer that is stored for the idempotency key of the call; null if there is none. */
async function storedOutcome(call: Call): Promise<StoredOutcome | null> {
  // Under the key of a call of this operation, only answers of this operation are stored.
  return call.once ? ((await storedAnswer(call, call.once)) as StoredOutcome | null) : null
}

/** Errors: `workflow_failed`, `package_merged`. */
function outcomeFor({ pending, isOwn }: NextAction, reconciled: Reconciled): WorkflowOutcome {
  const { asked, record } = reconciled
  if (asked.kind === 'taken') return answerOf(pending.event, reconciled)
  if (asked.kind === 'refused')
    throw asked.isMerged ? new QuireError('package_merged') : workflowFailed(asked.reason, record)
  const state = isOwn
    ? `It is unknown whether the engine accepted the ${pending.event}`
    : `It is unknown whether the engine accepted the earlier ${pending.event}, so nothing else was done`
  throw workflowFailed(`${asked.reason}. ${state}. The request will be repeated with the same key.`, record)
}

/**
 * Sets who is to act next. The engine is not notified (specification 3.2). Errors: `not_found`,
 * `forbidden`, `invalid`, `workflow_failed`.
 */
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
    const next = assignTo(info, { assignee: to, by: call.identity.ref, comment, at: call.now })
    const after = { ...before, info: next }
    await storeReview(call, { before, after, moves: [{ event: 'assign', record: after }] })
    const answer = outcomeOf('assign', next)
    if (call.once) await storeAnswer(call, { once: call.once, answer })
    return answer
  })
}

type Workflow = Contract['workflow']

/**
 * The workflow of a package, or null. A deleted package can be named by its id. Errors:
 * `not_found`, `forbidden`.
 */
async function getWorkflow(call: Call, ref: ParsedOf<Workflow['get']>): Promise<OutputOf<Workflow['get']>> {
  const found =
    (await findDeletedPackage(call, ref)) ?? (await openPackage(call, ref, 'packages.view')).package
  const record = await call.store.records.get('workflow', found.id)
  return { workflowInfo: record?.info ?? null }
}

/** Errors: `not_found` for the repository; `forbidden` if the caller may not see its packages. */
async function findDeletedPackage(
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
  const mayActIn = mayAct === undefined ? () => true : await createActFilter(call, repositoryId)
  const matching = (await records.list('workflow')).filter((record) => {
    const { info } = record
    return (
      record.repositoryId === repositoryId &&
      info !== null &&
      (status === undefined ? info.status === 'active' || info.status === 'error' : info.status === status) &&
      (userName === undefined || info.assignee?.userName === userName) &&
      mayActIn({ ...record, info }) === (mayAct ?? true)
    )
  })
  const { items, ...rest } = pageOf(matching, page)
  const reviews = await Promise.all(items.map(async (record) => serializeReview(call, record)))
  return { ...rest, items: reviews }
}

/** Returns a check whether the caller may currently act in a workflow of the repository. */
async function createActFilter(call: Call, repositoryId: string): Promise<(at: WorkflowPosition) => boolean> {
  if (!mayDo(call.identity.permissions, 'workflow.act', { repositoryId })) return () => false
  const actor = await findActor(call)
  return (at) => !isEnded(at.info) && actingProblem(actor, at) === null
}

async function serializeReview({ store }: Call, { id, info }: Stored<'workflow'>): Promise<Review> {
  const found = await store.records.get('package', id)
  if (!found || !info) throw new QuireError('internal', `The workflow ${id} has no package.`)
  const history = info.history.slice(-limits.workflowInboxHistory)
  return { package: packageJson(found), workflowInfo: { ...info, history } }
}

export { actInWorkflow as event, getWorkflow as get, listReviews as inbox }
