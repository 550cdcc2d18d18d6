import type { EngineAnswer, PackageState, WorkflowHistoryEntry, WorkflowInfo } from '@quire/contract'
import { isSame } from '../merge/same.ts'
import type { JsonObject, PendingAction, UserRef, WorkflowCallback, WorkflowRecord } from '../ports/index.ts'
import { entryOf, present, seconds, updateEntry, withEntry } from './entries.ts'

/** What an engine told, when it was told. */
interface Told<T> {
  readonly said: T
  /** Unix ms. */
  readonly at: number
}

/** What a callback comes to: it waits for an answer, is of another instance, comes after the end, was had before, or counts. */
export type Called = 'held' | 'mismatch' | 'ended' | 'same' | WorkflowRecord

/** Whether a workflow has ended for good (TRUST S27). */
export function isEnded({ status }: Pick<EngineAnswer, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** Whether somebody waits for the engine's answer now. */
export function isAsking({ pending }: Pick<WorkflowRecord, 'pending'>, at: number): boolean {
  return pending !== null && pending.until > at
}

/** The engine took what was asked. An answer that is older than what it told since adds to the history alone, unless it is the end. */
export function taken(
  record: WorkflowRecord,
  pending: PendingAction,
  told: Told<EngineAnswer>,
): WorkflowRecord {
  const { info } = record
  const ended = { id: pending.id, isTaken: true }
  if (pending.event === 'start') {
    const { connectionId } = pending
    return { ...record, connectionId, pending: null, ended, info: startedOrCompleted(info, pending, told) }
  }
  if (!info) return { ...record, pending: null, ended }
  const { said, at } = told
  const isOld = isEnded(info) || (pending.isOvertaken && !isEnded(said))
  const next = isOld ? info : changedBy(info, said, at)
  const entry = entryOf(pending, {
    at,
    fromStep: info.currentStep,
    toStep: next.currentStep,
    instance: next.workflowInstanceId,
  })
  return { ...record, pending: null, ended, info: withEntry(next, entry) }
}

/**
 * The engine did not take it, so nothing has changed; null: there is no workflow. A start that was asked before may have been taken then: it stays,
 * so that what the engine tells of it counts.
 */
export function refused(record: WorkflowRecord): WorkflowRecord | null {
  const { info, pending } = record
  if (!pending) return record
  const ended = { id: pending.id, isTaken: pending.isAdopted }
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
export function called(record: WorkflowRecord, told: Told<WorkflowCallback>): Called {
  const { info, pending } = record
  const { said, at } = told
  // What waits since a process ended in the middle comes before what is told now.
  const othersWait = pending !== null && record.held.length > 0
  if (isAsking(record, at) || othersWait) return 'held'
  if (!info || isOfOther(info, said)) return toldOfOther(record, told)
  if (isEnded(info)) return isSameEnd(info, said) ? 'same' : 'ended'
  if (isTold(info, said)) return 'same'
  return overtakenBy(record, { ...updated(info, told), workflowInstanceId: said.workflowInstanceId })
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
function toldOfOther(record: WorkflowRecord, told: Told<WorkflowCallback>): Called {
  const { pending, info } = record
  const { workflowInstanceId } = told.said
  const wasBefore = info?.history.some((entry) => entry.externalReference === workflowInstanceId) === true
  return pending?.event === 'start' && !pending.isAdopted && !wasBefore
    ? adopted(record, pending, told)
    : 'mismatch'
}

/** Of an engine that said no id it is whichever it tells of. */
function isOfOther({ workflowInstanceId: known }: WorkflowInfo, said: WorkflowCallback): boolean {
  return known !== undefined && known !== said.workflowInstanceId
}

function isSameEnd(info: WorkflowInfo, { status, currentStep }: WorkflowCallback): boolean {
  return info.status === status && info.currentStep === currentStep
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

/** Where the package stands after what happened: `reject` opens it for changes, which it stays until somebody acts again. */
export function packageStateAfter(
  before: PackageState,
  event: PendingAction['event'] | 'status_update',
  { status }: Pick<WorkflowInfo, 'status'>,
): PackageState {
  if (status === 'completed' || status === 'error') return status
  if (status === 'cancelled') return 'open'
  if (event === 'reject') return 'open'
  if (event === 'status_update') return before === 'error' ? 'inReview' : before
  return 'inReview'
}

/** What the answer to a start says. Where the engine told of the instance before, only what is not known yet. */
function startedOrCompleted(
  before: WorkflowInfo | null,
  pending: PendingAction,
  { said, at }: Told<EngineAnswer>,
): WorkflowInfo {
  if (!before || !pending.isAdopted) return started(before, pending, { said, at })
  const { nextActionUrl, assignee, metadata, steps } = said
  return {
    ...before,
    steps: before.steps.length === 0 && steps ? [...steps] : before.steps,
    ...present('nextActionUrl', before.nextActionUrl ?? nextActionUrl),
    ...present('assignee', before.assignee ?? assignee),
    ...present('metadata', before.metadata ?? metadata),
  }
}

function started(
  before: WorkflowInfo | null,
  pending: PendingAction,
  told: Told<EngineAnswer>,
): WorkflowInfo {
  const { said, at } = told
  const instance = said.workflowInstanceId ?? said.id ?? undefined
  const currentStep = said.currentStep ?? said.steps?.[0]?.name ?? 'start'
  const bare: WorkflowInfo = {
    workflowName: pending.workflowName,
    ...present('workflowInstanceId', instance),
    currentStep,
    status: 'active',
    startedAt: seconds(pending.sentAt),
    steps: [],
    history: before?.history ?? [],
  }
  return withEntry(
    changedBy(bare, said, at),
    entryOf(pending, { at, fromStep: null, toStep: currentStep, instance }),
  )
}

/** A start that is known to have been taken by what the engine told after it. Its answer is asked for still: it says the steps. */
function adopted(
  record: WorkflowRecord,
  pending: PendingAction,
  { said, at }: Told<WorkflowCallback>,
): WorkflowRecord {
  const { workflowInstanceId, currentStep } = said
  const begun = started(record.info, pending, {
    said: { workflowInstanceId, currentStep, status: 'active' },
    at,
  })
  const { connectionId } = pending
  const info = updated(begun, { said, at })
  return adoptedAs({ ...record, connectionId }, pending, info)
}

/** What is known of a start that was adopted: once it has ended, nothing more is asked. */
function adoptedAs(record: WorkflowRecord, pending: PendingAction, info: WorkflowInfo): WorkflowRecord {
  if (!isEnded(info)) return { ...record, pending: { ...pending, isAdopted: true }, info }
  return { ...record, pending: null, ended: { id: pending.id, isTaken: true }, info }
}

function updated(info: WorkflowInfo, { said, at }: Told<WorkflowCallback>): WorkflowInfo {
  const { comment, workflowInstanceId: instance, currentStep: toStep } = said
  const entry = updateEntry(info, { at, toStep, comment, instance })
  return withEntry(changedBy(info, said, at), entry)
}

type Change = Omit<EngineAnswer, 'workflowInstanceId' | 'id'>

/** What is absent stays, what is null goes. Who was to act in one step is not to act in the next. */
function changedBy(info: WorkflowInfo, change: Change, at: number): WorkflowInfo {
  const { nextActionUrl, assignee, metadata, completedAt: _completedAt, ...rest } = info
  const currentStep = change.currentStep ?? info.currentStep
  const stays = currentStep === info.currentStep ? assignee : undefined
  const next: WorkflowInfo = {
    ...rest,
    currentStep,
    status: change.status ?? info.status,
    steps: change.steps ? [...change.steps] : info.steps,
    ...present('nextActionUrl', change.nextActionUrl === undefined ? nextActionUrl : change.nextActionUrl),
    ...present('assignee', change.assignee === undefined ? stays : change.assignee),
    ...present('metadata', change.metadata === undefined ? metadata : change.metadata),
  }
  return withEnd(next, at)
}

function withEnd(info: WorkflowInfo, at: number): WorkflowInfo {
  return isEnded(info) ? { ...info, completedAt: seconds(at) } : info
}

/** Whether a callback says what is known, by the last that came. */
function isTold(info: WorkflowInfo, said: WorkflowCallback): boolean {
  const last = info.history.at(-1)
  const isLast = last?.action === 'status_update' && last.comment === said.comment
  const next = changedBy(info, said, 0)
  return isLast && isSame(withoutEnd(next), withoutEnd(info))
}

function withoutEnd({ completedAt: _completedAt, history: _history, ...info }: WorkflowInfo): JsonObject {
  // What engines tell is JSON.
  return info as JsonObject
}
