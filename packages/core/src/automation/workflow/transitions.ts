import type { EngineAnswer, WorkflowHistoryEntry, WorkflowInfo } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import type { JsonObject, UserRef } from '../../ports/index.ts'
import type { PendingAction, WorkflowCallback, WorkflowRecord } from './records.ts'
import { entryOf, optional, seconds, updateEntry, withEntry } from './entries.ts'

/** What an engine told, when it was told. */
interface Reported<T> {
  readonly given: T
  /** Unix ms. */ readonly at: number
  /** Whether the package was merged: what is told then adds to the history, and changes nothing. */
  readonly isMerged?: boolean | undefined
}

/** What a callback comes to: it waits for an answer, is of another instance, was had before, or counts. */
export type Called = 'held' | 'mismatch' | 'same' | WorkflowRecord

/** Whether a workflow has ended. Its engine can take that back until the package is merged (decision 0040). */
export function isEnded({ status }: Pick<EngineAnswer, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** Whether somebody waits for the engine's answer now. */
export function isAsking({ pending }: Pick<WorkflowRecord, 'pending'>, at: number): boolean {
  return pending !== null && pending.until > at
}

/** What came of an action that counts; `problem`: in place of its answer, of what counts although the engine did not take it. */
interface ReportedAnswer extends Reported<EngineAnswer> {
  readonly problem?: string | undefined
}

/** The engine took what was asked. An answer that is older than what it told since adds to the history alone, unless it is the end. */
export function accepted(
  record: WorkflowRecord,
  pending: PendingAction,
  reported: ReportedAnswer,
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
      info: startedOrCompleted(info, pending, reported),
    }
  }
  if (!info) return { ...record, pending: null, ended }
  const { given, at, isMerged } = reported
  const isOld = isMerged === true || (pending.isOvertaken && (isEnded(info) || !isEnded(given)))
  const next = isOld && pending.event !== 'cancel' ? info : changedBy(info, endOf(pending, given), at)
  const entry = entryOf(pending, {
    at,
    fromStep: info.currentStep,
    toStep: next.currentStep,
    instance: next.workflowInstanceId,
  })
  return { ...record, pending: null, ended, info: withProblem(withEntry(next, entry), reported) }
}

/** A review that was cancelled has ended, whatever its engine says or leaves out. */
function endOf({ event }: PendingAction, given: EngineAnswer): EngineAnswer {
  return event === 'cancel' && !isEnded(given) ? { ...given, status: 'cancelled' } : given
}

/** Why the engine did not take what counts all the same stands in the history. */
function withProblem(info: WorkflowInfo, { problem, at }: ReportedAnswer): WorkflowInfo {
  if (problem === undefined) return info
  const { currentStep, workflowInstanceId } = info
  const about = { at, toStep: currentStep, comment: problem, instance: workflowInstanceId }
  return withEntry(info, updateEntry(info, about))
}

/**
 * The engine did not take it, so nothing has changed; null: there is no workflow. A start that was asked before may have been taken then: it stays,
 * so that what the engine tells of it counts.
 */
export function refused(record: WorkflowRecord): WorkflowRecord | null {
  const { info, pending } = record
  if (!pending) return record
  const ended = { id: pending.id, isInUse: pending.isAdopted }
  if (pending.event === 'start' && !pending.isAdopted && pending.tries > 1)
    return { ...record, ended, pending: { ...pending, until: 0, isGivenUp: true } }
  return info ? { ...record, ended, pending: null } : null
}

/** Whether the engine took it is not known: it may be asked again, and nobody waits. */
export function unknown(
  record: WorkflowRecord,
  { at, isLast }: { at: number; isLast: boolean },
): WorkflowRecord {
  const { pending } = record
  if (!pending) return record
  const until = Math.min(pending.until, at)
  if (!isLast) return { ...record, pending: { ...pending, until } }
  return refused(record) ?? { ...record, pending: { ...pending, until: 0, isGivenUp: true } }
}

