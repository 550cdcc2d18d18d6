import { QuireError, type PermissionKey, type WorkflowOutcome, type WorkflowInfo } from '@quire/contract'
import type { Answer } from '../../engine/answer.ts'
import { type Call, type WriteCall, requirePermission } from '../../engine/call.ts'
import { newJob } from '../../engine/job.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { openPackage, type PackageScope } from '../../branches/packages/record.ts'
import type { Stored } from '../../ports/index.ts'
import { type PendingAction, type WorkflowRecord, reconcileKey, reconcileKind } from './records.ts'
import { actionRequest, startRequest, type EngineRequest, type WorkflowInput } from './engine-request.ts'
import { pendingOf, type ActionInput, type ActionContext, storeReview } from './review.ts'
import { workflowFailed, outcomeOf } from './outcome.ts'
import { isRepeated, problemOf } from './rules.ts'
import { isAsking, isEnded, accepted } from './transitions.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { discardPackage } from '../../branches/packages/create-delete.ts'
import { requireMayAct } from './people.ts'

/** What the engine is asked next. */
export interface Intended {
  readonly packageId: string
  readonly pending: PendingAction
  /** Whether that is what the caller wants; else it is what has to be settled before. */
  readonly isOwn: boolean
}

/** What permits each event. */
const eventKeys: Readonly<Record<WorkflowInput['event'], PermissionKey>> = {
  start: 'workflow.start',
  approve: 'workflow.act',
  reject: 'workflow.act',
  route: 'workflow.act',
  cancel: 'workflow.act',
  assign: 'workflow.assign',
}

/** Where a workflow stands, for a caller who holds the key of an event. Errors: `not_found`, `forbidden`. */
export async function openReview(
  call: Call,
  { event, repositoryId, packageName }: WorkflowInput,
): Promise<{ scope: PackageScope; before: Stored<'workflow'> | null }> {
  const scope = await openPackage(call, { repo: repositoryId, packageName }, eventKeys[event])
  return { scope, before: await call.store.records.get('workflow', scope.package.id) }
}

/**
 * Keeps what the engine is about to be asked, so that a process that ends before the answer is followed by one that asks again, with the
 * same key. What was asked before without an answer that tells is asked first. A cancel of which no engine can be told is done at once.
 * Errors: `not_found`, `forbidden`, `workflow_failed`, `package_merged`, `idempotency_mismatch`.
 */
export async function intend(
  call: WriteCall,
  input: ActionInput,
): Promise<Intended | Answer<WorkflowOutcome>> {
  const { scope, before } = await openReview(call, input)
  requireSameRequest(call, before)
  if (input.event === 'cancel' && !(await isReportedOfCancel(call, { scope, before, input })))
    return cancelUnasked(call, { scope, before, input })
  const intended =
    isUnsettled(before, call.now) && isFirst(before.pending, input)
      ? await askedBefore(call, { scope, before, input })
      : { pending: await newPending(call, { scope, before, input }), isOwn: true }
  const { id, repositoryId } = scope.package
  const { pending } = intended
  const { connectionId } = pending
  const known = before ? plainRecord(before) : { connectionId, info: null, ended: null, held: [] }
  const record: WorkflowRecord = { ...known, id, repositoryId, pending }
  await call.store.records.put('workflow', record, before?.revision ?? 0)
  await askAgainLater(call, { record, pending })
  return { packageId: id, ...intended }
}

/** Whether what was asked before is settled before what is wanted: a cancel deletes, whatever came of it. */
function isFirst(pending: PendingAction, { event }: ActionInput): boolean {
  return event !== 'cancel' || pending.event === 'cancel'
}

/** Whether something was asked without an answer that tells, and is not given up. */
function isUnsettled(
  record: Stored<'workflow'> | null,
  now: number,
): record is Stored<'workflow'> & { pending: PendingAction } {
  return record?.pending?.isGivenUp === false && !isAsking(record, now)
}

/** What was asked before, once more: it is the caller's own where that wants the same. */
async function askedBefore(
  call: Call,
  { scope, before, input }: ActionContext & { before: Stored<'workflow'> & { pending: PendingAction } },
): Promise<Pick<Intended, 'pending' | 'isOwn'>> {
  const request = await requestOf(call, { scope, before, input }).catch(unlessRefused)
  // Who cancels what somebody else cancels wants nothing more.
  const isOwn =
    request !== null &&
    (input.event === 'cancel' || isRepeated(before.pending, { event: input.event, ...request }))
  if (request !== null && !isOwn && isStartedAnew(before.pending, input))
    return { pending: await newPending(call, { scope, before, input }), isOwn: true }
  return { pending: onceMore(call, before.pending, { isOwn }), isOwn }
}

