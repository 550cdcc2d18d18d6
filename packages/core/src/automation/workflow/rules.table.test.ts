import { describe, expect, it } from 'vitest'
import { now, stands, type Stand } from '../../../test/sample-reviews.ts'
import { named, rowsOf } from '../../../test/text-table.ts'
import { problemOf, type Transition } from './rules.ts'

const events = ['start', 'approve', 'reject', 'route', 'cancel', 'assign'] as const

/** The answers of the rules; null means that the event is possible. */
const verdicts: Readonly<Record<string, RegExp>> = {
  yes: /^null$/,
  asked: /^A request to the engine is already pending \((start|approve)\)\. Wait for its answer\.$/,
  none: /^No workflow is attached: start one first\.$/,
  begun: /^The package is already under review, at "(editorial|chief)"\.$/,
  over: /^The package is merged: its review is over\.$/,
  state: /^The package is (completed|merged)\. A review can only be started for an open package\.$/,
}

const table = rowsOf(
  ['where', ...events],
  `
  where         start  approve  reject  route  cancel  assign
  none          yes    none     none    none   yes     none
  starting      asked  asked    asked   asked  yes     none
  startUnknown  yes    none     none    none   yes     none
  givenUp       yes    none     none    none   yes     none
  adopted       begun  yes      yes     yes    yes     yes
  active        begun  yes      yes     yes    yes     yes
  asking        asked  asked    asked   asked  yes     yes
  unknown       begun  yes      yes     yes    yes     yes
  overtaken     begun  yes      yes     yes    yes     yes
  error         yes    yes      yes     yes    yes     yes
  errorGivenUp  yes    yes      yes     yes    yes     yes
  completed     state  yes      yes     yes    yes     yes
  cancelled     yes    yes      yes     yes    yes     yes
  merged        state  over     over    over   over    over
  `,
)

const cases = table.flatMap(({ where, ...row }) =>
  events.map((event) => ({ where, event, text: row[event] })),
)

const problem = (stand: Stand, requested: Transition) => problemOf(requested, { ...stand, at: now })

describe('the possible events', () => {
  it('are in the table for each state of a workflow', () => {
    expect(table.map(({ where }) => where)).toEqual(Object.keys(stands))
  })

  it.each(cases)('$where: $event is answered with $text', ({ where, event, text }) => {
    expect(String(problem(named(stands, where), { event }))).toMatch(named(verdicts, text))
  })

  it.each(['inReview', 'completed', 'merged', 'scheduled', 'deleted'] as const)(
    'do not include a start while the package is %s',
    (state) => {
      expect(problem({ ...stands.none, state }, { event: 'start' })).toBe(
        `The package is ${state}. A review can only be started for an open package.`,
      )
    },
  )
})
