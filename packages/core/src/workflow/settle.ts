import type { EngineAnswer, WorkflowOutcome } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { keepAnswer } from '../call/idempotency.ts'
import type { PendingAction, Stored, Transaction, WorkflowRecord } from '../ports/index.ts'
import { actionUrl } from './action-url.ts'
import { afterAnswer } from './answered.ts'
import { askEngine, notSent, type Asked } from './ask.ts'
import { settleKey } from './kinds.ts'
import { outcomeOf } from './outcome.ts'
import { stepsFor } from './people.ts'
import { keepReview } from './review.ts'

/** What became of an action. */
export interface Settled {
  readonly asked: Asked
  /** The workflow now; null: there is none. */
  readonly record: WorkflowRecord | null
}

/** What is asked. */
interface Asking {
  readonly packageId: string
  readonly pending: PendingAction
  /** Whether nobody asks again by itself. */
  readonly isLast?: boolean
}

/** Asks the engine what is pending, and keeps what comes of it. Whoever keeps it first has the say: an action counts once. */
export async function settle(call: Call, { packageId, pending, isLast = false }: Asking): Promise<Settled> {
  const connection = await call.store.records.get('workflowConnection', pending.connectionId)
  const asked = connection
    ? await askEngine(call, connection, pending)
    : notSent('The connection to the engine was deleted.')
  const answered: Call = { ...call, now: call.environment.clock.now() }
  return answered.transaction(async (tx) => {
    const before = await tx.records.get('workflow', packageId)
    if (!before || before.pending?.id !== pending.id) return settledElsewhere(before, { pending, asked })
    return note(within(answered, tx), tx, { before, pending: before.pending, asked, isLast })
  })
}

interface Noted {
  readonly before: Stored<'workflow'>
  readonly pending: PendingAction
  readonly asked: Asked
  readonly isLast: boolean
}

async function note(
  call: Call,
  tx: Transaction,
  { before, pending, asked: came, isLast }: Noted,
): Promise<Settled> {
  const { asked: counted, restricted } = await countedOf(call, { record: before, pending, asked: came })
  const after = afterAnswer(before, { pending, asked: counted, at: call.now, isLast })
  const { asked, moves } = after
  const record = after.record && { ...after.record, ...(restricted && { restricted }) }
  await keepReview(call, tx, { before, after: record, moves, pending })
  if (!record?.pending || record.pending.isGivenUp) await callOff(call, tx, pending.id)
  const settled = { asked, record }
  if (asked.kind === 'taken') await keepForCallers(call, tx, { pending, settled })
  return settled
}

/** Keeps the answer for callers who sent an Idempotency-Key. */
async function keepForCallers(
  call: Call,
  tx: Transaction,
  { pending: { event, once }, settled }: { pending: PendingAction; settled: Settled },
): Promise<void> {
  for (const one of once) await keepAnswer(call, tx, { once: one, answer: answerOf(event, settled) })
}

/** What an action that was taken is answered with. */
export function answerOf(event: PendingAction['event'], { record }: Settled): WorkflowOutcome {
  return outcomeOf(event, record?.info ?? null)
}

interface Counted {
  readonly record: WorkflowRecord
  readonly pending: PendingAction
  readonly asked: Asked
}

/** What was answered as far as it counts: addresses that credentials may go to, groups that may see the repository. */
async function countedOf(
  { store: { records } }: Call,
  { record: { repositoryId }, pending: { connectionId }, asked }: Counted,
): Promise<{ asked: Asked; restricted: readonly string[] | null }> {
  if (asked.kind !== 'taken') return { asked, restricted: null }
  const { nextActionUrl, steps } = asked.answer
  const connection = await records.get('workflowConnection', connectionId)
  const kept = steps ? await stepsFor(records, steps, repositoryId) : null
  const answer: EngineAnswer = {
    ...asked.answer,
    ...(nextActionUrl && { nextActionUrl: connection && actionUrl(connection, nextActionUrl) }),
    ...(kept && { steps: kept.steps }),
  }
  return { asked: { ...asked, answer }, restricted: kept && kept.restricted }
}

/** Nobody has to ask again. */
async function callOff({ now }: Call, { jobs }: Transaction, actionId: string): Promise<void> {
  const job = await jobs.findUnended(settleKey(actionId))
  if (job?.state === 'queued') await jobs.cancel(job.id, now)
}

/** The engine told of it meanwhile, or somebody else asked and was answered: as that ended. */
function settledElsewhere(
  record: WorkflowRecord | null,
  { pending, asked }: { pending: PendingAction; asked: Asked },
): Settled {
  if (record?.ended?.id !== pending.id) return { asked: overtaken, record }
  if (record.ended.isTaken) return { asked: { kind: 'taken', answer: {} }, record }
  return { asked: asked.kind === 'refused' ? asked : overtaken, record }
}

const overtaken = notSent('The package or its workflow was changed meanwhile: look where it stands now.')
