import { QuireError, type PermissionKey, type WorkflowOutcome, type WorkflowInfo } from '@quire/contract'
import type { Answer } from '../../engine/answer.ts'
import { type Call, type WriteCall, requirePermission } from '../../engine/call.ts'
import { newJob } from '../../engine/job.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { openPackage, type PackageScope } from '../../branches/packages/record.ts'
import type { Stored } from '../../ports/index.ts'
import { type PendingAction, type WorkflowRecord, reconcileKey, reconcileKind } from './records.ts'
import { actionRequest, startRequest, type EngineRequest, type WorkflowInput } from './engine-request.ts'
import { createPendingAction, type ActionInput, type ActionContext, storeReview } from './review.ts'
import { workflowFailed, outcomeOf } from './outcome.ts'
import { isRepeated, problemOf } from './rules.ts'
import { isAsking, isEnded, applyAnswer } from './transitions.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { discardPackage } from '../../branches/packages/create-delete.ts'
import { requireMayAct } from './people.ts'

/** The next action to post to the engine. */
export interface NextAction {
  readonly packageId: string
  readonly pending: PendingAction
  /**
   * Whether this is the caller's action; otherwise it is an earlier one that has to be resolved
   * first.
   */
  readonly isOwn: boolean
}

/** The permission for each event. */
const eventKeys: Readonly<Record<WorkflowInput['event'], PermissionKey>> = {
  start: 'workflow.start',
  approve: 'workflow.act',
  reject: 'workflow.act',
  route: 'workflow.act',
  cancel: 'workflow.act',
  assign: 'workflow.assign',
}

/**
 * Finds a package and its workflow for a caller with the permission for the event. Errors:
 * `not_found`, `forbidden`.
 */
export async function openReview(
  call: Call,
  { event, repositoryId, packageName }: WorkflowInput,
): Promise<{ scope: PackageScope; before: Stored<'workflow'> | null }> {
  const scope = await openPackage(call, { repo: repositoryId, packageName }, eventKeys[event])
  return { scope, before: await call.store.records.get('workflow', scope.package.id) }
}

/**
 * Stores the action before it is posted to the engine. If this process ends before the engine
 * answers, another one asks again with the same key. An earlier action without a conclusive answer
 * comes first. A cancel that no engine can be notified of is carried out at once. Errors:
 * `not_found`, `forbidden`, `workflow_failed`, `package_merged`, `idempotency_mismatch`.
 */
export async function storeAction(
  call: WriteCall,
  input: ActionInput,
): Promise<NextAction | Answer<WorkflowOutcome>> {
  const { scope, before } = await openReview(call, input)
  requireSameRequest(call, before)
  if (input.event === 'cancel' && !(await canNotifyOfCancel(call, { scope, before, input })))
    return cancelWithoutEngine(call, { scope, before, input })
  const next =
    isUnresolved(before, call.now) && comesFirst(before.pending, input)
      ? await repeatEarlier(call, { scope, before, input })
      : { pending: await createPending(call, { scope, before, input }), isOwn: true }
  const { id, repositoryId } = scope.package
  const { pending } = next
  const { connectionId } = pending
  const known = before ? plainRecord(before) : { connectionId, info: null, ended: null, held: [] }
  const record: WorkflowRecord = { ...known, id, repositoryId, pending }
  await call.store.records.put('workflow', record, before?.revision ?? 0)
  await queueRetry(call, { record, pending })
  return { packageId: id, ...next }
}

/**
 * Whether the earlier action is resolved before the requested one. A cancel does not wait: it
 * deletes the package anyway.
 */
function comesFirst(pending: PendingAction, { event }: ActionInput): boolean {
  return event !== 'cancel' || pending.event === 'cancel'
}

/** Whether an action has no conclusive answer, is not being posted now, and is not given up. */
function isUnresolved(
  record: Stored<'workflow'> | null,
  now: number,
): record is Stored<'workflow'> & { pending: PendingAction } {
  return record?.pending?.isGivenUp === false && !isAsking(record, now)
}

/** Repeats the earlier action. It counts as the caller's own if the caller requests the same. */
async function repeatEarlier(
  call: Call,
  { scope, before, input }: ActionContext & { before: Stored<'workflow'> & { pending: PendingAction } },
): Promise<Pick<NextAction, 'pending' | 'isOwn'>> {
  const request = await createRequest(call, { scope, before, input }).catch(nullIfRejected)
  // A second cancel has the same effect as the pending one.
  const isOwn =
    request !== null &&
    (input.event === 'cancel' || isRepeated(before.pending, { event: input.event, ...request }))
  if (request !== null && !isOwn && isRestart(before.pending, input))
    return { pending: await createPending(call, { scope, before, input }), isOwn: true }
  return { pending: repeatAction(call, before.pending, { isOwn }), isOwn }
}

/** Another workflow can be started in place of one that is not known to have started. */
function isRestart({ event, isAdopted }: PendingAction, requested: ActionInput): boolean {
  return event === 'start' && !isAdopted && requested.event === 'start'
}