/** Another workflow can be started in place of one of which nobody knows whether it began. */
function isStartedAnew({ event, isAdopted }: PendingAction, wanted: ActionInput): boolean {
  return event === 'start' && !isAdopted && wanted.event === 'start'
}

function unlessRefused(error: unknown): null {
  if (error instanceof QuireError && error.status < 500) return null
  throw error
}

/** The same action, asked again. */
function onceMore({ now, once }: Call, pending: PendingAction, { isOwn }: { isOwn: boolean }): PendingAction {
  const until = now + pending.timeoutMs
  const keys = isOwn && once ? [...pending.once.filter(({ name }) => name !== once.name), once] : pending.once
  return { ...pending, until, tries: pending.tries + 1, isGivenUp: false, once: keys }
}

/** A new action, or a start that was given up, which is asked again. Errors: `workflow_failed`. */
async function newPending(call: Call, { scope, before, input }: ActionContext): Promise<PendingAction> {
  const { event, targetStep } = input
  const { state } = scope.package
  const problem = problemOf({ event, targetStep }, { state, record: before, at: call.now })
  if (problem !== null) throw workflowFailed(problem, before)
  const request = await requestOf(call, { scope, before, input })
  if (event === 'cancel') await requireDeletable(call, scope)
  const last = before?.pending
  if (last && isRepeated(last, { event, ...request })) return onceMore(call, last, { isOwn: true })
  return pendingOf(call, input, request)
}

function requestOf(call: Call, { scope, before, input }: ActionContext): Promise<EngineRequest> {
  return input.event === 'start' ? startRequest(call, scope, input) : actionRequest(call, before, input)
}

/** Errors: `idempotency_mismatch` for a key under which something else is being asked. */
function requireSameRequest({ once }: Call, record: Stored<'workflow'> | null): void {
  const known = record?.pending?.once.find(({ name }) => name === once?.name)
  if (known && known.request !== once?.request) throw new QuireError('idempotency_mismatch')
}

/** Ms after the time of an answer from which on somebody else asks. */
const graceMs = 1000

/** How often a job asks, within some minutes. */
const tries = 6

/** Queues that the engine is asked again, in case that nobody is left who waits for the answer. */
async function askAgainLater(
  call: WriteCall,
  { record, pending }: { record: WorkflowRecord; pending: PendingAction },
): Promise<void> {
  const key = reconcileKey(pending.id)
  const queued = await call.store.jobs.findUnended(key)
  if (queued?.state === 'queued') await call.store.jobs.cancel(queued.id, call.now)
  // One that runs finds that somebody waits, and comes again.
  if (queued?.state === 'running') return
  const { repositoryId, id: subject } = record
  const about = { kind: reconcileKind, repositoryId, subject, key, payload: { actionId: pending.id } }
  await call.enqueue(newJob(call, { ...about, maxAttempts: tries, runAt: pending.until + graceMs }))
}

/** Whether the engine of a workflow is told of a cancel, where it can be. Errors: `package_merged`. */
async function isReportedOfCancel(
  { store: { records } }: Call,
  { scope, before }: ActionContext,
): Promise<boolean> {
  if (scope.package.state === 'merged') throw new QuireError('package_merged')
  if (before?.info?.nextActionUrl === undefined) return false
  return (await records.get('workflowConnection', before.connectionId)) !== null
}

/** Deletes a package whose engine cannot be told: of no workflow, or one that named no address for the next action. */
async function cancelUnasked(
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

/** The history says who cancelled; with that the package is deleted. Errors: `workflow_failed`. */
async function endAsCancelled(
  call: WriteCall,
  { before, input }: Pick<ActionContext, 'input'> & { before: Stored<'workflow'> & { info: WorkflowInfo } },
): Promise<WorkflowInfo | null> {
  const { connectionId, info } = before
  if (!isEnded(info)) await requireMayAct(call, before)
  const about = { connectionId, workflowName: info.workflowName, url: '', body: '{}', timeoutMs: 0 }
  const pending = pendingOf(call, input, about)
  const record = accepted(plainRecord(before), pending, { given: {}, at: call.now })
  await storeReview(call, { before, after: record, moves: [{ event: 'cancel', record }], pending })
  return record.info
}

/** To cancel is to delete. Errors: those of the deletion. */
async function requireDeletable(call: Call, { repository, package: found }: PackageScope): Promise<void> {
  requirePermission(call, 'packages.delete', { repositoryId: repository.id })
  await dryRun(call, (inner) =>
    inner.invoke('packages.delete', { repo: repository.id, packageName: found.name }),
  )
}
