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

/** Something that happened in a workflow, and what is known of it afterwards. */
export interface Move {
  readonly event: PendingAction['event'] | 'status_update' | 'assign'
  readonly record: WorkflowRecord
}

/** What is to be kept of a workflow. */
interface StoredReview {
  readonly before: Stored<'workflow'> | null
  /** Null: there is none any more. */
  readonly after: WorkflowRecord | null
  /** What happened, in order; the last one led to `after`. */
  readonly moves: readonly Move[]
  /** What was asked, where that is what happened. */
  readonly pending?: PendingAction
}

/** Keeps a workflow with all that follows from it: the state of its package, the journal, the merge of what completed. */
export async function storeReview(
  call: WriteCall,
  { before, after, moves, pending }: StoredReview,
): Promise<void> {
  if (after) await call.store.records.put('workflow', plain(after), before?.revision ?? 0)
  else if (before) await call.store.records.delete('workflow', before.id, before.revision)
  let last: WorkflowInfo | null = before?.info ?? null
  for (const { event, record } of moves) {
    if (record.info) await follow(call, { event, id: record.id, from: last, to: record.info, pending })
    last = record.info
  }
}

interface Followed {
  readonly event: Move['event']
  readonly id: string
  readonly from: WorkflowInfo | null
  readonly to: WorkflowInfo
  readonly pending: PendingAction | undefined
}

async function follow(call: WriteCall, followed: Followed): Promise<void> {
  const { event, id, from, to, pending } = followed
  const found = await call.store.records.get('package', id)
  // What was merged or deleted meanwhile stays that.
  if (!found || found.state === 'merged' || found.state === 'deleted') return
  await call.record(reviewEvent(call, found, followed))
  if (event === 'cancel' && pending && (await isDiscarded(call, { found, pending }))) return
  await moveOn(call, { found, followed })
  if (to.status === 'completed' && from?.status !== 'completed') await mergeLater(call, found)
}

/** The package goes with its review. */
async function moveOn(
  call: WriteCall,
  { found, followed: { event, from, to } }: { found: Stored<'package'>; followed: Followed },
): Promise<void> {
  if (event === 'assign') return
  const state = packageStateAfter(found.state, event, { status: to.status, was: from?.status })
  if (state !== found.state) await storeChanged(call, { ...withoutPlans(found), state })
}

/** What was to be merged, or could not be, is looked at anew. */
function withoutPlans({
  mergeAt: _mergeAt,
  mergeError: _mergeError,
  ...found
}: Stored<'package'>): Stored<'package'> {
  return found
}

function reviewEvent(
  call: Call,
  about: Stored<'package'>,
  { event, from, to: { currentStep, status } }: Followed,
): JournalEntry {
  const details = { action: event, fromStep: from?.currentStep ?? null, toStep: currentStep, status }
  return packageEvent(call, 'PACKAGE_WORKFLOW', { about, details })
}

/**
 * Deletes a package whose review was cancelled, as who cancelled it: what others brought meanwhile, that one may not delete, keeps it. Answers
 * whether it is gone.
 */
async function isDiscarded(
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

/** A merge of what completed is a job: that it fails does not undo that the review completed. */
async function mergeLater(call: WriteCall, { id, name, repositoryId }: Stored<'package'>): Promise<void> {
  const repository = await call.store.records.get('repository', repositoryId)
  if (!repository?.settings.workflow.autoMerge) return
  const wanted = {
    kind: completionKind,
    repositoryId,
    subject: id,
    key: `${completionKind}:${id}`,
    payload: { packageName: name },
    maxAttempts: 5,
  }
  await call.enqueue(newJob(call, wanted))
}

/** A record as it is put: what was read carries its revision. */
function plain(record: WorkflowRecord | Stored<'workflow'>): WorkflowRecord {
  return 'revision' in record ? plainRecord(record) : record
}

/**
 * Where the package stands after what happened: `reject` opens it for changes, which it stays until somebody acts again. `was`: the status of
 * the workflow before; one that is active again is under review again.
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

/** An event that is told to the engine. */
export interface ActionInput extends WorkflowInput {
  readonly event: PendingAction['event']
}

/** Something that somebody wants of a review. */
export interface ActionContext {
  readonly scope: PackageScope
  readonly before: Stored<'workflow'> | null
  readonly input: ActionInput
}

/** An action of the caller as it is kept before the engine is asked. */
export function pendingOf(
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
