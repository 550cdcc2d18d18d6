import type { EngineAnswer, WorkflowOutcome } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { storeAnswer } from '../../engine/idempotency.ts'
import type { Stored, Transaction } from '../../ports/index.ts'
import { type PendingAction, type WorkflowRecord, reconcileKey } from './records.ts'
import { storeReview, type Move } from './review.ts'
import { actionUrl, outcomeOf } from './outcome.ts'
import { askEngine, notSent, type EngineOutcome } from './ask.ts'
import { stepsFor } from './people.ts'
import { called, calledEvent, lostInstance, refused, accepted, unknown } from './transitions.ts'

/** What became of an action. */
export interface Reconciled {
  readonly asked: EngineOutcome
  /** The workflow now; null: there is none. */
  readonly record: WorkflowRecord | null
}

/** What is asked. */
interface ReconcileInput {
  readonly packageId: string
  readonly pending: PendingAction
  /** Whether nobody asks again by itself. */
  readonly isLast?: boolean
}

/** Asks the engine what is pending, and keeps what comes of it. Whoever keeps it first has the say: an action counts once. */
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
    if (!before || before.pending?.id !== pending.id) return reconciledElsewhere(before, { pending, asked })
    return note(answered, { before, pending: before.pending, asked, isLast })
  })
}

interface Noted {
  readonly before: Stored<'workflow'>
  readonly pending: PendingAction
  readonly asked: EngineOutcome
  readonly isLast: boolean
}

async function note(call: WriteCall, { before, pending, asked: came, isLast }: Noted): Promise<Reconciled> {
  const { asked: counted, restricted } = await countedOf(call, { record: before, pending, asked: came })
  const isMerged = (await call.store.records.get('package', before.id))?.state === 'merged'
  const after = afterAnswer(before, { pending, asked: counted, at: call.now, isLast, isMerged })
  const { moves } = after
  const record = after.record && { ...after.record, ...(restricted && { restricted }) }
  await storeReview(call, { before, after: record, moves, pending })
  const asked = await asDeleted(call.store, { packageId: before.id, pending, asked: after.asked })
  if (!record?.pending || record.pending.isGivenUp) await callOff(call, pending.id)
  const settled = { asked, record }
  if (asked.kind === 'taken') await storeForCallers(call, { pending, settled })
  return settled
}

/** What deletes a package did it, unless it holds by now what whoever cancelled may not delete. */
async function asDeleted(
  { records }: Transaction,
  { packageId, pending, asked }: ReconcileInput & { asked: EngineOutcome },
): Promise<EngineOutcome> {
  if (pending.event !== 'cancel' || asked.kind !== 'taken') return asked
  const found = await records.get('package', packageId)
  return found?.state === 'deleted'
    ? asked
    : notSent('The review was cancelled, but the package holds what you may not delete: it is open again.')
}

/** Keeps the answer for callers who sent an Idempotency-Key. */
async function storeForCallers(
  call: WriteCall,
  { pending: { event, once }, settled }: { pending: PendingAction; settled: Reconciled },
): Promise<void> {
  for (const one of once) await storeAnswer(call, { once: one, answer: answerOf(event, settled) })
}

/** What an action that was taken is answered with. */
export function answerOf(event: PendingAction['event'], { record }: Reconciled): WorkflowOutcome {
  return outcomeOf(event, record?.info ?? null)
}

interface Counted {
  readonly record: WorkflowRecord
  readonly pending: PendingAction
  readonly asked: EngineOutcome
}

