import type { WorkflowOutcome } from '@quire/contract'
import type { Answer, Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { keepAnswer, keptAnswer } from '../call/idempotency.ts'
import type { WorkflowInput } from './engine-request.ts'
import { workflowFailed } from './failed.ts'
import { intend, openReview, type ActionInput, type Intended } from './intend.ts'
import { outcomeOf } from './outcome.ts'
import { requireAssignable } from './people.ts'
import { keepReview } from './review.ts'
import { problemOf } from './rules.ts'
import type { Transaction } from '../ports/index.ts'
import { answerOf, settle, type Settled } from './settle.ts'
import { assigned } from './transitions.ts'

/**
 * Starts the review of a package, or acts in it: the engine is asked, and what it answers is kept (specification 3.2, 4.8). What it may have
 * taken without an answer that tells is asked again with the same key, by a job and by whoever wants the same again.
 * Errors: `not_found`, `forbidden`, `invalid`, `workflow_failed`, `idempotency_mismatch`.
 */
export async function actInWorkflow(call: Call, input: WorkflowInput): Promise<Answer<WorkflowOutcome>> {
  const { event } = input
  if (event === 'assign') return assign(call, input)
  for (let round = 0; round < mostRounds; round++) {
    const now: Call = { ...call, now: call.environment.clock.now() }
    const intended = await now.transaction((tx) => keptOrIntended(within(now, tx), tx, { ...input, event }))
    if (!('pending' in intended)) return intended
    const settled = await settle(now, intended)
    // What was pending before is settled: now this one.
    if (intended.isOwn || settled.asked.kind === 'unknown') return answered(intended, settled)
  }
  throw workflowFailed('Others act in this workflow: look where it stands, and try again.', null)
}

/** Times that something else is settled first. */
const mostRounds = 3

type Kept = Presented<WorkflowOutcome>

/** What was answered to the key of the call before; else what the engine is asked. */
async function keptOrIntended(call: Call, tx: Transaction, input: ActionInput): Promise<Kept | Intended> {
  return (await keptOutcome(call)) ?? intend(call, tx, input)
}

async function keptOutcome(call: Call): Promise<Kept | null> {
  // Only answers of this operation are kept under the key of a call of it.
  return call.once ? ((await keptAnswer(call, call.once)) as Kept | null) : null
}

/** Errors: `workflow_failed`. */
function answered({ pending, isOwn }: Intended, settled: Settled): WorkflowOutcome {
  const { asked, record } = settled
  if (asked.kind === 'taken') return answerOf(pending.event, settled)
  if (asked.kind === 'refused') throw workflowFailed(asked.reason, record)
  const what = isOwn
    ? `Whether it took the ${pending.event} is not known`
    : `Whether it took the ${pending.event} of before is not known, so nothing else is done`
  throw workflowFailed(`${asked.reason}. ${what}: it is asked again with the same key.`, record)
}

/** Says who is to act next; the engine is not asked (specification 3.2). Errors: `not_found`, `forbidden`, `invalid`, `workflow_failed`. */
async function assign(call: Call, input: WorkflowInput): Promise<Answer<WorkflowOutcome>> {
  const { assignee, comment } = input
  if (!assignee) throw invalid([{ path: 'assignee', message: 'is required to assign' }])
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const kept = await keptOutcome(inside)
    if (kept) return kept
    const { place, before } = await openReview(inside, input)
    const { state } = place.package
    const problem = problemOf({ event: 'assign' }, { state, record: before, at: call.now })
    if (problem !== null || !before?.info) throw workflowFailed(problem ?? 'No workflow is attached.', before)
    const { info } = before
    const to = await requireAssignable(inside, { ...before, info, userName: assignee.userName })
    const next = assigned(info, { assignee: to, by: call.identity.ref, comment, at: call.now })
    const after = { ...before, info: next }
    await keepReview(inside, tx, { before, after, moves: [{ event: 'assign', record: after }] })
    const answer = outcomeOf('assign', next)
    if (call.once) await keepAnswer(inside, tx, { once: call.once, answer })
    return answer
  })
}
