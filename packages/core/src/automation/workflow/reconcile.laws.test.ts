import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answered, askedAgain, reported, requested, type Review } from '../../../test/acted-reviews.ts'
import {
  askModel,
  movedOn,
  newEngine,
  acceptedIds,
  type ModelEngine,
  type Way,
} from '../../../test/model-engine.ts'
import { expectLawful } from '../../../test/review-laws.ts'
import { actions, now, stands, type Action } from '../../../test/sample-reviews.ts'
import type { PendingAction, WorkflowRecord } from './records.ts'

/** A review, its engine, and the requests between them. */
interface World {
  readonly review: Review
  readonly engine: ModelEngine
  /** All actions that were ever posted. */
  readonly asked: readonly PendingAction[]
  /** The attempts that have ended: each ends once. */
  readonly ended: readonly string[]
}

/** What happens next, as data, so that a counterexample can be read. */
type Deed =
  | { readonly want: Action }
  | { readonly ask: Way; readonly isLast: boolean }
  | {
      readonly move: {
        readonly index: number
        readonly currentStep?: string
        readonly status?: 'error' | 'cancelled'
      }
    }
  | { readonly wait: number }
  | 'ask again'

function act(world: World, deed: Deed): World {
  if (world.review.state === 'deleted') return world
  const next = done(world, deed)
  const { record, at } = next.review
  const pending = record?.pending
  const isNew = pending && !next.asked.some(({ id }) => id === pending.id)
  return {
    ...next,
    review: { ...next.review, at: at + 1 },
    asked: isNew ? [...next.asked, pending] : next.asked,
  }
}

function done(world: World, deed: Deed): World {
  const { review, engine } = world
  if (deed === 'ask again') return { ...world, review: askedAgain(review) }
  if ('want' in deed) return { ...world, review: requested(review, deed.want) }
  if ('wait' in deed) return { ...world, review: { ...review, at: review.at + deed.wait } }
  if ('move' in deed) {
    const { engine: after, given } = movedOn(engine, deed.move)
    return { ...world, engine: after, review: given ? reported(review, given) : review }
  }
  return asked(world, deed)
}

function asked(world: World, { ask: way, isLast }: { ask: Way; isLast: boolean }): World {
  const { review, engine } = world
  const pending = review.record?.pending
  if (!pending || pending.isGivenUp) return world
  const time = `${pending.id} ${pending.tries}`
  if (world.ended.includes(time)) return world
  const instance = review.record?.info?.workflowInstanceId
  const after = askModel(engine, { pending, instance, way })
  const ended = [...world.ended, time]
  return { ...world, engine: after.engine, review: answered(review, after.asked, isLast), ended }
}

/**
 * Statuses of a rejection before the engine, such as by a proxy. The engine did not see the
 * request.
 */
const refusedWith = fc.constantFrom(null, 302, 401, 403, 407, 408, 425, 429)
const way = fc.oneof(
  { weight: 4, arbitrary: fc.constant('through' as const) },
  { weight: 3, arbitrary: fc.constant('lost after' as const) },
  { weight: 1, arbitrary: fc.constant('lost before' as const) },
  { weight: 2, arbitrary: fc.record({ refusedWith }) },
)
const move = fc.record(
  {
    index: fc.nat({ max: 2 }),
    currentStep: fc.constantFrom('editorial', 'legal', 'chief'),
    status: fc.constantFrom('error' as const, 'cancelled' as const),
  },
  { requiredKeys: ['index'] },
)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ want: fc.constantFrom(...actions) }) },
  { weight: 8, arbitrary: fc.record({ ask: way, isLast: fc.constantFrom(false, false, false, true) }) },
  { weight: 2, arbitrary: fc.record({ move }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.constantFrom(1, 20_000) }) },
  { weight: 4, arbitrary: fc.constant('ask again' as const) },
)

/** Whether an action is in the history. Each action has a comment of its own. */
function isInHistory(record: WorkflowRecord | null, { event, comment }: PendingAction): boolean {
  const history = record?.info?.history ?? []
  return history.some((entry) => entry.action === event && entry.comment === comment)
}

function expectNothingLost({ review, engine, asked: all }: World): void {
  const { record, givenUp } = review
  for (const id of acceptedIds(engine)) {
    const action = all.find((one) => one.id === id)
    const isKnown = action && isInHistory(record, action)
    expect(isKnown || record?.pending?.id === id || givenUp.includes(id), id).toBe(true)
  }
}

/** A rejection, which opens the package, is never inferred from a refusal or a callback. */
function expectNothingMadeUp({ review, engine, asked: all }: World): void {
  const accepted = new Set(acceptedIds(engine))
  const grave = all.filter(({ event }) => event === 'reject')
  const reported = grave.filter((action) => isInHistory(review.record, action))
  expect(reported.filter(({ id }) => !accepted.has(id))).toEqual([])
}

describe('whatever happens between a review and its engine', () => {
  it('an accepted action is in the history, pending or given up, and no rejection is made up', () => {
    const run = fc.property(fc.array(deed, { minLength: 25, maxLength: 40 }), (deeds) => {
      let world: World = {
        review: { ...stands.none, at: now, givenUp: [] },
        engine: newEngine,
        asked: [],
        ended: [],
      }
      for (const one of deeds) {
        const next = act(world, one)
        expectLawful(world.review.record, next.review.record)
        expectNothingLost(next)
        expectNothingMadeUp(next)
        world = next
      }
    })
    fc.assert(run, { numRuns: 300 })
  })
})