/** The engine does not know the instance any more: the review can be started anew. */
export function lostInstance(
  record: WorkflowRecord,
  { reason, at }: { reason: string; at: number },
): WorkflowRecord | null {
  const after = refused(record)
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

/** The engine tells of a workflow by itself. */
export function called(record: WorkflowRecord, reported: Reported<WorkflowCallback>): Called {
  const { info, pending } = record
  const { given, at } = reported
  // What waits since a process ended in the middle comes before what is told now.
  const othersWait = pending !== null && record.held.length > 0
  if (isAsking(record, at) || othersWait) return 'held'
  if (!info || isOfOther(info, given))
    return reported.isMerged ? 'mismatch' : reportedOfOther(record, reported)
  if (isReported(info, given)) return 'same'
  if (reported.isMerged) return reportedLate(record, info, reported)
  return overtakenBy(record, { ...updated(info, reported), workflowInstanceId: given.workflowInstanceId })
}

/** What is told is newer than the answer to what is pending. */
function overtakenBy(record: WorkflowRecord, info: WorkflowInfo): WorkflowRecord {
  const { pending } = record
  if (!pending) return { ...record, info }
  if (pending.isAdopted) return adoptedAs(record, pending, info)
  // What another instance tells says nothing of a start.
  return { ...record, info, pending: { ...pending, isOvertaken: pending.event !== 'start' } }
}

/** A start whose answer was lost: what the engine tells by itself says which instance it is, unless that was another before. */
function reportedOfOther(record: WorkflowRecord, reported: Reported<WorkflowCallback>): Called {
  const { pending, info } = record
  const { workflowInstanceId } = reported.given
  const wasBefore = info?.history.some((entry) => entry.externalReference === workflowInstanceId) === true
  return pending?.event === 'start' && !pending.isAdopted && !wasBefore
    ? adopted(record, pending, reported)
    : 'mismatch'
}

/** Of an engine that said no id it is whichever it tells of. */
function isOfOther({ workflowInstanceId: known }: WorkflowInfo, given: WorkflowCallback): boolean {
  return known !== undefined && known !== given.workflowInstanceId
}

/** What is told of a package that was merged is known from then on, and changes nothing. */
function reportedLate(
  record: WorkflowRecord,
  info: WorkflowInfo,
  { given, at }: Reported<WorkflowCallback>,
): 'same' | WorkflowRecord {
  const { status, currentStep, workflowInstanceId: instance } = given
  const words = `Told after the merge, which stays: ${status}, at "${currentStep}".`
  const comment = given.comment === undefined ? words : `${words} ${given.comment}`
  const last = info.history.at(-1)
  if (last?.action === 'status_update' && last.comment === comment) return 'same'
  const entry = updateEntry(info, { at, toStep: info.currentStep, comment, instance })
  return { ...record, info: withEntry(info, entry) }
}

/** What a callback that counts showed: that a start was taken whose answer was lost, or what the engine tells by itself. */
export function calledEvent(before: WorkflowRecord, after: WorkflowRecord): 'start' | 'status_update' {
  const isAnother = before.info?.workflowInstanceId !== after.info?.workflowInstanceId
  return isAnother && before.pending?.event === 'start' ? 'start' : 'status_update'
}

/** Somebody is to act next. */
export function assigned(
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

/** What the answer to a start says. Where the engine told of the instance before, only what is not known yet. */
function startedOrCompleted(
  before: WorkflowInfo | null,
  pending: PendingAction,
  { given, at }: Reported<EngineAnswer>,
): WorkflowInfo {
  if (!before || !pending.isAdopted) return started(before, pending, { given, at })
  const { nextActionUrl, assignee, metadata, steps } = given
  return {
    ...before,
    steps: before.steps.length === 0 && steps ? [...steps] : before.steps,
    ...optional('nextActionUrl', before.nextActionUrl ?? nextActionUrl),
    ...optional('assignee', before.assignee ?? assignee),
    ...optional('metadata', before.metadata ?? metadata),
  }
}

function started(
  before: WorkflowInfo | null,
  pending: PendingAction,
  reported: Reported<EngineAnswer>,
): WorkflowInfo {
  const { given, at } = reported
  const instance = given.workflowInstanceId ?? given.id ?? undefined
  const currentStep = given.currentStep ?? given.steps?.[0]?.name ?? 'start'
  const bare: WorkflowInfo = {
    workflowName: pending.workflowName,
    ...optional('workflowInstanceId', instance),
    currentStep,
    status: 'active',
    startedAt: seconds(pending.sentAt),
    steps: [],
    history: before?.history ?? [],
  }
  return withEntry(
    changedBy(bare, given, at),
    entryOf(pending, { at, fromStep: null, toStep: currentStep, instance }),
  )
}

/** A start that is known to have been taken by what the engine told after it. Its answer is asked for still: it says the steps. */
function adopted(
  record: WorkflowRecord,
  pending: PendingAction,
  { given, at }: Reported<WorkflowCallback>,
): WorkflowRecord {
  const { workflowInstanceId, currentStep } = given
  const begun = started(record.info, pending, {
    given: { workflowInstanceId, currentStep, status: 'active' },
    at,
  })
  const { connectionId } = pending
  const info = updated(begun, { given, at })
  return adoptedAs({ ...record, connectionId }, pending, info)
}

/** What is known of a start that was adopted: once it has ended, nothing more is asked. */
function adoptedAs(record: WorkflowRecord, pending: PendingAction, info: WorkflowInfo): WorkflowRecord {
  if (!isEnded(info)) return { ...record, pending: { ...pending, isAdopted: true }, info }
  return { ...record, pending: null, ended: { id: pending.id, isInUse: true }, info }
}

function updated(info: WorkflowInfo, { given, at }: Reported<WorkflowCallback>): WorkflowInfo {
  const { comment, workflowInstanceId: instance, currentStep: toStep } = given
  const entry = updateEntry(info, { at, toStep, comment, instance })
  return withEntry(changedBy(info, given, at), entry)
}

type Change = Omit<EngineAnswer, 'workflowInstanceId' | 'id'>

/** What is absent stays, what is null goes. Who was to act in one step is not to act in the next. */
function changedBy(info: WorkflowInfo, change: Change, at: number): WorkflowInfo {
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
  return { ...next, completedAt: isSameEnd ? completedAt : seconds(at) }
}

/** Whether a callback says what is known, by the last that came. */
function isReported(info: WorkflowInfo, given: WorkflowCallback): boolean {
  const last = info.history.at(-1)
  const isLast = last?.action === 'status_update' && last.comment === given.comment
  const next = changedBy(info, given, 0)
  return isLast && isSame(withoutEnd(next), withoutEnd(info))
}

function withoutEnd({ completedAt: _completedAt, history: _history, ...info }: WorkflowInfo): JsonObject {
  // What engines tell is JSON.
  return info as JsonObject
}