/** What was answered as far as it counts: addresses that credentials may go to, groups that may see the repository. */
async function countedOf(
  { store: { records } }: Call,
  { record: { repositoryId }, pending: { connectionId }, asked }: Counted,
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

/** Nobody has to ask again. */
async function callOff({ now, store: { jobs } }: WriteCall, actionId: string): Promise<void> {
  const job = await jobs.findUnended(reconcileKey(actionId))
  if (job?.state === 'queued') await jobs.cancel(job.id, now)
}

/** The engine told of it meanwhile, or somebody else asked and was answered: as that ended. */
function reconciledElsewhere(
  record: WorkflowRecord | null,
  { pending, asked }: { pending: PendingAction; asked: EngineOutcome },
): Reconciled {
  if (record?.ended?.id !== pending.id) return { asked: overtaken, record }
  if (record.ended.isInUse) return { asked: { kind: 'taken', answer: {} }, record }
  return { asked: asked.kind === 'refused' ? asked : overtaken, record }
}

const overtaken = notSent('The package or its workflow was changed meanwhile: look where it stands now.')

/** What came of asking the engine, and when. */
interface Answered {
  readonly pending: PendingAction
  readonly asked: EngineOutcome
  /** Unix ms. */
  readonly at: number
  /** Whether nobody asks again by itself. */
  readonly isLast: boolean
  /** Whether the package was merged meanwhile. */
  readonly isMerged?: boolean
}

/** A workflow after what came of asking the engine. */
export interface AfterAnswer {
  /** What it counts as: a refusal of what was asked before may be of what was taken then. */
  readonly asked: EngineOutcome
  /** Null: there is none. */
  readonly record: WorkflowRecord | null
  /** What happened, in order: the action, where the engine took it; then what came while its answer was waited for. */
  readonly moves: readonly Move[]
}

/** A workflow after what came of asking the engine. */
export function afterAnswer(before: WorkflowRecord, answered: Answered): AfterAnswer {
  const { pending } = answered
  const asked = pending.event === 'cancel' ? cancelAs(answered) : countedAs(before, answered)
  const next = nextOf(before, { ...answered, asked })
  const first = firstMove(next, { pending, asked, before })
  // What is deleted hears nothing more.
  const isDeleted = pending.event === 'cancel' && asked.kind === 'taken'
  const held = next && !isDeleted ? caughtUp(next, answered) : []
  const moves = [...first, ...held]
  const last = moves.at(-1)?.record ?? next
  return { asked, record: last && { ...last, held: [] }, moves }
}

/** Statuses that say nothing of an action that the engine may have taken before: whoever answers is not it, or not now. */
const elsewhere: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/** Statuses of an engine that has the step no more. */
const gone: ReadonlySet<number> = new Set([404, 409, 410])

/** To cancel deletes whatever the engine says (specification 3.2), unless the merge came first. */
function cancelAs({ asked, isMerged }: Answered): EngineOutcome {
  if (isMerged)
    return { kind: 'refused', reason: 'The package was merged meanwhile.', status: null, isMerged }
  return asked.kind === 'taken' ? asked : { kind: 'taken', answer: {}, problem: asked.reason }
}

/**
 * What an answer counts as. The first refusal is one. Of what was asked before, only the engine itself can refuse; and where it told more
 * since, that the step is gone shows that it took it: not so for what opens a package, which wants to be sure.
 */
function countedAs({ held }: WorkflowRecord, { pending, asked }: Answered): EngineOutcome {
  if (asked.kind !== 'refused' || pending.tries <= 1) return asked
  const { status, reason } = asked
  if (status === null || status < 400 || elsewhere.has(status)) return { kind: 'unknown', reason }
  const hasReportedMore = pending.isOvertaken || held.length > 0
  const isSure = pending.event === 'approve' || pending.event === 'route'
  return hasReportedMore && isSure && gone.has(status) ? acceptedBefore : asked
}

const acceptedBefore: { readonly kind: 'taken'; readonly answer: EngineAnswer } = {
  kind: 'taken',
  answer: {},
}

function nextOf(before: WorkflowRecord, answered: Answered): WorkflowRecord | null {
  const { pending, asked, at, isLast, isMerged } = answered
  if (asked.kind === 'unknown') return unknown(before, { at, isLast })
  if (asked.kind === 'taken')
    return accepted(before, pending, { given: asked.answer, at, isMerged, problem: asked.problem })
  const isLost = pending.event !== 'start' && (asked.status === 404 || asked.status === 410)
  return isLost ? lostInstance(before, { reason: asked.reason, at }) : refused(before)
}

function firstMove(
  next: WorkflowRecord | null,
  { pending, asked, before }: { pending: PendingAction; asked: EngineOutcome; before: WorkflowRecord },
): readonly Move[] {
  if (!next || next.info === before.info) return []
  // That an adopted start was taken was told when it was adopted.
  const isNew = asked.kind === 'taken' && !pending.isAdopted
  return [{ event: isNew ? pending.event : 'status_update', record: next }]
}

/** What came while the answer was waited for counts after it. */
function caughtUp(
  record: WorkflowRecord,
  { at, isMerged }: Pick<Answered, 'at' | 'isMerged'>,
): readonly Move[] {
  const moves: Move[] = []
  for (const given of record.held) {
    const before = moves.at(-1)?.record ?? { ...record, held: [] }
    const next = called(before, { given, at, isMerged })
    if (typeof next !== 'string') moves.push({ event: calledEvent(before, next), record: next })
  }
  return moves
}
