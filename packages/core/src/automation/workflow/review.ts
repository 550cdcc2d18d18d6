import { QuireError, type WorkflowInfo, type PackageState, type WorkflowStatus } from '@quire/contract'
import { callAs, principalOf, storedPrincipal } from '../../engine/system-call.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { newJob } from '../../engine/job.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { discardPackage } from '../../branches/packages/create-delete.ts'
import { packageEvent, storeChanged, type PackageScope } from '../../branches/packages/record.ts'
import { requireDiscardable } from '../../branches/packages/rights.ts'
import { type PendingAction, type WorkflowRecord, completionKind } from './records.ts'
import type { EngineRequest, WorkflowInput } from './engine-request.ts'
import type { JournalEntry, OwnHead, Stored } from '../../ports/index.ts'

/** An event of a workflow, and the workflow after it. */
export interface Move {
  readonly event: PendingAction['event'] | 'status_update' | 'assign'
  readonly record: WorkflowRecord
}

interface ReviewUpdate {
  readonly before: Stored<'workflow'> | null
  /** Null removes the workflow. */
  readonly after: WorkflowRecord | null
  /** The events in order. The last one led to `after`. */
  readonly moves: readonly Move[]
  /** The action that was posted to the engine, if this update is its outcome. */
  readonly pending?: PendingAction
}

/**
 * Stores a workflow and its consequences: the state of its package, the journal, and the merge of a
 * completed package.
 */
export async function storeReview(
  call: WriteCall,
  { before, after, moves, pending }: ReviewUpdate,
): Promise<void> {
  if (after) await call.store.records.put('workflow', plain(after), before?.revision ?? 0)
  else if (before) await call.store.records.delete('workflow', before.id, before.revision)
  let last: WorkflowInfo | null = before?.info ?? null
  for (const { event, record } of moves) {
    if (record.info) await applyMove(call, { event, id: record.id, from: last, to: record.info, pending })
    last = record.info
  }
}

interface ReviewChange {
  readonly event: Move['event']
  readonly id: string
  readonly from: WorkflowInfo | null
  readonly to: WorkflowInfo
  readonly pending: PendingAction | undefined
}

async function applyMove(call: WriteCall, change: ReviewChange): Promise<void> {
  const { event, id, from, to, pending } = change
  const found = await call.store.records.get('package', id)
  // A package that was merged or deleted in the meantime stays as it is.
  if (!found || found.state === 'merged' || found.state === 'deleted') return
  await call.record(reviewEvent(call, found, change))
  if (event === 'cancel' && pending && (await discardAsCanceller(call, { found, pending }))) return
  await updatePackageState(call, { found, change })
  if (to.status === 'completed' && from?.status !== 'completed') await queueMerge(call, found)
}

async function updatePackageState(
  call: WriteCall,
  { found, change: { event, from, to } }: { found: Stored<'package'>; change: ReviewChange },
): Promise<void> {
  if (event === 'assign') return
  const state = packageStateAfter(found.state, event, { status: to.status, was: from?.status })
  if (state !== found.state) await storeChanged(call, { ...withoutMergePlan(found), state })
}

/** Removes a planned merge and the error of a failed one: neither applies to the new state. */
function withoutMergePlan({
  mergeAt: _mergeAt,
  mergeError: _mergeError,
  ...found
}: Stored<'package'>): Stored<'package'> {
  return found
}

function reviewEvent(
  call: Call,
  about: Stored<'package'>,
  { event, from, to: { currentStep, status } }: ReviewChange,
): JournalEntry {
  const details = { action: event, fromStep: from?.currentStep ?? null, toStep: currentStep, status }
  return packageEvent(call, 'PACKAGE_WORKFLOW', { about, details })
}

/**
 * Deletes a package whose review was cancelled, with the permissions of the canceller. Returns
 * false if others have added changes in the meantime that the canceller may not delete; the package
 * then remains.
 */
async function discardAsCanceller(
  call: Call,
  { found, pending }: { found: Stored<'package'>; pending: PendingAction },
): Promise<boolean> {
  const branch = { repositoryId: found.repositoryId, packageId: found.id }
  const canceller = await callAs(call, principalOf(pending.principal)).catch(() => null)
  if (!canceller) return false
  try {
    await call.write((call) => {
      const check = (head: OwnHead) => requireDiscardable(call, head)
      return discardPackage(call, { found, branch, check })
    })
    return true
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return false
    throw error
  }
}

/**
 * Queues the merge of a completed package. It is a job, so that a failing merge does not undo the
 * completion of the review.
 */
async function queueMerge(call: WriteCall, { id, name, repositoryId }: Stored<'package'>): Promise<void> {
  const repository = await call.store.records.get('repository', repositoryId)
  if (!repository?.settings.workflow.autoMerge) return
  const request = {
    kind: completionKind,
    repositoryId,
    subject: id,
    key: `${completionKind}:${id}`,
    payload: { packageName: name },
    maxAttempts: 5,
  }
  await call.enqueue(newJob(call, request))
}

/** Removes the revision that a record has if it was read from the store. */
function plain(record: WorkflowRecord | Stored<'workflow'>): WorkflowRecord {
  return 'revision' in record ? plainRecord(record) : record
}

/**
 * The state of a package after an event of its review. `reject` opens it for changes until somebody
 * acts again. A workflow that becomes active again puts it under review again; `was` is the status
 * of the workflow before.
 */
export function packageStateAfter(
  before: PackageState,
  event: PendingAction['event'] | 'status_update',
  { status, was }: { status: WorkflowStatus; was: WorkflowStatus | undefined },
): PackageState {
  if (event === 'status_update' && status === was) return before
  if (status === 'completed' || status === 'error') return status
  if (status === 'cancelled') return 'open'
  return event === 'reject' ? 'open' : 'inReview'
}

/** An event that is posted to the engine. */
export interface ActionInput extends WorkflowInput {
  readonly event: PendingAction['event']
}

/** A requested action, with the package and its workflow. */
export interface ActionContext {
  readonly scope: PackageScope
  readonly before: Stored<'workflow'> | null
  readonly input: ActionInput
}

/** An action of the caller, to be stored before it is posted to the engine. */
export function createPendingAction(
  call: Call,
  { event, comment, targetStep }: ActionInput,
  request: EngineRequest,
): PendingAction {
  const { environment, identity, now, once } = call
  return {
    ...request,
    id: environment.ids.next('WFAC'),
    event,
    user: identity.ref,
    principal: storedPrincipal(call),
    ...(comment !== undefined && { comment }),
    ...(targetStep !== undefined && { targetStep }),
    sentAt: now,
    until: now + request.timeoutMs,
    tries: 1,
    isOvertaken: false,
    isAdopted: false,
    isGivenUp: false,
    once: once ? [once] : [],
  }
}
