import { expect } from 'vitest'
import type { UserRef } from '../src/ports/index.ts'
import type { WorkflowCallback, WorkflowRecord } from '../src/automation/workflow/records.ts'
import { afterAnswer, type AfterAnswer } from '../src/automation/workflow/reconcile.ts'
import type { EngineOutcome } from '../src/automation/workflow/ask.ts'
import { problemOf } from '../src/automation/workflow/rules.ts'
import { assigned, called, calledEvent, isAsking } from '../src/automation/workflow/transitions.ts'
import { addedTo } from './review-laws.ts'
import { asking, eva, onceMore, stateAfter, type Action, type Stand } from './sample-reviews.ts'

/** A review as it stands at a time, while engine, reviewers and callbacks do what they want. */
export interface Review extends Stand {
  readonly at: number
  /** The ids of what was given up for good. */
  readonly givenUp: readonly string[]
}

/** Somebody wants something, as `intend` takes it: what is unsettled is asked first. */
export function wanted(review: Review, event: Action): Review {
  const { record, at, givenUp } = review
  const last = record?.pending
  if (event === 'cancel' && last?.event !== 'cancel') return cancelled(review)
  if (record && isAsking(record, at)) return review
  if (!isUnsettled(review) && problemOf({ event }, review) !== null) return review
  const next = asking(review, event, at)
  const isReplaced = last && last.id !== next.pending?.id
  return { ...review, record: next, givenUp: isReplaced ? [...givenUp, last.id] : givenUp }
}

const isUnsettled = ({ record }: Review) => record?.pending?.isGivenUp === false

/** A cancel waits for nothing: of which no engine can be told, it is done. */
function cancelled(review: Review): Review {
  const { record, state, at, givenUp } = review
  if (state === 'merged') return review
  if (record?.info?.nextActionUrl === undefined) return { ...review, state: 'deleted' }
  const { pending: last } = record
  return {
    ...review,
    record: asking(review, 'cancel', at),
    givenUp: last ? [...givenUp, last.id] : givenUp,
  }
}

/** The job asks again, as it begins that. */
export function askedAgain(review: Review): Review {
  const { record, at } = review
  if (!record?.pending || record.pending.isGivenUp || isAsking(record, at)) return review
  return { ...review, record: { ...record, pending: onceMore(record.pending, at) } }
}

/** What came of asking, as `settle` keeps it. */
export function answered(review: Review, asked: EngineOutcome, isLast = false): Review {
  const { record, at, givenUp } = review
  if (!record?.pending || record.pending.isGivenUp) return review
  const { pending } = record
  const after = afterAnswer(record, { pending, asked, at, isLast, isMerged: review.state === 'merged' })
  expectSettled(record, after)
  const state = stateAfter(review, after.moves)
  const isDropped = isLast && after.asked.kind === 'unknown'
  // A start that is given up stays pending: it is not lost sight of.
  const isGone = isDropped && after.record?.pending?.id !== pending.id
  return { ...review, record: after.record, state, givenUp: isGone ? [...givenUp, pending.id] : givenUp }
}

/** Once it is taken nothing is pending. Without an answer that takes it, and with nothing that was told, nobody has done anything. */
function expectSettled(before: WorkflowRecord, { asked, record: after }: AfterAnswer): void {
  if (asked.kind === 'taken') expect(after?.pending).toBeNull()
  if (asked.kind === 'taken' || before.held.length > 0) return
  const actions = addedTo(before.info, after?.info ?? null).map(({ action }) => action)
  expect(actions.filter((action) => action !== 'status_update')).toEqual([])
}

/** The engine tells something, as `applyStatus` takes it. */
export function reported(review: Review, given: WorkflowCallback): Review {
  const { record, at } = review
  const isMerged = review.state === 'merged'
  const next = record && called(record, { given, at, isMerged })
  if (record && next === 'held') return { ...review, record: { ...record, held: [...record.held, given] } }
  if (!record || next === null || typeof next === 'string') return review
  expect(called(next, { given, at, isMerged })).toBe('same')
  const moves = [{ event: calledEvent(record, next), record: next }]
  return { ...review, record: next, state: stateAfter(review, moves) }
}

/** Somebody is to act next. */
export function reassigned(review: Review, assignee: UserRef): Review {
  const { record, at } = review
  if (!record?.info || problemOf({ event: 'assign' }, review) !== null) return review
  const info = assigned(record.info, { assignee, by: eva, comment: undefined, at })
  return { ...review, record: { ...record, info } }
}