function nullIfRejected(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

/** The same action for another attempt. The idempotency key of the caller gets its answer, too. */
function repeatAction(
  { now, once }: Call,
  pending: PendingAction,
  { isOwn }: { isOwn: boolean },
): PendingAction {
  const until = now + pending.timeoutMs
  const keys = isOwn && once ? [...pending.once.filter(({ name }) => name !== once.name), once] : pending.once
  return { ...pending, until, tries: pending.tries + 1, isGivenUp: false, once: keys }
}

/** A new action, or another attempt of a start that was given up. Errors: `workflow_failed`. */
async function createPending(call: Call, { scope, before, input }: ActionContext): Promise<PendingAction> {
  const { event, targetStep } = input
  const { state } = scope.package
  const problem = problemOf({ event, targetStep }, { state, record: before, at: call.now })
  if (problem !== null) throw workflowFailed(problem, before)
  const request = await createRequest(call, { scope, before, input })
  if (event === 'cancel') await requireDeletable(call, scope)
  const last = before?.pending
  if (last && isRepeated(last, { event, ...request })) return repeatAction(call, last, { isOwn: true })
  return createPendingAction(call, input, request)
}

function createRequest(call: Call, { scope, before, input }: ActionContext): Promise<EngineRequest> {
  return input.event === 'start' ? startRequest(call, scope, input) : actionRequest(call, before, input)
}

/** Errors: `idempotency_mismatch` for a key that a different pending request uses. */
function requireSameRequest({ once }: Call, record: Stored<'workflow'> | null): void {
  const known = record?.pending?.once.find(({ name }) => name === once?.name)
  if (known && known.request !== once?.request) throw new QuireError('idempotency_mismatch')
}

/** Milliseconds between the timeout of a request and its retry by a job. */
const graceMs = 1000

/** Attempts of the retry job. They span a few minutes. */
const tries = 6

/** Queues a job that asks the engine again, in case this process ends before the answer. */
async function queueRetry(
  call: WriteCall,
  { record, pending }: { record: WorkflowRecord; pending: PendingAction },
): Promise<void> {
  const key = reconcileKey(pending.id)
  const queued = await call.store.jobs.findUnended(key)
  if (queued?.state === 'queued') await call.store.jobs.cancel(queued.id, call.now)
  // A running job finds that another process is waiting for the answer, and runs again later.
  if (queued?.state === 'running') return
  const { repositoryId, id: subject } = record
  const about = { kind: reconcileKind, repositoryId, subject, key, payload: { actionId: pending.id } }
  await call.enqueue(newJob(call, { ...about, maxAttempts: tries, runAt: pending.until + graceMs }))
}

/** Whether the engine of a workflow can be notified of a cancel. Errors: `package_merged`. */
async function canNotifyOfCancel(
  { store: { records } }: Call,
  { scope, before }: ActionContext,
): Promise<boolean> {
  if (scope.package.state === 'merged') throw new QuireError('package_merged')
  if (before?.info?.nextActionUrl === undefined) return false
  return (await records.get('workflowConnection', before.connectionId)) !== null
}

/**
 * Deletes a package without notifying an engine: there is no workflow, or its engine gave no URL
 * for the next action.
 */
async function cancelWithoutEngine(
  call: WriteCall,
  { scope, before, input }: ActionContext,
): Promise<WorkflowOutcome> {
  await requireDeletable(call, scope)
  const info = before?.info
    ? await endAsCancelled(call, { before: { ...before, info: before.info }, input })
    : null
  if (!info) await discardPackage(call, { found: scope.package, branch: scope.branch })
  const answer = outcomeOf('cancel', info)
  if (call.once) await storeAnswer(call, { once: call.once, answer })
  return answer
}

/** Adds the cancel to the history, which also deletes the package. Errors: `workflow_failed`. */
async function endAsCancelled(
  call: WriteCall,
  { before, input }: Pick<ActionContext, 'input'> & { before: Stored<'workflow'> & { info: WorkflowInfo } },
): Promise<WorkflowInfo | null> {
  const { connectionId, info } = before
  if (!isEnded(info)) await requireMayAct(call, before)
  const about = { connectionId, workflowName: info.workflowName, url: '', body: '{}', timeoutMs: 0 }
  const pending = createPendingAction(call, input, about)
  const record = applyAnswer(plainRecord(before), pending, { given: {}, at: call.now })
  await storeReview(call, { before, after: record, moves: [{ event: 'cancel', record }], pending })
  return record.info
}

/**
 * Checks that the caller may delete the package, because a cancel deletes it. Errors: those of the
 * deletion.
 */
async function requireDeletable(call: Call, { repository, package: found }: PackageScope): Promise<void> {
  requirePermission(call, 'packages.delete', { repositoryId: repository.id })
  await dryRun(call, (inner) =>
    inner.invoke('packages.delete', { repo: repository.id, packageName: found.name }),
  )
}
