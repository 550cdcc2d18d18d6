import type { EngineAnswer } from '@quire/contract'
import type { PendingAction, WorkflowRecord } from '../ports/index.ts'
import type { Asked } from './ask.ts'
import type { Move } from './review.ts'
import { called, calledEvent, lostInstance, refused, taken, unknown } from './transitions.ts'

/** What came of asking the engine, and when. */
export interface Answered {
  readonly pending: PendingAction
  readonly asked: Asked
  /** Unix ms. */
  readonly at: number
  /** Whether nobody asks again by itself. */
  readonly isLast: boolean
}

/** A workflow after what came of asking the engine. */
export interface AfterAnswer {
  /** What it counts as: a refusal of what was asked before may be of what was taken then. */
  readonly asked: Asked
  /** Null: there is none. */
  readonly record: WorkflowRecord | null
  /** What happened, in order: the action, where the engine took it; then what came while its answer was waited for. */
  readonly moves: readonly Move[]
}

/** A workflow after what came of asking the engine. */
export function afterAnswer(before: WorkflowRecord, answered: Answered): AfterAnswer {
  const { pending, at } = answered
  const asked = countedAs(before, answered)
  const next = nextOf(before, { ...answered, asked })
  const first = firstMove(next, { pending, asked, before })
  const held = next ? caughtUp(next, at) : []
  const moves = [...first, ...held]
  const last = moves.at(-1)?.record ?? next
  return { asked, record: last && { ...last, held: [] }, moves }
}

/** Statuses that say nothing of an action that the engine may have taken before: whoever answers is not it, or not now. */
const elsewhere: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

/** Statuses of an engine that has the step no more. */
const gone: ReadonlySet<number> = new Set([404, 409, 410])

/**
 * What an answer counts as. The first refusal is one. Of what was asked before, only the engine itself can refuse; and where it told more
 * since, that the step is gone shows that it took it: not so for what deletes or opens a package, which wants to be sure.
 */
function countedAs({ held }: WorkflowRecord, { pending, asked }: Answered): Asked {
  if (asked.kind !== 'refused' || pending.tries <= 1) return asked
  const { status, reason } = asked
  if (status === null || status < 400 || elsewhere.has(status)) return { kind: 'unknown', reason }
  const hasToldMore = pending.isOvertaken || held.length > 0
  const isSure = pending.event === 'approve' || pending.event === 'route'
  return hasToldMore && isSure && gone.has(status) ? takenBefore : asked
}

const takenBefore: { readonly kind: 'taken'; readonly answer: EngineAnswer } = { kind: 'taken', answer: {} }

function nextOf(before: WorkflowRecord, { pending, asked, at, isLast }: Answered): WorkflowRecord | null {
  if (asked.kind === 'unknown') return unknown(before, { at, isLast })
  if (asked.kind === 'taken') return taken(before, pending, { said: asked.answer, at })
  const isLost = pending.event !== 'start' && (asked.status === 404 || asked.status === 410)
  return isLost ? lostInstance(before, { reason: asked.reason, at }) : refused(before)
}

function firstMove(
  next: WorkflowRecord | null,
  { pending, asked, before }: { pending: PendingAction; asked: Asked; before: WorkflowRecord },
): readonly Move[] {
  if (!next || next.info === before.info) return []
  // That an adopted start was taken was told when it was adopted.
  const isNew = asked.kind === 'taken' && !pending.isAdopted
  return [{ event: isNew ? pending.event : 'status_update', record: next }]
}

/** What came while the answer was waited for counts after it. */
function caughtUp(record: WorkflowRecord, at: number): readonly Move[] {
  const moves: Move[] = []
  for (const said of record.held) {
    const before = moves.at(-1)?.record ?? { ...record, held: [] }
    const next = called(before, { said, at })
    if (typeof next !== 'string') moves.push({ event: calledEvent(before, next), record: next })
  }
  return moves
}
