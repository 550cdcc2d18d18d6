import type { EngineAnswer, WorkflowOutcome } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import type { Stored, Transaction } from '../../ports/index.ts'
import { type PendingAction, type WorkflowRecord, reconcileKey } from './records.ts'
import { storeReview, type Move } from './review.ts'
import { actionUrl, outcomeOf } from './outcome.ts'
import { askEngine, notSent, type EngineOutcome } from './ask.ts'
import { stepsFor } from './people.ts'
import {
  applyAnswer,
  applyCallback,
  applyLostInstance,
  applyRefusal,
  applyUnknown,
  eventOfCallback,
} from './transitions.ts'

export interface Reconciled {
  /** The outcome of the action. */
  readonly asked: EngineOutcome
  /** The workflow afterwards; null if there is none. */
  readonly record: WorkflowRecord | null
}

interface ReconcileInput {
  readonly packageId: string
  readonly pending: PendingAction
  /** Whether the action is not repeated automatically after this attempt. */
  readonly isLast?: boolean
}

/**
 * Posts the pending action to the engine and stores the outcome. Concurrent calls for the same
 * action: the first stored outcome wins, so that an action takes effect once.
 */
export async function reconcile(
  call: Call,
  { packageId, pending, isLast = false }: ReconcileInput,
): Promise<Reconciled> {
  const connection = await call.store.records.get('workflowConnection', pending.connectionId)
  const asked = connection
    ? await askEngine(call, connection, pending)
    : notSent('The connection to the engine was deleted.')
  const answered: Call = { ...call, now: call.environment.clock.now() }
  return answered.write(async (answered) => {
    const before = await answered.store.records.get('workflow', packageId)
    if (!before || before.pending?.id !== pending.id) return outcomeElsewhere(before, { pending, asked })
    return storeOutcome(answered, { before, pending: before.pending, asked, isLast })
  })
}

interface OutcomeInput {
  readonly before: Stored<'workflow'>
  readonly pending: PendingAction
  readonly asked: EngineOutcome
  readonly isLast: boolean
}

async function storeOutcome(
  call: WriteCall,
  { before, pending, asked: given, isLast }: OutcomeInput,
): Promise<Reconciled> {
  const { asked: allowed, restricted } = await onlyAllowed(call, { record: before, pending, asked: given })
  const isMerged = (await call.store.records.get('package', before.id))?.state === 'merged'
  const after = applyOutcome(before, { pending, asked: allowed, at: call.now, isLast, isMerged })
  const { moves } = after
  const record = after.record && { ...after.record, ...(restricted && { restricted }) }
  await storeReview(call, { before, after: record, moves, pending })
  const asked = await checkDeleted(call.store, { packageId: before.id, pending, asked: after.asked })
  if (!record?.pending || record.pending.isGivenUp) await cancelRetry(call, pending.id)
  const reconciled = { asked, record }
  if (asked.kind === 'taken') await storeAnswers(call, { pending, reconciled })
  return reconciled
}

/**
 * The outcome of a cancel is a refusal if the package was not deleted, because it contains changes
 * by now that the canceller may not delete.
 */
async function checkDeleted(
  { records }: Transaction,
  { packageId, pending, asked }: ReconcileInput & { asked: EngineOutcome },
): Promise<EngineOutcome> {
  if (pending.event !== 'cancel' || asked.kind !== 'taken') return asked
  const found = await records.get('package', packageId)
  return found?.state === 'deleted'
    ? asked
    : notSent(
        'The review was cancelled and the package is open again. It was not deleted, because it has changes that you may not delete.',
      )
}

/** Stores the answer for callers who sent an Idempotency-Key. */
async function storeAnswers(
  call: WriteCall,
  { pending: { event, once }, reconciled }: { pending: PendingAction; reconciled: Reconciled },
): Promise<void> {
  for (const one of once) await storeAnswer(call, { once: one, answer: answerOf(event, reconciled) })
}

/** The answer to an action that took effect. */
export function answerOf(event: PendingAction['event'], { record }: Reconciled): WorkflowOutcome {
  return outcomeOf(event, record?.info ?? null)
}

interface GivenOutcome {
  readonly record: WorkflowRecord
  readonly pending: PendingAction
  readonly asked: EngineOutcome
}

/**
 * Removes URLs to which the credentials may not be sent, and groups that may not see the
 * repository.
 */
async function onlyAllowed(
  { store: { records } }: Call,
  { record: { repositoryId }, pending: { connectionId }, asked }: GivenOutcome,
): Promise<{ asked: EngineOutcome; restricted: readonly string[] | null }> {
  if (asked.kind !== 'taken') return { asked, restricted: null }
  const { nextActionUrl, steps } = asked.answer
  const connection = await records.get('workflowConnection', connectionId)
  const stored = steps ? await stepsFor(records, steps, repositoryId) : null
  const answer: EngineAnswer = {
    ...asked.answer,
    ...(nextActionUrl && { nextActionUrl: connection && actionUrl(connection, nextActionUrl) }),
    ...(stored && { steps: stored.steps }),
  }
  return { asked: { ...asked, answer }, restricted: stored && stored.restricted }
}

/** Cancels the job that would repeat the action. */
async function cancelRetry({ now, store: { jobs } }: WriteCall, actionId: string): Promise<void> {
  const job = await jobs.findUnended(reconcileKey(actionId))
  if (job?.state === 'queued') await jobs.cancel(job.id, now)
}

