import type { EngineAnswer, WorkflowHistoryEntry, WorkflowInfo } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import type { JsonObject, UserRef } from '../../ports/index.ts'
import type { PendingAction, WorkflowCallback, WorkflowRecord } from './records.ts'
import { actionEntry, optional, toSeconds, updateEntry, withEntry } from './entries.ts'

/** A message of an engine. */
interface Report<T> {
  readonly given: T
  /** Unix ms at which it arrived. */
  readonly at: number
  /** Whether the package was merged before. The message is then only added to the history. */
  readonly isMerged?: boolean | undefined
}

/**
 * The result of a callback: it has to wait for a pending answer (`held`), is from another instance
 * (`mismatch`), says nothing new (`same`), or changes the workflow.
 */
export type CallbackResult = 'held' | 'mismatch' | 'same' | WorkflowRecord

/** Whether a workflow has ended. Before the merge, its engine can resume it (decision 0040). */
export function isEnded({ status }: Pick<EngineAnswer, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** Whether a process is waiting for the engine's answer. `at` is in Unix ms. */
export function isAsking({ pending }: Pick<WorkflowRecord, 'pending'>, at: number): boolean {
  return pending !== null && pending.until > at
}

/** `problem`: why the engine did not accept a cancel, which takes effect anyway. */
interface AnswerReport extends Report<EngineAnswer> {
  readonly problem?: string | undefined
}

/** An answer older than a callback only adds to the history, unless it ends the workflow. */
export function applyAnswer(
  record: WorkflowRecord,
  pending: PendingAction,
  report: AnswerReport,
): WorkflowRecord {
  const { info } = record
  const ended = { id: pending.id, isInUse: true }
  if (pending.event === 'start') {
    const { connectionId } = pending
    return {
      ...record,
      connectionId,
      pending: null,
      ended,
      info: startOrComplete(info, pending, report),
    }
  }
  if (!info) return { ...record, pending: null, ended }
  const { given, at, isMerged } = report
  const isOld = isMerged === true || (pending.isOvertaken && (isEnded(info) || !isEnded(given)))
  const next = isOld && pending.event !== 'cancel' ? info : applyChange(info, endIfCancel(pending, given), at)
  const entry = actionEntry(pending, {
    at,
    fromStep: info.currentStep,
    toStep: next.currentStep,
    instance: next.workflowInstanceId,
  })
  return { ...record, pending: null, ended, info: withProblem(withEntry(next, entry), report) }
}

/** A cancelled workflow has ended, whatever status its engine sends. */
function endIfCancel({ event }: PendingAction, given: EngineAnswer): EngineAnswer {
  return event === 'cancel' && !isEnded(given) ? { ...given, status: 'cancelled' } : given
}

/** Adds the reason why the engine did not accept the action to the history. */
function withProblem(info: WorkflowInfo, { problem, at }: AnswerReport): WorkflowInfo {
  if (problem === undefined) return info
  const { currentStep, workflowInstanceId } = info
  const about = { at, toStep: currentStep, comment: problem, instance: workflowInstanceId }
  return withEntry(info, updateEntry(info, about))
}

/**
 * Ends the pending action without effect; null if there is no workflow. A repeated start is
 * retained as given up: the engine may have accepted an earlier attempt, and a callback can still
 * adopt it.
 */
export function applyRefusal(record: WorkflowRecord): WorkflowRecord | null {
  const { info, pending } = record
  if (!pending) return record
  const ended = { id: pending.id, isInUse: pending.isAdopted }
  if (pending.event === 'start' && !pending.isAdopted && pending.tries > 1)
    return { ...record, ended, pending: { ...pending, until: 0, isGivenUp: true } }
  return info ? { ...record, ended, pending: null } : null
}

/** Without a conclusive answer, the action stays pending for a retry, unless this was the last. */
export function applyUnknown(
  record: WorkflowRecord,
  { at, isLast }: { at: number; isLast: boolean },
): WorkflowRecord {
  const { pending } = record
  if (!pending) return record
  const until = Math.min(pending.until, at)
  if (!isLast) return { ...record, pending: { ...pending, until } }
  return applyRefusal(record) ?? { ...record, pending: { ...pending, until: 0, isGivenUp: true } }
}

/** The engine no longer knows the instance. With the status `error`, the review can start again. */
export function applyLostInstance(
  record: WorkflowRecord,
  { reason, at }: { reason: string; at: number },
): WorkflowRecord | null {
  const after = applyRefusal(record)
  if (!after?.info || isEnded(after.info)) return after
  const { currentStep, workflowInstanceId } = after.info
  const entry = updateEntry(after.info, {
    at,
    toStep: currentStep,
    comment: reason,
    instance: workflowInstanceId,
  })
  return { ...after, info: withEntry({ ...after.info, status: 'error' }, entry) }
}

/** Applies a status that the engine reports by itself. */
export function applyCallback(record: WorkflowRecord, report: Report<WorkflowCallback>): CallbackResult {
  const { info, pending } = record
  const { given, at } = report
  // Callbacks that were held when a process ended come before this one.
  const othersWait = pending !== null && record.held.length > 0
  if (isAsking(record, at) || othersWait) return 'held'
  if (!info || isFromOtherInstance(info, given))
    return report.isMerged ? 'mismatch' : adoptIfStarting(record, report)
  if (isKnown(info, given)) return 'same'
  if (report.isMerged) return applyAfterMerge(record, info, report)
  return overtake(record, { ...applyUpdate(info, report), workflowInstanceId: given.workflowInstanceId })
}

/** Stores the status of a callback, which is newer than any answer to the pending action. */
function overtake(record: WorkflowRecord, info: WorkflowInfo): WorkflowRecord {
  const { pending } = record
  if (!pending) return { ...record, info }
  if (pending.isAdopted) return storeAdopted(record, pending, info)
  // A callback of the previous instance does not show that the pending start took effect.
  return { ...record, info, pending: { ...pending, isOvertaken: pending.event !== 'start' } }
}

/** A callback of a new instance shows that a start whose answer was lost took effect. */
function adoptIfStarting(record: WorkflowRecord, report: Report<WorkflowCallback>): CallbackResult {
  const { pending, info } = record
  const { workflowInstanceId } = report.given
  const wasBefore = info?.history.some((entry) => entry.externalReference === workflowInstanceId) === true
  return pending?.event === 'start' && !pending.isAdopted && !wasBefore
    ? adoptStart(record, pending, report)
    : 'mismatch'
}

/** If the engine gave no id for the instance, a callback of any instance counts. */
function isFromOtherInstance({ workflowInstanceId: known }: WorkflowInfo, given: WorkflowCallback): boolean {
  return known !== undefined && known !== given.workflowInstanceId
}

/** Only adds an entry to the history, because the package was merged. */
function applyAfterMerge(
  record: WorkflowRecord,
  info: WorkflowInfo,
  { given, at }: Report<WorkflowCallback>,
): 'same' | WorkflowRecord {
  const { status, currentStep, workflowInstanceId: instance } = given
  const words = `Reported after the merge, without effect: ${status}, at "${currentStep}".`
  const comment = given.comment === undefined ? words : `${words} ${given.comment}`
  const last = info.history.at(-1)
  if (last?.action === 'status_update' && last.comment === comment) return 'same'
  const entry = updateEntry(info, { at, toStep: info.currentStep, comment, instance })
  return { ...record, info: withEntry(info, entry) }
}

/** `start` if a callback shows that a start whose answer was lost took effect. */
export function eventOfCallback(before: WorkflowRecord, after: WorkflowRecord): 'start' | 'status_update' {
  const isAnother = before.info?.workflowInstanceId !== after.info?.workflowInstanceId
  return isAnother && before.pending?.event === 'start' ? 'start' : 'status_update'
}

/** Assigns the current step and adds that to the history. `at` is in Unix ms. */
export function assignTo(
  info: WorkflowInfo,
  { assignee, by, comment, at }: { assignee: UserRef; by: UserRef; comment: string | undefined; at: number },
): WorkflowInfo {
  const { currentStep } = info
  const entry: WorkflowHistoryEntry = {
    timestamp: at,
    action: 'assign',
    fromStep: currentStep,
    toStep: currentStep,
    user: by,
    ...(comment !== undefined && { comment }),
  }
  return withEntry({ ...info, assignee }, entry)
}

/** Applies the answer to a start. For an adopted start, it only adds what is still missing. */
function startOrComplete(
  before: WorkflowInfo | null,
  pending: PendingAction,
  { given, at }: Report<EngineAnswer>,
): WorkflowInfo {
  if (!before || !pending.isAdopted) return createInfo(before, pending, { given, at })
  const { nextActionUrl, assignee, metadata, steps } = given
  return {
    ...before,
    steps: before.steps.length === 0 && steps ? [...steps] : before.steps,
    ...optional('nextActionUrl', before.nextActionUrl ?? nextActionUrl),
    ...optional('assignee', before.assignee ?? assignee),
    ...optional('metadata', before.metadata ?? metadata),
  }
}

/** A new workflow, with the history of the one before. */
function createInfo(
  before: WorkflowInfo | null,
  pending: PendingAction,
  { given, at }: Report<EngineAnswer>,
): WorkflowInfo {
  const instance = given.workflowInstanceId ?? given.id ?? undefined
  const currentStep = given.currentStep ?? given.steps?.[0]?.name ?? 'start'
  const bare: WorkflowInfo = {
    workflowName: pending.workflowName,
    ...optional('workflowInstanceId', instance),
    currentStep,
    status: 'active',
    startedAt: toSeconds(pending.sentAt),
    steps: [],
    history: before?.history ?? [],
  }
  return withEntry(
    applyChange(bare, given, at),
    actionEntry(pending, { at, fromStep: null, toStep: currentStep, instance }),
  )
}

/** Starts the workflow from a callback. The action stays pending: its answer has the steps. */
function adoptStart(
  record: WorkflowRecord,
  pending: PendingAction,
  { given, at }: Report<WorkflowCallback>,
): WorkflowRecord {
  const { workflowInstanceId, currentStep } = given
  const begun = createInfo(record.info, pending, {
    given: { workflowInstanceId, currentStep, status: 'active' },
    at,
  })
  const { connectionId } = pending
  const info = applyUpdate(begun, { given, at })
  return storeAdopted({ ...record, connectionId }, pending, info)
}

/** Once the workflow has ended, the answer to its start is no longer needed. */
function storeAdopted(record: WorkflowRecord, pending: PendingAction, info: WorkflowInfo): WorkflowRecord {
  if (!isEnded(info)) return { ...record, pending: { ...pending, isAdopted: true }, info }
  return { ...record, pending: null, ended: { id: pending.id, isInUse: true }, info }
}

function applyUpdate(info: WorkflowInfo, { given, at }: Report<WorkflowCallback>): WorkflowInfo {
  const { comment, workflowInstanceId: instance, currentStep: toStep } = given
  const entry = updateEntry(info, { at, toStep, comment, instance })
  return withEntry(applyChange(info, given, at), entry)
}

type Change = Omit<EngineAnswer, 'workflowInstanceId' | 'id'>

/** Absent members stay, null removes a member. The next step does not have the same assignee. */
function applyChange(info: WorkflowInfo, change: Change, at: number): WorkflowInfo {
  const { nextActionUrl, assignee, metadata, completedAt, ...rest } = info
  const currentStep = change.currentStep ?? info.currentStep
  const stays = currentStep === info.currentStep ? assignee : undefined
  const next: WorkflowInfo = {
    ...rest,
    currentStep,
    status: change.status ?? info.status,
    steps: change.steps ? [...change.steps] : info.steps,
    ...optional('nextActionUrl', change.nextActionUrl === undefined ? nextActionUrl : change.nextActionUrl),
    ...optional('assignee', change.assignee === undefined ? stays : change.assignee),
    ...optional('metadata', change.metadata === undefined ? metadata : change.metadata),
  }
  if (!isEnded(next)) return next
  const isSameEnd = next.status === info.status && completedAt !== undefined
  return { ...next, completedAt: isSameEnd ? completedAt : toSeconds(at) }
}

/** Whether a callback repeats the last one and changes nothing. */
function isKnown(info: WorkflowInfo, given: WorkflowCallback): boolean {
  const last = info.history.at(-1)
  const isLast = last?.action === 'status_update' && last.comment === given.comment
  const next = applyChange(info, given, 0)
  return isLast && isSame(withoutEnd(next), withoutEnd(info))
}

function withoutEnd({ completedAt: _completedAt, history: _history, ...info }: WorkflowInfo): JsonObject {
  // Messages of engines are JSON.
  return info as JsonObject
}
