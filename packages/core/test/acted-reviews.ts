import { expect } from 'vitest'
import type { UserRef, WorkflowCallback, WorkflowRecord } from '../src/ports/index.ts'
import { afterAnswer, type AfterAnswer } from '../src/workflow/answered.ts'
import type { Asked } from '../src/workflow/ask.ts'
import { problemOf } from '../src/workflow/rules.ts'
import { assigned, called, calledEvent, isAsking } from '../src/workflow/transitions.ts'
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
  if (record && isAsking(record, at)) return review
  const isUnsettled = last && !last.isGivenUp
  if (!isUnsettled && problemOf({ event }, review) !== null) return review
  const next = asking(review, event, at)
  const isReplaced = last && last.id !== next.pending?.id
  return { ...review, record: next, givenUp: isReplaced ? [...givenUp, last.id] : givenUp }
}

/** The job asks again, as it begins that. */
export function askedAgain(review: Review): Review {
  const { record, at } = review
  if (!record?.pending || record.pending.isGivenUp || isAsking(record, at)) return review
  return { ...review, record: { ...record, pending: onceMore(record.pending, at) } }
}

/** What came of asking, as `settle` keeps it. */
export function answered(review: Review, asked: Asked, isLast = false): Review {
  const { record, at, givenUp } = review
  if (!record?.pending || record.pending.isGivenUp) return review
  const { pending } = record
  const after = afterAnswer(record, { pending, asked, at, isLast })
  expectSettled(record, after)
  const state = stateAfter(review.state, after.moves)
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

/** The engine tells something, as `tellStatus` takes it. */
export function told(review: Review, said: WorkflowCallback): Review {
  const { record, at } = review
  const next = record && called(record, { said, at })
  if (record && next === 'held') return { ...review, record: { ...record, held: [...record.held, said] } }
  if (!record || next === null || typeof next === 'string') return review
  expect(called(next, { said, at })).toBe('same')
  const moves = [{ event: calledEvent(record, next), record: next }]
  return { ...review, record: next, state: stateAfter(review.state, moves) }
}

/** Somebody is to act next. */
export function given(review: Review, assignee: UserRef): Review {
  const { record, at } = review
  if (!record?.info || problemOf({ event: 'assign' }, review) !== null) return review
  const info = assigned(record.info, { assignee, by: eva, comment: undefined, at })
  return { ...review, record: { ...record, info } }
}
