import type { PackageState } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answered,
  askedAgain,
  reassigned,
  reported,
  requested,
  type Review,
} from '../../../test/acted-reviews.ts'
import { expectLawful } from '../../../test/review-laws.ts'
import {
  actions,
  activeInfo,
  lee,
  now,
  stands,
  type Action,
  type Stand,
} from '../../../test/sample-reviews.ts'
import type { UserRef } from '../../ports/index.ts'
import type { WorkflowCallback, WorkflowRecord } from './records.ts'
import type { EngineOutcome } from './ask.ts'

/** What happens next, as data, so that a counterexample can be read. */
type Deed =
  | { readonly want: Action }
  | { readonly answer: EngineOutcome; readonly isLast: boolean }
  | { readonly notify: WorkflowCallback }
  | { readonly assign: UserRef }
  | { readonly wait: number }
  | 'ask again'

/** Nothing happens to a deleted package. Each event takes a millisecond. */
function act(review: Review, deed: Deed): Review {
  if (review.state === 'deleted') return review
  const next = done(review, deed)
  return { ...next, at: next.at + 1 }
}

function done(review: Review, deed: Deed): Review {
  if (deed === 'ask again') return askedAgain(review)
  if ('want' in deed) return requested(review, deed.want)
  if ('answer' in deed) return answered(review, deed.answer, deed.isLast)
  if ('notify' in deed) return reported(review, deed.notify)
  if ('assign' in deed) return reassigned(review, deed.assign)
  return { ...review, at: review.at + deed.wait }
}

const begun = (stand: Stand): Review => ({ ...stand, at: now, givenUp: [] })

const currentStep = fc.constantFrom('editorial', 'legal', 'chief')
const status = fc.constantFrom('active', 'active', 'active', 'completed', 'cancelled', 'error')
const workflowInstanceId = fc.constantFrom('one', 'one', 'one', 'two')
const nextActionUrl = fc.constantFrom('https://engine.example.com/next', null)
const steps = fc.constantFrom(null, activeInfo.steps)
const accepted = fc
  .record(
    { workflowInstanceId, currentStep, status, nextActionUrl, steps },
    { requiredKeys: ['nextActionUrl'] },
  )
  .map((given): EngineOutcome => ({ kind: 'taken', answer: given }))
const refused = fc
  .constantFrom(null, 302, 401, 404, 409, 410, 422, 429)
  .map((status): EngineOutcome => ({ kind: 'refused', reason: 'no', status }))
const untaken = fc.oneof(refused, fc.constant<EngineOutcome>({ kind: 'unknown', reason: 'who knows' }))
const callback = fc.record(
  { workflowInstanceId, currentStep, status, nextActionUrl, comment: fc.constantFrom('a', 'b') },
  { requiredKeys: ['workflowInstanceId', 'currentStep', 'status'] },
)
const isLast = fc.constantFrom(false, false, true)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ want: fc.constantFrom(...actions) }) },
  { weight: 4, arbitrary: fc.record({ answer: fc.oneof(accepted, untaken), isLast }) },
  { weight: 4, arbitrary: fc.record({ notify: callback }) },
  { weight: 1, arbitrary: fc.constant({ assign: lee }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom(1, 1000, 20_000) }) },
  { weight: 1, arbitrary: fc.constant('ask again' as const) },
)

/** The states that a package can have in this state of its workflow. */
function fitting({ state, record }: Review): readonly PackageState[] {
  if (state === 'deleted') return [state]
  const info = record?.info
  if (!info || info.status === 'cancelled') return ['open']
  if (info.status !== 'active') return [info.status]
  const last = info.history.findLast(({ action }) => action !== 'assign' && action !== 'status_update')
  return last?.action === 'reject' ? ['open', 'inReview'] : ['inReview']
}

/** The comments of the actions in the history. Each action has a comment of its own. */
function wordsOf(record: WorkflowRecord | null): readonly string[] {
  const history = record?.info?.history ?? []
  return history.flatMap(({ action, comment }) => (action === 'status_update' ? [] : (comment ?? [])))
}

describe('whatever happens in a review', () => {
  it('keeps history, steps, times, instance and end, each action once, and the package in step with it', () => {
    const run = fc.property(fc.array(deed, { maxLength: 40, size: 'max' }), (deeds) => {
      let review = begun(stands.none)
      for (const one of deeds) {
        const next = act(review, one)
        expectLawful(review.record, next.record)
        expect(new Set(wordsOf(next.record)).size).toBe(wordsOf(next.record).length)
        expect(fitting(next)).toContain(next.state)
        review = next
      }
    })
    fc.assert(run, { numRuns: 500 })
  })

  it('does not change a merged package: callbacks are only added to the history', () => {
    const run = fc.property(fc.array(deed, { maxLength: 20 }), (deeds) => {
      const { state, record } = deeds.reduce<Review>(act, begun(stands.merged))
      const merged: Stand = stands.merged
      const info = merged.record?.info
      const known = info?.history ?? []
      const history = record?.info?.history ?? []
      expect(history.slice(0, known.length)).toEqual(known)
      expect(history.slice(known.length).every(({ action }) => action === 'status_update')).toBe(true)
      const stored = { ...record, info: { ...record?.info, history: known } }
      expect({ state, record: stored }).toEqual(stands.merged)
    })
    fc.assert(run, { numRuns: 500 })
  })
})
