import { expect } from 'vitest'
import type { UserRef } from '../src/ports/index.ts'
import type { WorkflowCallback, WorkflowRecord } from '../src/automation/workflow/records.ts'
import { applyOutcome, type AppliedOutcome } from '../src/automation/workflow/reconcile.ts'
import type { EngineOutcome } from '../src/automation/workflow/ask.ts'
import { problemOf } from '../src/automation/workflow/rules.ts'
import { assignTo, applyCallback, eventOfCallback, isAsking } from '../src/automation/workflow/transitions.ts'
import { addedTo } from './review-laws.ts'
import { asking, eva, onceMore, stateAfter, type Action, type Stand } from './sample-reviews.ts'

/** A review at a time, while its engine, reviewers and callbacks act on it. */
export interface Review extends Stand {
  readonly at: number
  /** The ids of actions that were given up for good. */
  readonly givenUp: readonly string[]
}

/** Somebody requests an event, as in `storeAction`: an unresolved action is repeated first. */
export function requested(review: Review, event: Action): Review {
  const { record, at, givenUp } = review
  const last = record?.pending
  if (event === 'cancel' && last?.event !== 'cancel') return cancelled(review)
  if (record && isAsking(record, at)) return review
  if (!isUnresolved(review) && problemOf({ event }, review) !== null) return review
  const next = asking(review, event, at)
  const isReplaced = last && last.id !== next.pending?.id
  return { ...review, record: next, givenUp: isReplaced ? [...givenUp, last.id] : givenUp }
}

const isUnresolved = ({ record }: Review) => record?.pending?.isGivenUp === false

/** A cancel does not wait. If no engine can be notified of it, it takes effect at once. */
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

/** The job begins another attempt. */
export function askedAgain(review: Review): Review {
  const { record, at } = review
  if (!record?.pending || record.pending.isGivenUp || isAsking(record, at)) return review
  return { ...review, record: { ...record, pending: onceMore(record.pending, at) } }
}

/** The engine was asked, and the outcome is stored as in `reconcile`. */
export function answered(review: Review, asked: EngineOutcome, isLast = false): Review {
  const { record, at, givenUp } = review
  if (!record?.pending || record.pending.isGivenUp) return review
  const { pending } = record
  const after = applyOutcome(record, { pending, asked, at, isLast, isMerged: review.state === 'merged' })
  expectResolved(record, after)
  const state = stateAfter(review, after.moves)
  const isDropped = isLast && after.asked.kind === 'unknown'
  // A start that is given up stays pending, so that it can still be adopted.
  const isGone = isDropped && after.record?.pending?.id !== pending.id
  return { ...review, record: after.record, state, givenUp: isGone ? [...givenUp, pending.id] : givenUp }
}

/**
 * An accepted action is no longer pending. Without acceptance and without held callbacks, no action
 * is added to the history.
 */
function expectResolved(before: WorkflowRecord, { asked, record: after }: AppliedOutcome): void {
  if (asked.kind === 'taken') expect(after?.pending).toBeNull()
  if (asked.kind === 'taken' || before.held.length > 0) return
  const actions = addedTo(before.info, after?.info ?? null).map(({ action }) => action)
  expect(actions.filter((action) => action !== 'status_update')).toEqual([])
}

/** The engine reports a status, as in `applyStatus`. */
export function reported(review: Review, given: WorkflowCallback): Review {
  const { record, at } = review
  const isMerged = review.state === 'merged'
  const next = record && applyCallback(record, { given, at, isMerged })
  if (record && next === 'held') return { ...review, record: { ...record, held: [...record.held, given] } }
  if (!record || next === null || typeof next === 'string') return review
  expect(applyCallback(next, { given, at, isMerged })).toBe('same')
  const moves = [{ event: eventOfCallback(record, next), record: next }]
  return { ...review, record: next, state: stateAfter(review, moves) }
}

/** Somebody is assigned to the current step. */
export function reassigned(review: Review, assignee: UserRef): Review {
  const { record, at } = review
  if (!record?.info || problemOf({ event: 'assign' }, review) !== null) return review
  const info = assignTo(record.info, { assignee, by: eva, comment: undefined, at })
  return { ...review, record: { ...record, info } }
}