/** The outcome if a callback or another process has already resolved the action. */
function outcomeElsewhere(
  record: WorkflowRecord | null,
  { pending, asked }: { pending: PendingAction; asked: EngineOutcome },
): Reconciled {
  if (record?.ended?.id !== pending.id) return { asked: overtaken, record }
  if (record.ended.isInUse) return { asked: { kind: 'taken', answer: {} }, record }
  return { asked: asked.kind === 'refused' ? asked : overtaken, record }
}

const overtaken = notSent('The package or its workflow was changed in the meantime. Check its current state.')

/** The outcome of an action, and when it became known. */
interface ActionOutcome {
  readonly pending: PendingAction
  readonly asked: EngineOutcome
  /** Unix ms. */
  readonly at: number
  /** Whether the action is not repeated automatically after this attempt. */
  readonly isLast: boolean
  /** Whether the package was merged in the meantime. */
  readonly isMerged?: boolean
}

export interface AppliedOutcome {
  /**
   * The effective outcome: a refused repeat can mean that the engine accepted an earlier attempt.
   */
  readonly asked: EngineOutcome
  /** Null if there is no workflow. */
  readonly record: WorkflowRecord | null
  /**
   * What happened, in order: the action if it took effect, then the callbacks that arrived while
   * its answer was pending.
   */
  readonly moves: readonly Move[]
}

/**
 * Applies the outcome of an action to a workflow, then the callbacks that were held until its
 * answer.
 */
export function applyOutcome(before: WorkflowRecord, outcome: ActionOutcome): AppliedOutcome {
  const { pending } = outcome
  const asked = pending.event === 'cancel' ? cancelOutcome(outcome) : effectiveOutcome(before, outcome)
  const next = nextRecord(before, { ...outcome, asked })
  const first = firstMove(next, { pending, asked, before })
  // Callbacks for a deleted package have no effect.
  const isDeleted = pending.event === 'cancel' && asked.kind === 'taken'
  const held = next && !isDeleted ? applyHeld(next, outcome) : []
  const moves = [...first, ...held]
  const last = moves.at(-1)?.record ?? next
  return { asked, record: last && { ...last, held: [] }, moves }
}

/**
 * Statuses that do not tell whether the engine accepted an earlier attempt: something in front of
 * it answered, or it postponed the request.
 */
const inconclusive: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/** Statuses of an engine that is no longer at the step. */
const gone: ReadonlySet<number> = new Set([404, 409, 410])

/**
 * A cancel deletes the package whatever the engine answers (specification 3.2), unless the package
 * was merged first.
 */
function cancelOutcome({ asked, isMerged }: ActionOutcome): EngineOutcome {
  if (isMerged)
    return { kind: 'refused', reason: 'The package was merged in the meantime.', status: null, isMerged }
  return asked.kind === 'taken' ? asked : { kind: 'taken', answer: {}, problem: asked.reason }
}

/**
 * The effective outcome of an action. A refusal of the first attempt is final. A refusal of a
 * repeat counts only if the engine itself sent it. If the engine has reported a status since and is
 * no longer at the step, it accepted an earlier attempt. That inference is not made for an action
 * that opens the package.
 */
function effectiveOutcome({ held }: WorkflowRecord, { pending, asked }: ActionOutcome): EngineOutcome {
  if (asked.kind !== 'refused' || pending.tries <= 1) return asked
  const { status, reason } = asked
  if (status === null || status < 400 || inconclusive.has(status)) return { kind: 'unknown', reason }
  const hasReportedMore = pending.isOvertaken || held.length > 0
  const mayInfer = pending.event === 'approve' || pending.event === 'route'
  return hasReportedMore && mayInfer && gone.has(status) ? acceptedBefore : asked
}

const acceptedBefore: { readonly kind: 'taken'; readonly answer: EngineAnswer } = {
  kind: 'taken',
  answer: {},
}

function nextRecord(before: WorkflowRecord, outcome: ActionOutcome): WorkflowRecord | null {
  const { pending, asked, at, isLast, isMerged } = outcome
  if (asked.kind === 'unknown') return applyUnknown(before, { at, isLast })
  if (asked.kind === 'taken')
    return applyAnswer(before, pending, { given: asked.answer, at, isMerged, problem: asked.problem })
  const isLost = pending.event !== 'start' && (asked.status === 404 || asked.status === 410)
  return isLost ? applyLostInstance(before, { reason: asked.reason, at }) : applyRefusal(before)
}

function firstMove(
  next: WorkflowRecord | null,
  { pending, asked, before }: { pending: PendingAction; asked: EngineOutcome; before: WorkflowRecord },
): readonly Move[] {
  if (!next || next.info === before.info) return []
  // The start event of an adopted start was recorded when it was adopted.
  const isNew = asked.kind === 'taken' && !pending.isAdopted
  return [{ event: isNew ? pending.event : 'status_update', record: next }]
}

/** Applies the callbacks that arrived while the answer was pending. */
function applyHeld(
  record: WorkflowRecord,
  { at, isMerged }: Pick<ActionOutcome, 'at' | 'isMerged'>,
): readonly Move[] {
  const moves: Move[] = []
  for (const given of record.held) {
    const before = moves.at(-1)?.record ?? { ...record, held: [] }
    const next = applyCallback(before, { given, at, isMerged })
    if (typeof next !== 'string') moves.push({ event: eventOfCallback(before, next), record: next })
  }
  return moves
}
